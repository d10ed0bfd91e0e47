import PriceTag

/// The ranges of an `Accept-Language` header.
struct AcceptLanguage {
  /// What is wanted, the most wanted first.
  let wanted: [String]
  /// In lower case: what is not acceptable (quality 0), and what is.
  private let refused: [String]
  private let accepted: [String]

  private static let mostBytes = 4096
  private static let mostRanges = 32

  init(_ header: String) {
    var ranges: [(tag: String, quality: Int)] = []
    for part in String(decoding: header.utf8.prefix(Self.mostBytes), as: UTF8.self).split(separator: ",")
      .prefix(Self.mostRanges)
    {
      let pieces = part.split(separator: ";", omittingEmptySubsequences: false).map {
        String($0).trimming { $0 == " " || $0 == "\t" }
      }
      guard let tag = pieces.first, Self.isRange(tag), pieces.count <= 2,
        let quality = pieces.count == 1 ? 1000 : Self.quality(pieces[1])
      else { continue }
      ranges.append((tag, quality))
    }
    // Swift's sort keeps the order of equals.
    wanted = ranges.filter { $0.quality > 0 }.sorted { $0.quality > $1.quality }.map(\.tag)
    refused = ranges.filter { $0.quality == 0 }.map { $0.tag.lowercased() }
    accepted = wanted.map { $0.lowercased() }
  }

  /// Whether a language is not acceptable: by the range with quality 0 of itself, of its base language, or of all
  /// languages, where no range that is as close accepts it (RFC 9110, 12.5.4).
  func refuses(_ language: UILanguage) -> Bool {
    if refused.isEmpty { return false }
    let tag = language.identifier.lowercased()
    func closest(_ ranges: [String]) -> Int? {
      ranges.compactMap { range in
        range == "*" ? 0 : tag == range || tag.hasPrefix(range + "-") ? range.utf8.count : nil
      }.max()
    }
    guard let refusal = closest(refused) else { return false }
    return closest(accepted).map { $0 < refusal } ?? true
  }

  private static func isRange(_ tag: String) -> Bool {
    tag == "*"
      || (1...64).contains(tag.utf8.count)
        && tag.utf8.allSatisfy { byte in
          byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        }
  }

  /// A quality of `q=0` to `q=1` with at most three decimals, in thousandths.
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
