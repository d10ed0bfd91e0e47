import PriceTag
import PriceTagDrift
import PriceTagText
import Testing
import XCTest

/// Where an expectation stands: failures point there.
struct Caller {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  /// Fails the test that is running: of Swift Testing, else of XCTest.
  func fail(_ message: String) {
    if Test.current != nil { return record(message) }
    XCTFail(message, file: filePath, line: line)
    // In a task of its own nobody knows which test is running: it must fail nevertheless. In XCTest this does nothing.
    record(message)
  }

  private func record(_ message: String) {
    Issue.record(
      Comment(rawValue: message),
      sourceLocation: SourceLocation(
        fileID: "\(fileID)",
        filePath: "\(filePath)",
        line: Int(line),
        column: Int(column)
      )
    )
  }

  /// Fails the test where two displays differ in more than a tolerance lets pass.
  func expect(_ comparison: DisplayComparison, _ tolerance: DisplayTolerance, otherwise what: String) {
    if comparison.classes(beyond: tolerance).isEmpty { return }
    let difference = DifferenceText(comparison)
    fail(
      """
      \(what) otherwise: \(difference.kinds)
      \(difference.lines)
        \(difference.acceptance)
      """
    )
  }

  /// Runs what may fail, and tells the failure.
  func attempt<Value>(_ body: () throws -> Value) -> Value? {
    do { return try body() } catch {
      fail("\(error)")
      return nil
    }
  }
}

/// What a comparison found, for whoever reads a failed test.
private struct DifferenceText {
  private let comparison: DisplayComparison

  init(_ comparison: DisplayComparison) {
    self.comparison = comparison
  }

  /// How many characters are told.
  private static let mostCodePoints = 8

  /// The two texts, and the characters where they differ.
  var lines: String {
    let points = comparison.codePoints
    var text = """
        - expected   \(seen(comparison.expected))
        + displayed  \(seen(comparison.actual))
      """
    for difference in points.prefix(Self.mostCodePoints) {
      text += "\n    at \(difference.position): \(difference)"
    }
    if points.count > Self.mostCodePoints { text += "\n    … and \(points.count - Self.mostCodePoints) more" }
    return text
  }

  /// The kinds of differences.
  var kinds: String { comparison.classes.map(\.rawValue).joined(separator: ", ") }

  /// How the difference can be accepted: by writing what is displayed, or by a tolerance that lets it pass.
  var acceptance: String {
    let tolerance: String? =
      if comparison.classes == [.spacing] {
        ".spacing"
      } else if comparison.classes == [.directionMarks] {
        ".bidi"
      } else if comparison.classes == [.spacing, .directionMarks] {
        "[.spacing, .bidi]"
      } else if comparison.classes(beyond: .meaning).isEmpty {
        ".meaning"
      } else {
        nil
      }
    let other = tolerance.map { "; or let such differences pass: tolerating: \($0)" } ?? ""
    return "Where this is right, expect it: displays: \(seen(comparison.actual))\(other)"
  }

  /// A text as Swift writes it in quotation marks.
  private func seen(_ text: String) -> String {
    "\"\(printable(text, limit: .max, isQuoted: true))\""
  }
}
