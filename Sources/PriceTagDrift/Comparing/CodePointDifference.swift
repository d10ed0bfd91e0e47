import PriceTag

/// Where two texts differ, character by character of Unicode.
///
///     // U+202F NARROW NO-BREAK SPACE, expected U+00A0 NO-BREAK SPACE
public struct CodePointDifference: Hashable, Sendable, CustomStringConvertible {
  /// Where it stands: the number of the character in the actual text, from 1.
  public let position: Int
  /// What was expected; `nil` where something is there too much.
  public let expected: Unicode.Scalar?
  /// What is there; `nil` where something is missing.
  public let actual: Unicode.Scalar?

  /// What is there, and what was expected, by code point and name.
  public var description: String {
    switch (expected, actual) {
    case (let expected?, let actual?): "\(Self.name(actual)), expected \(Self.name(expected))"
    case (nil, let actual?): "\(Self.name(actual)), expected nothing there"
    case (let expected?, nil): "nothing, expected \(Self.name(expected))"
    case (nil, nil): ""
    }
  }

  /// A character by its code point and its name in Unicode: `U+00A0 NO-BREAK SPACE`.
  static func name(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    let properties = scalar.properties
    return properties.name.map { "\(code) \($0)" } ?? properties.nameAlias.map { "\(code) \($0)" } ?? code
  }

  /// The differences of two texts, in order; of long ones the first.
  static func between(_ expected: String, _ actual: String) -> [CodePointDifference] {
    let (old, new) = (expected.unicodeScalars, actual.unicodeScalars)
    let start = zip(old, new).prefix { $0 == $1 }.count
    let (oldRest, newRest) = (old.dropFirst(start), new.dropFirst(start))
    let end = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
    // Where more differs, nobody compares character by character.
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
    var (at, place) = (0, 0)
    while at < left.count || place < right.count {
      switch (removed[at], inserted[place]) {
      case (nil, nil):
        at += 1
        place += 1
      case (let expected, let actual):
        differences.append(
          CodePointDifference(position: start + place + 1, expected: expected, actual: actual)
        )
        if expected != nil { at += 1 }
        if actual != nil { place += 1 }
      }
    }
    return differences
  }
}
