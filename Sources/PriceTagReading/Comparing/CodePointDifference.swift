import PriceTag

/// A difference between two texts at one Unicode scalar.
///
///     // U+202F NARROW NO-BREAK SPACE, expected U+00A0 NO-BREAK SPACE
public struct CodePointDifference: Hashable, Sendable, CustomStringConvertible {
  /// The position in the actual text, counted in Unicode scalars from 1.
  public let position: Int
  /// The expected scalar; `nil` if the actual one is superfluous.
  public let expected: Unicode.Scalar?
  /// The actual scalar; `nil` if the expected one is missing.
  public let actual: Unicode.Scalar?

  /// The actual and the expected scalar, by code point and name.
  public var description: String {
    switch (expected, actual) {
    case (let expected?, let actual?): "\(Self.name(actual)), expected \(Self.name(expected))"
    case (nil, let actual?): "unexpected \(Self.name(actual))"
    case (let expected?, nil): "missing \(Self.name(expected))"
    case (nil, nil): ""
    }
  }

  /// Returns a scalar's code point and Unicode name: `U+00A0 NO-BREAK SPACE`.
  package static func name(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    let properties = scalar.properties
    return properties.name.map { "\(code) \($0)" } ?? properties.nameAlias.map { "\(code) \($0)" } ?? code
  }

  /// Returns the differences of two texts, in order. Only the first 256 differing scalars are compared.
  package static func between(_ expected: String, _ actual: String) -> [CodePointDifference] {
    let (old, new) = (expected.unicodeScalars, actual.unicodeScalars)
    let start = zip(old, new).prefix { $0 == $1 }.count
    let (oldRest, newRest) = (old.dropFirst(start), new.dropFirst(start))
    let end = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
    let limit = 256
    let (left, right) = (
      Array(oldRest.dropLast(end).prefix(limit)), Array(newRest.dropLast(end).prefix(limit))
    )
    var removed: [Int: Unicode.Scalar] = [:]
    var inserted: [Int: Unicode.Scalar] = [:]
    for change in right.difference(from: left) {
      switch change {
      case .remove(let offset, let scalar, _): removed[offset] = scalar
      case .insert(let offset, let scalar, _): inserted[offset] = scalar
      }
    }
    var differences: [CodePointDifference] = []
    var (oldIndex, newIndex) = (0, 0)
    while oldIndex < left.count || newIndex < right.count {
      switch (removed[oldIndex], inserted[newIndex]) {
      case (nil, nil):
        oldIndex += 1
        newIndex += 1
      case (let expected, let actual):
        differences.append(
          CodePointDifference(position: start + newIndex + 1, expected: expected, actual: actual)
        )
        if expected != nil { oldIndex += 1 }
        if actual != nil { newIndex += 1 }
      }
    }
    return differences
  }
}
