import PriceTag

/// The parsed language ranges of an `Accept-Language` header.
struct AcceptLanguage {
  /// The acceptable ranges, by descending quality.
  let preferences: [String]
  /// The ranges with quality 0, in lower case.
  private let excluded: [String]
  /// `preferences` in lower case.
  private let accepted: [String]

  private static let maximumByteCount = 4096
  private static let maximumRangeCount = 32

  init(_ header: String) {
    var ranges: [(tag: String, quality: Int)] = []
    for part in String(decoding: header.utf8.prefix(Self.maximumByteCount), as: UTF8.self).split(
      separator: ","
    )
    .prefix(Self.maximumRangeCount) {
      let pieces = part.split(separator: ";", omittingEmptySubsequences: false).map {
        String($0).trimming { $0 == " " || $0 == "\t" }
      }
      guard let tag = pieces.first, Self.isRange(tag), pieces.count <= 2,
        let quality = pieces.count == 1 ? 1000 : Self.quality(pieces[1])
      else { continue }
      ranges.append((tag, quality))
    }
    // Swift's sort is stable.
    preferences = ranges.filter { $0.quality > 0 }.sorted { $0.quality > $1.quality }.map(\.tag)
    excluded = ranges.filter { $0.quality == 0 }.map { $0.tag.lowercased() }
    accepted = preferences.map { $0.lowercased() }
  }

  /// Returns whether the header declares a language not acceptable (RFC 9110, 12.5.4).
  ///
  /// A range with quality 0 excludes its language, the language's regional variants, or, for `*`, all languages,
  /// unless an equally or more specific range accepts the language.
  func excludes(_ language: UILanguage) -> Bool {
    if excluded.isEmpty { return false }
    let tag = language.identifier.lowercased()
    func specificity(_ ranges: [String]) -> Int? {
      ranges.compactMap { range in
        range == "*" ? 0 : tag == range || tag.hasPrefix(range + "-") ? range.utf8.count : nil
      }.max()
    }
    guard let exclusion = specificity(excluded) else { return false }
    return specificity(accepted).map { $0 < exclusion } ?? true
  }

  private static func isRange(_ tag: String) -> Bool {
    tag == "*"
      || (1...64).contains(tag.utf8.count)
        && tag.utf8.allSatisfy { byte in
          byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        }
  }

  /// Parses a quality from `q=0` to `q=1` with at most three decimals; returns it in thousandths.
  private static func quality(_ parameter: String) -> Int? {
    let pieces = parameter.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard pieces.count == 2, pieces[0].lowercased() == "q", (1...5).contains(pieces[1].utf8.count),
      pieces[1].hasPrefix("0") || pieces[1].hasPrefix("1"),
      let amount = try? Amount(decimal: pieces[1]), amount <= 1,
      let thousandths = try? amount.minorUnits(exponent: 3)
    else { return nil }
    return Int(thousandths)
  }
}

/// Returns the regions of the languages that an `Accept-Language` header prefers, in order: `["AT", "DE"]` for
/// `de-AT, de-DE;q=0.9, en`. A language without a region has none, because a language does not determine where a shopper
/// buys.
package func acceptedRegions(_ header: String) -> [String] {
  var regions: [String] = []
  for tag in AcceptLanguage(header).preferences {
    // Subtags after a single character are extensions.
    let subtags = tag.split(separator: "-").dropFirst().prefix { $0.utf8.count > 1 }
    guard let region = subtags.first(where: { $0.utf8.count == 2 })?.uppercased() else { continue }
    if !regions.contains(region) { regions.append(region) }
  }
  return regions
}
