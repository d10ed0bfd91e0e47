import PriceTag
import PriceTagSystem
import PriceTagText

/// Messages of a shop's own, for its pages: one FormatJS file of ICU messages per language.
///
///     let own = try ShopStrings(folder: "strings")   // en-US.json, de.json
///     let strings = StoreStrings.embedded.adding(own)
///     try own.format("shipping", in: UILanguage("de"), ["price": .price(price)]).plain   // "Versand ab 4,99 €"
///
/// `en-US.json` is required, and has all keys. A message that a language lacks is taken as the store's own are: from the
/// closest language of the folder, from the language that represents its CLDR parent locale, or else from `en-US`.
public struct ShopStrings: Sendable {
  private let strings: StoreStrings

  /// The maximum size of a file.
  private static let maximumByteCount = 1 << 20

  /// Reads the messages of a folder. Its files are named by language: `en-US.json`, `fr-CA.json`. Hidden files are ignored.
  ///
  /// - Throws: `.invalidLocaleData`, `.malformedFile` and the errors of ``Message/init(_:language:key:)``, with folder, file
  ///   and key: a file with another name, a key that is no name for templates, a key that `en-US.json` lacks, or other
  ///   arguments than there.
  public init(folder path: String) throws(StringsError) {
    do throws(StringsError) { try self.init(Self.files(path)) } catch { throw error.at(printable(path)) }
  }

  /// Creates messages from the texts of files, by name.
  ///
  ///     try ShopStrings(["en-US.json": #"{"shipping": "Ships from {price}"}"#])
  ///
  /// - Throws: The errors of ``init(folder:)``.
  public init(_ texts: [String: String]) throws(StringsError) {
    try self.init(texts.mapValues { Array($0.utf8) })
  }

  private init(_ files: [String: [UInt8]]) throws(StringsError) {
    var languages: [StoreLanguage] = []
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      languages.append(StoreLanguage(try Self.language(ofFile: name), place: name) { bytes })
    }
    strings = StoreStrings(files: languages)
    guard strings.languages.contains(.development) else {
      throw StringsError(
        .invalidLocaleData,
        "the file \(UILanguage.development).json is missing, from which all other languages take messages that they lack",
        fix: "add it, with all keys"
      )
    }
    let development = try strings.messages(of: .development)
    for key in development.keys where !Self.isName(key) {
      throw StringsError(
        .invalidLocaleData,
        "the key \(quoted(key)) is no name for templates",
        fix: "use letters, digits, _ and - only",
        place: "\(UILanguage.development).json"
      )
    }
    for language in languages { try language.check(against: development) }
  }

  private static func files(_ path: String) throws(StringsError) -> [String: [UInt8]] {
    guard let names = entryNames(ofFolder: path) else {
      throw StringsError(.invalidLocaleData, "cannot read the folder", fix: "check the path")
    }
    var files: [String: [UInt8]] = [:]
    for name in names.sorted() where !name.hasPrefix(".") {
      _ = try language(ofFile: name)
      do throws(RegularFile.Failure) {
        files[name] = try RegularFile.bytes(of: "\(path)/\(name)", limit: maximumByteCount)
      } catch {
        throw StringsError(
          .invalidLocaleData,
          "cannot read the file: \(error.reason)",
          fix: "replace it with a readable file of at most \(maximumByteCount >> 20) MB",
          place: printable(name)
        )
      }
    }
    return files
  }

  private static func language(ofFile name: String) throws(StringsError) -> UILanguage {
    let tag = String(name.dropLast(name.hasSuffix(".json") ? 5 : 0))
    if let language = try? UILanguage(tag), name == "\(language).json" { return language }
    throw StringsError(
      .invalidLocaleData,
      "\(quoted(name)) is not named after a language",
      fix: "rename it to a canonical BCP 47 tag, such as fr-CA.json, or remove it"
    )
  }

  private static func isName(_ key: String) -> Bool {
    !key.isEmpty
      && key.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }

  /// A digest of the texts of all files.
  var digest: String { strings.digest }

  /// The languages of the folder, sorted by tag.
  public var languages: [UILanguage] { strings.languages }

  /// The keys of the messages, in the order of `en-US.json`.
  public var keys: [String] { strings.keys }

  /// Returns a message in a language, or in the closest language of the folder that has it, at last in `en-US`.
  ///
  /// - Returns: The message. Its `language` is the language it was taken from.
  /// - Throws: `.unknownKey`.
  public func message(_ key: String, in language: UILanguage) throws(StringsError) -> Message {
    if language.isPseudo { return try strings.message(key, in: language) }
    let closest = strings.matcher.match(language.identifier)
    return try strings.message(key, in: closest.reason == .fallback ? .development : closest.language)
  }

  /// Returns a message in a language, formatted with arguments.
  ///
  /// - Throws: The same errors as ``message(_:in:)`` and ``Message/format(_:)``.
  public func format(
    _ key: String,
    in language: UILanguage,
    _ arguments: MessageArguments = [:]
  ) throws(StringsError) -> FormattedMessage {
    try message(key, in: language).format(arguments)
  }
}
