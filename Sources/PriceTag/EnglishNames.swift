import CICU

/// English names, and the code that each stands for.
///
///     EnglishNames([("Germany", "DEU")], minimumPrefix: 3).code(of: "germ")   // "DEU"
struct EnglishNames: Sendable {
  private let codeByName: [String: String]
  /// In the order of their bytes, so that a name is found by its start.
  private let sorted: [(name: String, code: String)]
  private let index: SpellingIndex
  private let minimumPrefix: Int

  /// Shorter words are too close to each other.
  private static let fewestLettersMisspelled = 5

  /// - Parameters:
  ///   - names: The names, each with its code; of several codes for a name the first counts.
  ///   - minimumPrefix: How many letters of a name are enough to mean it.
  init(_ names: some Sequence<(name: String, code: String)>, minimumPrefix: Int) {
    codeByName = Dictionary(names.compactMap { name, code in Self.key(name).map { ($0, code) } }) {
      first,
      _ in first
    }
    sorted = codeByName.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    index = SpellingIndex(sorted.map(\.name))
    self.minimumPrefix = minimumPrefix
  }

  /// The code of a name, of the only name that starts so, or of the one that is spelled nearly so; both codes where two
  /// names start so (`CHL or CHN`).
  func code(of text: String) -> String? {
    guard let key = Self.key(text) else { return nil }
    if let code = codeByName[key] ?? (key.hasSuffix("s") ? codeByName[String(key.dropLast())] : nil) {
      return code
    }
    guard key.utf8.count >= minimumPrefix else { return nil }
    if let code = code(startingWith: key) { return code }
    guard key.utf8.count >= Self.fewestLettersMisspelled, let spelling = Spelling(key) else { return nil }
    return index.closest(to: spelling, limit: 2).map { sorted[$0].code }
  }

  private func code(startingWith prefix: String) -> String? {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].name < prefix { low = middle + 1 } else { high = middle }
    }
    var codes: [String] = []
    while low < sorted.count, sorted[low].name.hasPrefix(prefix), codes.count < 3 {
      if !codes.contains(sorted[low].code) { codes.append(sorted[low].code) }
      low += 1
    }
    return codes.count < 3 && !codes.isEmpty ? codes.joined(separator: " or ") : nil
  }

  /// A name without case, accents, spaces and punctuation: `Côte d’Ivoire` is `cotedivoire`. `nil` for one without a
  /// letter, and for one that is too long.
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

  /// The letter of Latin-1 without its accent.
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
