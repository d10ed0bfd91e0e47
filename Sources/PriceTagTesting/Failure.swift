import PriceTag
import PriceTagDrift
import PriceTagReading
import PriceTagText
import Testing
import XCTest

/// The source location of an expectation, where its failures are recorded.
struct Caller {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  /// Fails the running test, of Swift Testing or of XCTest.
  func fail(_ message: String) {
    if Test.current != nil { return record(message) }
    XCTFail(message, file: filePath, line: line)
    // In a detached task of Swift Testing the current test is unknown, but the run must still fail. In XCTest this has no
    // effect.
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

  /// Fails the test if two displays differ in more than a tolerance allows.
  ///
  /// - Parameter failure: The first part of the failure's first line.
  func expect(_ comparison: DisplayComparison, _ tolerance: DisplayTolerance, failure: String) {
    if comparison.classes(beyond: tolerance).isEmpty { return }
    let difference = DifferenceText(comparison: comparison)
    fail(
      """
      \(failure): \(difference.classes)
      \(difference.lines)
        \(difference.acceptance)
      """
    )
  }

  /// Runs a body and fails the test if it throws.
  func attempt<Value>(_ body: () throws -> Value) -> Value? {
    do { return try body() } catch {
      fail("\(error)")
      return nil
    }
  }
}

/// The text of a failed comparison.
private struct DifferenceText {
  let comparison: DisplayComparison

  /// The maximum number of code points to list.
  private static let maximumCodePointCount = 8

  /// Both texts and the code points that differ.
  var lines: String {
    let points = comparison.codePoints
    var text = """
        - expected   \(literal(comparison.expected))
        + displayed  \(literal(comparison.actual))
      """
    for difference in points.prefix(Self.maximumCodePointCount) {
      text += "\n    at \(difference.position): \(difference)"
    }
    if points.count > Self.maximumCodePointCount {
      text += "\n    … and \(points.count - Self.maximumCodePointCount) more"
    }
    return text
  }

  /// The classes of the differences.
  var classes: String { comparison.classes.map(\.rawValue).joined(separator: ", ") }

  /// How to accept the difference: by expecting the displayed text, or with a tolerance.
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
    let alternative = tolerance.map { "; or allow such differences: tolerating: \($0)" } ?? ""
    return "If this is correct, expect it: displays: \(literal(comparison.actual))\(alternative)"
  }

  /// Returns a text as a Swift string literal.
  private func literal(_ text: String) -> String {
    "\"\(printable(text, limit: .max, isQuoted: true))\""
  }
}
