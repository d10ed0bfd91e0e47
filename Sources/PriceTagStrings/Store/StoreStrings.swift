import PriceTag
import PriceTagLocaleData
import PriceTagText

/// The built-in strings of a store, such as button labels and offer texts, in 50 languages.
///
///     let strings = StoreStrings.embedded
///     let price = try PriceFormatter(storefront: Storefront("USA")).format("4.99")
///     try strings.format("buy_for_price", in: UILanguage("ar"), ["price": .price(price)]).isolated
///
/// `LocaleData/strings/` contains the messages and their comments for translators, one file per language. A message
/// that a language lacks is taken from the language that represents its CLDR parent locale, or else from the
/// development language: for `fr-CA` from `fr-FR`, then from `en-US`. The `language` of the returned message is the
/// language it was taken from.
public struct StoreStrings: Sendable {
  /// The strings embedded in the binary.
  public static let embedded = StoreStrings()

  /// The available languages, sorted by tag.
  public let languages: [UILanguage]
  /// The matcher for the available languages.
  public let matcher: LanguageMatcher

  /// The messages of the shop's own; `nil` if there are none.
  public var own: ShopStrings? { ownStrings.first }

  /// None or one, in an array because it contains strings itself.
  private var ownStrings: [ShopStrings] = []

  private let files: [String: StoreLanguage]

  private init() {
    var files: [String: StoreLanguage] = [:]
    var index = 0
    while let name = pricetag_locale_data_name(index) {
      index += 1
      guard let language = try? StoreLanguage(embedded: String(cString: name)) else { continue }
      files[language.language.identifier] = language
    }
    self.init(files: files)
  }

  private init(files: [String: StoreLanguage]) {
    self.files = files
    languages = files.values.map(\.language).sorted { $0.identifier < $1.identifier }
    matcher = LanguageMatcher(languages)
  }

  /// Creates strings of some languages only.
  init(files: [StoreLanguage]) {
    self.init(files: Dictionary(files.map { ($0.language.identifier, $0) }) { $1 })
  }

  /// Returns these strings together with messages of the shop's own, which pages can use.
  public func adding(_ own: ShopStrings) -> StoreStrings {
    var strings = self
    strings.ownStrings = [own]
    return strings
  }

  /// Loads the strings of a locale data folder.
  ///
  /// Each file `strings/<language>.json` replaces the complete embedded file of the same name, or adds a language. All
  /// other languages are the embedded ones.
  ///
  /// All messages of the folder are read immediately, and must have the same arguments as in the development language.
  /// The keys in the folder's `en-US.json`, if it exists, are the only keys available in any language.
  ///
  /// - Throws: `.invalidLocaleData` and the errors of ``Message/init(_:language:key:)``, with folder, file and key.
  public init(folder path: String) throws(StringsError) {
    var files = Self.embedded.files
    var loaded: [StoreLanguage] = []
    do throws(PriceTagError) {
      let folder = try LocaleDataFolder(path)
      if let (folder, names) = try folder.stringFiles() {
        for name in names.sorted() {
          let language = try Self.language(ofFile: name)
          let bytes = try folder.bytes(of: name) ?? []
          let file = StoreLanguage(
            language,
            place: "\(path)/\(LocaleDataFolder.strings)/\(name)"
          ) { bytes }
          files[language.identifier] = file
          loaded.append(file)
        }
      }
    } catch {
      throw StringsError(.invalidLocaleData, error).at(printable(path))
    }
    self.init(files: files)
    let development = try messages(of: .development)
    for file in loaded { try file.check(against: development) }
  }

  private static func language(ofFile name: String) throws(PriceTagError) -> UILanguage {
    let tag = String(name.dropLast(name.hasSuffix(".json") ? 5 : 0))
    if let language = try? UILanguage(tag), name == "\(language).json" { return language }
    throw PriceTagError(
      .invalidLocaleData,
      "\(quoted(name)) is not named after a language",
      fix: "rename it to a canonical BCP 47 tag, such as fr-CA.json",
      place: LocaleDataFolder.strings
    )
  }

  // MARK: Messages

  /// The keys of the messages, in the order of the development language's file; empty if the embedded data is damaged.
  public var keys: [String] { (try? messages(of: .development).keys) ?? [] }

  /// Returns a message in a language, or in the closest available language that has it.
  ///
  /// - Parameters:
  ///   - key: The message's key, such as `buy_for_price`.
  ///   - language: The requested language; `es-AR` finds `es-MX`. For a pseudo-locale, the message is generated from
  ///     the development language's.
  /// - Returns: The message. Its `language` is the language it was taken from.
  /// - Throws: `.unknownKey`, or `.unknownLanguage` if no available language is close to the requested one. To get a
  ///   fallback instead, find a language with ``matcher`` first.
  public func message(_ key: String, in language: UILanguage) throws(StringsError) -> Message {
    if language.isPseudo {
      let original = try messages(of: .development)[key]
      guard let original else { throw unknown(key) }
      return try Pseudolocale(language).message(original, key: key)
    }
    let closest = try closestLanguage(to: language)
    if let message = try messages(of: closest)[key] { return message }
    // No language has a key that the development language lacks.
    guard try messages(of: .development)[key] != nil else { throw unknown(key) }
    for candidate in matcher.fallbacks(of: closest) {
      if let message = try messages(of: candidate)[key] { return message }
    }
    throw unknown(key)
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

  /// Returns the language itself if it is available, or else the closest available language.
  ///
  /// - Throws: `.unknownLanguage` if no available language is close.
  public func closestLanguage(to language: UILanguage) throws(StringsError) -> UILanguage {
    if let closest = closestLanguageIfAny(to: language) { return closest }
    throw StringsError(
      .unknownLanguage,
      "no strings are available in \(quoted(language.identifier))",
      fix: "use one of \(languages.map(\.identifier).joined(separator: ", "))"
    )
  }

  /// Returns the language itself if it is available, or else the closest available language; `nil` if none is close.
  package func closestLanguageIfAny(to language: UILanguage) -> UILanguage? {
    if files[language.identifier] != nil { return language }
    let match = matcher.match(language.identifier)
    return match.reason == .fallback ? nil : match.language
  }

  /// A digest of the texts of all files, and of the messages of the shop's own.
  package var digest: String {
    var digest = ContentDigest()
    for language in languages {
      digest.add(language.identifier)
      if let file = files[language.identifier] { digest.add(file.bytes) } else { digest.addNull() }
    }
    digest.add(own?.digest)
    return digest.text
  }

  func messages(of language: UILanguage) throws(StringsError) -> StoreLanguage.Messages {
    guard let file = files[language.identifier] else { return StoreLanguage.Messages() }
    return try file.messages()
  }

  private func unknown(_ key: String) -> StringsError {
    StringsError(
      .unknownKey,
      "unknown message key \(quoted(key))",
      fix: didYouMean(
        closestMatch(to: key, among: keys),
        otherwise: "list the keys with: pricetag strings list"
      )
    )
  }
}
