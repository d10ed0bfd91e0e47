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

  var string: String { String(decoding: utf8, as: UTF8.self) }

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

  /// A part of a text that is changed.
  private typealias Piece = (type: FormattedPrice.PartType, utf8: [UInt8])

  /// Returns the text with changes to ICU's layout.
  func changed(to layout: PriceLayout) -> ICUText {
    if layout.isEmpty { return self }
    var pieces = pieces(groupedAs: layout)
    for index in pieces.indices {
      // The text between the integer and the fraction is the decimal separator, whatever ICU calls it.
      if pieces[index].type == .group, let group = layout.group { pieces[index].utf8 = Array(group.utf8) }
      if Self.isDecimal(index, pieces), let decimal = layout.decimal {
        pieces[index].utf8 = Array(decimal.utf8)
      }
    }
    if let position = layout.position, Self.position(in: pieces) != position {
      pieces = Self.placed(pieces, position, space: layout.space)
    } else if let space = layout.space {
      pieces = Self.spaced(pieces, space)
    }
    var changed: [UInt8] = []
    var fields: [Field] = []
    for piece in pieces where !piece.utf8.isEmpty {
      let start = changed.count
      changed += piece.utf8
      if piece.type != .literal { fields.append(Field(type: piece.type, range: start..<changed.count)) }
    }
    return ICUText(utf8: changed, fields: fields)
  }

  /// Returns the parts, with the groups of the layout.
  private func pieces(groupedAs layout: PriceLayout) -> [Piece] {
    let parts = parts
    guard layout.minimumGrouping != nil || layout.secondaryGroupSize != nil else {
      return parts.map { ($0.type, Array(utf8[$0.range])) }
    }
    var pieces: [Piece] = []
    var index = 0
    while index < parts.count {
      let end = parts[index...].firstIndex { $0.type != .integer && $0.type != .group } ?? parts.count
      let number = parts[index..<max(end, index + 1)]
      if let group = number.first(where: { $0.type == .group }) {
        let chunks = number.filter { $0.type == .integer }
          .map {
            String(decoding: utf8[$0.range], as: UTF8.self).unicodeScalars.map { Array(String($0).utf8) }
          }
        let (sizes, digits) = (chunks.map(\.count), chunks.flatMap(\.self))
        let primary = sizes.last ?? 0
        let secondary = layout.secondaryGroupSize ?? (sizes.count > 2 ? sizes[sizes.count - 2] : primary)
        let isGrouped = digits.count >= primary + (layout.minimumGrouping ?? 1)
        for (place, digit) in digits.enumerated() {
          let rest = digits.count - place - primary
          if isGrouped, place > 0, rest >= 0, rest.isMultiple(of: secondary) {
            pieces.append((.group, Array(utf8[group.range])))
          }
          if pieces.last?.type == .integer, place > 0 {
            pieces[pieces.count - 1].utf8 += digit
          } else {
            pieces.append((.integer, digit))
          }
        }
      } else {
        pieces += number.map { ($0.type, Array(utf8[$0.range])) }
      }
      index += number.count
    }
    return pieces
  }

  private static func isDecimal(_ index: Int, _ pieces: [Piece]) -> Bool {
    index > 0 && index + 1 < pieces.count && pieces[index - 1].type == .integer
      && pieces[index + 1].type == .fraction
  }

  private static func isNumber(_ type: FormattedPrice.PartType) -> Bool {
    switch type {
    case .integer, .group, .decimal, .fraction, .compact: true
    default: false
    }
  }

  /// Returns the place of the symbol; `nil` if the text has none.
  private static func position(in pieces: [Piece]) -> PriceLayout.Position? {
    guard let first = pieces.firstIndex(where: { isNumber($0.type) }),
      let symbol = pieces.indices.first(where: { pieces[$0].type == .symbol && !isDecimal($0, pieces) })
    else { return nil }
    return symbol < first ? .before : .after
  }

  /// Returns the parts with the symbol once, before or after the number or the range of two numbers. Signs, brackets and the
  /// text of a range stay; spaces and direction marks beside the symbol go.
  private static func placed(_ pieces: [Piece], _ position: PriceLayout.Position, space: String?) -> [Piece] {
    let numbers = pieces.indices.filter { isNumber(pieces[$0].type) || isDecimal($0, pieces) }
    let symbols = pieces.indices.filter { pieces[$0].type == .symbol && !isDecimal($0, pieces) }
    guard let first = numbers.first, let last = numbers.last, let symbol = symbols.first else {
      return pieces
    }
    let beside = pieces.indices.filter { isSpaceBesideSymbol($0, pieces) }
    let oldSpace = beside.lazy.map {
      String(decoding: pieces[$0].utf8, as: UTF8.self).unicodeScalars.filter(isSpace)
    }
    .first { !$0.isEmpty }
    let kept = pieces.indices.filter { index in
      !symbols.contains(index) && !beside.contains(index)
        && !(pieces[index].type == .literal && isMarks(pieces[index].utf8))
    }
    let before = kept.filter { $0 < first }.map { pieces[$0] }
    let number = kept.filter { (first...last).contains($0) }.map { pieces[$0] }
    let after = kept.filter { $0 > last }.map { pieces[$0] }
    let gap: Piece = (
      .literal, Array((space ?? oldSpace.map { String(String.UnicodeScalarView($0)) } ?? "").utf8)
    )
    return position == .before
      ? before + [pieces[symbol], gap] + number + after
      : before + number + [gap, pieces[symbol]] + after
  }

  /// Returns the parts with a space beside the symbol, which replaces an existing one.
  private static func spaced(_ pieces: [Piece], _ space: String) -> [Piece] {
    var spaced: [Piece] = []
    for (index, piece) in pieces.enumerated() {
      if isSpaceBesideSymbol(index, pieces) {
        let scalars = String(decoding: piece.utf8, as: UTF8.self).unicodeScalars
        spaced.append(
          (.literal, scalars.flatMap { isSpace($0) ? Array(space.utf8) : Array(String($0).utf8) })
        )
        continue
      }
      if let previous = spaced.last?.type, !isDecimal(index, pieces), !isDecimal(index - 1, pieces),
        (previous == .symbol && isNumber(piece.type)) || (isNumber(previous) && piece.type == .symbol)
      {
        spaced.append((.literal, Array(space.utf8)))
      }
      spaced.append(piece)
    }
    return spaced
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .spaceSeparator
  }

  private static func isMarks(_ utf8: [UInt8]) -> Bool {
    String(decoding: utf8, as: UTF8.self).unicodeScalars.allSatisfy {
      $0.properties.generalCategory == .format
    }
  }

  /// Returns whether a part is beside the symbol and has only spaces and direction marks.
  private static func isSpaceBesideSymbol(_ index: Int, _ pieces: [Piece]) -> Bool {
    let isBeside = [index - 1, index + 1].contains {
      pieces.indices.contains($0) && pieces[$0].type == .symbol
    }
    guard pieces[index].type == .literal, isBeside else { return false }
    return String(decoding: pieces[index].utf8, as: UTF8.self).unicodeScalars.allSatisfy {
      isSpace($0) || $0.properties.generalCategory == .format
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
