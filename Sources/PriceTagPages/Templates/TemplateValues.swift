import PriceTag
import PriceTagStrings
import PriceTagText

/// The values of a template by name, already escaped as HTML.
///
/// A missing value is not looked up in the enclosing section: a product without a description does not get the page's.
final class TemplateValues {
  // Values are used by one thread, for each tag of a page: run-time exclusivity checks would only cost time.
  @exclusivity(unchecked) private var values: [TemplateValue] = []
  /// The names of up to eight values, a byte each, the first one lowest: most objects have few, and so need no `places`.
  @exclusivity(unchecked) private var names: UInt64 = 0
  /// The place of each name in `values`, for more than eight values; `absent` for a name that is not set.
  @exclusivity(unchecked) private var places: [UInt8] = []
  /// A name that is true only here: the identifier of the storefront, for `{{#storefront.JPN}}`.
  private let condition: String?
  /// The partials that were rendered with these values and nothing else, by name; `nil` if they are not kept.
  var partials: [String: [UInt8]]?

  private static let absent = UInt8.max
  private static let maximumNameCount = 8

  init(_ values: KeyValuePairs<TemplateName, (any TemplateConvertible)?>, condition: String? = nil) {
    self.condition = condition
    self.values.reserveCapacity(values.count)
    for (name, value) in values { add(name, value?.templateValue ?? .none) }
  }

  /// Creates an object without values. Many values are set faster by their names than from existential values.
  init(capacity: Int) {
    condition = nil
    values.reserveCapacity(capacity)
  }

  /// Creates a copy, whose values can be changed.
  init(copying other: TemplateValues) {
    (values, names, places, condition) = (other.values, other.names, other.places, other.condition)
  }

  /// Returns a value; `nil` if the name is not set.
  func value(named name: TemplateName) -> TemplateValue? { place(of: name).map { values[$0] } }

  func isTrue(_ condition: String) -> Bool { self.condition == condition }

  subscript<Value: TemplateConvertible>(name: TemplateName) -> Value? {
    @available(*, unavailable) get { nil }
    set { set(name, newValue?.templateValue ?? .none) }
  }

  private func place(of name: TemplateName) -> Int? {
    guard places.isEmpty else {
      let place = places[Int(name.rawValue)]
      return place == Self.absent ? nil : Int(place)
    }
    var rest = names
    for place in 0..<values.count {
      if UInt8(truncatingIfNeeded: rest) == name.rawValue { return place }
      rest >>= 8
    }
    return nil
  }

  private func set(_ name: TemplateName, _ value: TemplateValue) {
    if let place = place(of: name) {
      values[place] = value
    } else {
      add(name, value)
    }
  }

  /// Adds the value of a name that is not set.
  private func add(_ name: TemplateName, _ value: TemplateValue) {
    let count = values.count
    if count < Self.maximumNameCount {
      names |= UInt64(name.rawValue) << (8 * count)
    } else {
      if places.isEmpty {
        places = [UInt8](repeating: Self.absent, count: TemplateName.count)
        for place in 0..<count { places[Int(UInt8(truncatingIfNeeded: names >> (8 * place)))] = UInt8(place) }
      }
      // There are fewer names than `absent`.
      places[Int(name.rawValue)] = UInt8(truncatingIfNeeded: count)
    }
    values.append(value)
  }
}

/// The messages of a language that take no arguments, by key.
final class TemplateWords: Sendable {
  private let words: [String: String]

  init(_ words: [String: String]) {
    self.words = words.mapValues { pageText($0) }
  }

  func word(_ key: String) -> String? { words[key] }
}

/// Returns a text escaped for HTML text and attributes, without characters that HTML does not allow.
func pageText(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "&") && byte != UInt8(ascii: "<")
      && byte != UInt8(ascii: ">")
      && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
  }
  return isPlain ? text : escapedForHTML(withoutControls(text))
}

/// Returns a text for a title or an attribute, with balanced bidi controls because no element isolates it there.
func attributeText(_ text: String) -> String { pageText(balancedBidi(text)) }

/// Returns a part of a title, isolated if it contains bidi controls, so that it cannot reorder the other parts.
func titlePart(_ text: String) -> String {
  hasBidiControls(text) ? "\u{2068}\(balancedBidi(text))\u{2069}" : text
}

/// Returns an identifier as a URL fragment: every byte other than an ASCII letter, a digit, `_`, `.` and one other character
/// becomes `~` and two hexadecimal digits, so that distinct identifiers have distinct fragments.
func fragment(of identifier: String, keeping other: Unicode.Scalar = "_") -> String {
  var fragment = ""
  for byte in identifier.utf8 {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: other):
      fragment.unicodeScalars.append(Unicode.Scalar(byte))
    default: fragment += "~" + hexadecimal(byte)
    }
  }
  return fragment
}

/// Returns a byte as two hexadecimal digits.
func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

/// Replaces control characters that HTML does not allow with U+FFFD REPLACEMENT CHARACTER. Line feeds and tabs remain.
private func withoutControls(_ text: String) -> String {
  func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF: true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }
  guard text.unicodeScalars.contains(where: isForbidden) else { return text }
  var clean = ""
  for scalar in text.unicodeScalars { clean.unicodeScalars.append(isForbidden(scalar) ? "\u{FFFD}" : scalar) }
  return clean
}
