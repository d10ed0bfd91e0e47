import CICU
import PriceTagText

/// English names with their codes, which are found by a complete name, its start, or a misspelling.
///
///     EnglishNames([("Germany", "DEU")], minimumPrefix: 3).code(of: "germ")   // "DEU"
struct EnglishNames: Sendable {
  private let codeByName: [String: String]
  /// The names in byte order, for the search by the start of a name.
  private let sorted: [(name: String, code: String)]
  private let index: SpellingIndex
  private let minimumPrefix: Int

  /// The minimum length of a name that is corrected. Shorter names are too close to each other.
  private static let minimumCorrectedCount = 5

  /// Creates an index of names.
  ///
  /// - Parameters:
  ///   - names: The names with their codes. If a name occurs again, its first code is used.
  ///   - minimumPrefix: The minimum number of letters of an abbreviated name.
  init(_ names: some Sequence<(name: String, code: String)>, minimumPrefix: Int) {
    codeByName = Dictionary(names.compactMap { name, code in Self.key(name).map { ($0, code) } }) {
      first,
      _ in first
    }
    sorted = codeByName.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    index = SpellingIndex(sorted.map(\.name))
    self.minimumPrefix = minimumPrefix
  }

  /// Returns the code of a name, of the only name with this start, or of the closest match.
  ///
  /// If two names have this start, the result has both codes: `CHL or CHN`.
  func code(of text: String) -> String? {
    guard let key = Self.key(text) else { return nil }
    if let code = codeByName[key] ?? (key.hasSuffix("s") ? codeByName[String(key.dropLast())] : nil) {
      return code
    }
    guard key.utf8.count >= minimumPrefix else { return nil }
    if let code = code(startingWith: key) { return code }
    guard key.utf8.count >= Self.minimumCorrectedCount, let spelling = Spelling(key) else { return nil }
    return index.closest(to: spelling, limit: 2).map { sorted[$0].code }
  }

  private func code(startingWith prefix: String) -> String? {
    var codes: [String] = []
    for (name, code) in sorted[sorted.partitioningIndex(where: { $0.name >= prefix })...] {
      guard name.hasPrefix(prefix), codes.count < 3 else { break }
      if !codes.contains(code) { codes.append(code) }
    }
    return codes.count < 3 && !codes.isEmpty ? codes.joined(separator: " or ") : nil
  }

  /// Returns a name without case, accents, spaces and punctuation: `cotedivoire` for `Côte d’Ivoire`.
  ///
  /// Returns `nil` for a name without letters, and for one that is too long.
  private static func key(_ name: String) -> String? {
    var key: [UInt8] = []
    var count = 0
    for scalar in name.unicodeScalars {
      count += 1
      guard count <= Spelling.maximumCount else { return nil }
      switch scalar {
      case "a"..."z", "0"..."9": key.append(UInt8(truncatingIfNeeded: scalar.value))
      case "A"..."Z": key.append(UInt8(truncatingIfNeeded: scalar.value) | 0x20)
      case "&": key += "and".utf8
      case "À"..."ÿ": key.append(Self.withoutAccent(scalar))
      case " ", "-", "’", "'", ".", ",", "(", ")", "_": continue
      default: return nil
      }
    }
    let article = Array("the".utf8)
    if key.count > 6, key.starts(with: article) { key.removeFirst(article.count) }
    return key.isEmpty ? nil : String(decoding: key, as: UTF8.self)
  }

  /// Returns a letter of Latin-1 without its accent.
  private static func withoutAccent(_ scalar: Unicode.Scalar) -> UInt8 {
    switch scalar {
    case "À"..."Æ", "à"..."æ": UInt8(ascii: "a")
    case "Ç", "ç": UInt8(ascii: "c")
    case "È"..."Ë", "è"..."ë": UInt8(ascii: "e")
    case "Ì"..."Ï", "ì"..."ï": UInt8(ascii: "i")
    case "Ñ", "ñ": UInt8(ascii: "n")
    case "Ò"..."Ø", "ò"..."ø": UInt8(ascii: "o")
    case "Ù"..."Ü", "ù"..."ü": UInt8(ascii: "u")
    case "Ý", "ý", "ÿ": UInt8(ascii: "y")
    default: UInt8(ascii: "s")
    }
  }
}
