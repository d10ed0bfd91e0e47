import CICU

/// Text before and after a price that ICU's number formatter cannot write, but for which CLDR has a pattern.
struct TextWrapper: Hashable, Sendable {
  let prefix: [UInt8]
  let suffix: [UInt8]
  /// The type of the parts.
  let type: FormattedPrice.PartType

  /// Creates the wrapper of a pattern with one placeholder, such as `{0}+`; returns `nil` for any other pattern.
  init?(pattern: String, type: FormattedPrice.PartType) {
    let pieces = pattern.split(separator: "{0}", omittingEmptySubsequences: false)
    guard pieces.count == 2 else { return nil }
    (prefix, suffix, self.type) = (Array(pieces[0].utf8), Array(pieces[1].utf8), type)
  }
}

/// A text that ICU wrote, with the fields that ICU reported, in order.
struct ICUText {
  struct Field {
    let type: FormattedPrice.PartType
    /// The place of the field in UTF-8.
    let range: Range<Int>
  }

  let utf8: [UInt8]
  let fields: [Field]

  /// Calls a function that fills a C structure; returns `nil` if the function returns false.
  init?(filledBy fill: (UnsafeMutablePointer<CICUText>) -> Bool) {
    let filled = withUnsafeTemporaryAllocation(of: CICUText.self, capacity: 1) {
      buffer -> (utf8: [UInt8], fields: [Field])? in
      guard let text = buffer.baseAddress, fill(text) else { return nil }
      let utf8 = withUnsafeBytes(of: &text.pointee.utf8) { Array($0.prefix(Int(text.pointee.length))) }
      let count = Int(text.pointee.fieldCount)
      let fields = withUnsafeBytes(of: &text.pointee.fields) { bytes in
        bytes.bindMemory(to: CICUField.self).prefix(count).compactMap { field -> Field? in
          guard field.start >= 0, field.start < field.end else { return nil }
          return Field(type: Self.type(of: field.kind), range: Int(field.start)..<Int(field.end))
        }
      }
      return (utf8, fields)
    }
    guard let filled else { return nil }
    (utf8, fields) = filled
  }

  private static func type(of kind: CICUFieldKind) -> FormattedPrice.PartType {
    switch kind {
    case CICUFieldInteger: .integer
    case CICUFieldGroup: .group
    case CICUFieldDecimal: .decimal
    case CICUFieldFraction: .fraction
    case CICUFieldSign: .sign
    case CICUFieldApproximately: .qualifier
    case CICUFieldCompact: .compact
    default: .symbol
    }
  }

  /// Returns the text with a merchant's separators instead of ICU's.
  func replacing(_ separators: PriceSeparators) -> ICUText {
    if separators.isEmpty { return self }
    var replaced: [UInt8] = []
    var newFields: [Field] = []
    let parts = parts
    for (index, part) in parts.enumerated() {
      let start = replaced.count
      let bytes = utf8[part.range]
      // The text between the integer and the fraction is the decimal separator, whatever ICU calls it.
      let isDecimal =
        index > 0 && index + 1 < parts.count && parts[index - 1].type == .integer
        && parts[index + 1].type == .fraction
      if isDecimal, let decimal = separators.decimal {
        replaced += decimal.utf8
      } else if part.type == .group, let group = separators.group {
        replaced += group.utf8
      } else if let space = separators.space, isSpaceBesideSymbol(index, parts) {
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
          let isSpace = scalar.properties.generalCategory == .spaceSeparator
          replaced += isSpace ? Array(space.utf8) : Array(String(scalar).utf8)
        }
      } else {
        replaced += bytes
      }
      if part.type != .literal, start < replaced.count {
        newFields.append(Field(type: part.type, range: start..<replaced.count))
      }
    }
    return ICUText(utf8: replaced, fields: newFields)
  }

  /// Returns whether a part is beside the symbol and has only spaces and direction marks.
  private func isSpaceBesideSymbol(_ index: Int, _ parts: [Field]) -> Bool {
    let isBeside = [index - 1, index + 1].contains { parts.indices.contains($0) && parts[$0].type == .symbol }
    guard parts[index].type == .literal, isBeside else { return false }
    let text = String(decoding: utf8[parts[index].range], as: UTF8.self)
    return text.unicodeScalars.allSatisfy {
      [.spaceSeparator, .format].contains($0.properties.generalCategory)
    }
  }

  /// A Boolean value that indicates whether groups and the fraction have the same separator, which would be ambiguous.
  var hasAmbiguousSeparator: Bool {
    let parts = parts
    guard let group = parts.first(where: { $0.type == .group }),
      let fraction = parts.firstIndex(where: { $0.type == .fraction }), fraction > 0
    else { return false }
    return utf8[group.range].elementsEqual(utf8[parts[fraction - 1].range])
  }

  /// Returns the text with a wrapper around it.
  func wrapped(in wrapper: TextWrapper) -> ICUText {
    let start = wrapper.prefix.count
    var wrapped = fields.map {
      Field(type: $0.type, range: start + $0.range.lowerBound..<start + $0.range.upperBound)
    }
    let end = start + utf8.count
    if start > 0 { wrapped.insert(Field(type: wrapper.type, range: 0..<start), at: 0) }
    if !wrapper.suffix.isEmpty {
      wrapped.append(Field(type: wrapper.type, range: end..<end + wrapper.suffix.count))
    }
    return ICUText(utf8: wrapper.prefix + utf8 + wrapper.suffix, fields: wrapped)
  }

  private init(utf8: [UInt8], fields: [Field]) {
    (self.utf8, self.fields) = (utf8, fields)
  }

  /// The fields, with the text between them as literals. Every byte of the text is in exactly one part.
  var parts: [Field] {
    var parts: [Field] = []
    var end = 0
    for field in fields {
      if field.range.lowerBound > end {
        parts.append(Field(type: .literal, range: end..<field.range.lowerBound))
      }
      // Skips a field inside the previous one.
      if field.range.lowerBound < end { continue }
      parts.append(field)
      end = field.range.upperBound
    }
    if end < utf8.count { parts.append(Field(type: .literal, range: end..<utf8.count)) }
    return parts
  }
}
