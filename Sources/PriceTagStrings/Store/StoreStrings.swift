import PriceTag
import PriceTagLocaleData
import PriceTagText

/// The store's own strings: what stands around prices, in the reader's language.
///
///     let strings = StoreStrings.embedded
///     let price = try PriceFormatter(storefront: Storefront("USA")).format("4.99")
///     try strings.format("buy_for_price", in: UILanguage("ar"), ["price": .price(price)]).isolated
///
/// The messages and their notes for translators are in `LocaleData/strings/`, a file a language. A message that a
/// language lacks comes from the language that stands for its CLDR parent, and at last from the development language:
/// `fr-CA` from `fr-FR`, then from `en-US`. The answer's `language` says which it was.
public struct StoreStrings: Sendable {
  /// What the binary carries: 50 languages.
  public static let embedded = StoreStrings()

  /// The languages that there are files of, in the order of their tags.
  public let languages: [UILanguage]
  /// Finds the language for a reader.
  public let matcher: LanguageMatcher

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

  /// The strings of a locale data folder: its `strings/<language>.json` replace the embedded files of the same name,
  /// whole, and may add languages. A folder without `strings/` has the embedded ones.
  ///
  /// Every message of the folder is read at once, and its arguments are held against the development language's. A
  /// folder's `en-US.json` may have keys of its own; what it leaves out, no language has.
  ///
  /// - Throws: `.invalidLocaleData` and what a message throws, naming folder, file and key.
  public init(folder path: String) throws(StringsError) {
    var files = Self.embedded.files
    var own: [StoreLanguage] = []
    do throws(PriceTagError) {
      let folder = try LocaleDataFolder(path)
      if let (folder, names) = try folder.stringFiles() {
        for name in names.sorted() {
          let language = try Self.language(ofFile: name)
          let bytes = try folder.bytes(of: name).map { Array($0) } ?? []
          let file = StoreLanguage(
            language,
            place: "\(path)/\(LocaleDataFolder.strings)/\(name)"
          ) { bytes }
          files[language.identifier] = file
          own.append(file)
        }
      }
    } catch {
      throw StringsError(.invalidLocaleData, error).at(printable(path))
    }
    self.init(files: files)
    let development = try messages(of: .development)
    for file in own { try file.check(against: development) }
  }

  private static func language(ofFile name: String) throws(PriceTagError) -> UILanguage {
    let tag = String(name.dropLast(name.hasSuffix(".json") ? 5 : 0))
    if let language = try? UILanguage(tag), name == "\(language).json" { return language }
    throw PriceTagError(
      .invalidLocaleData,
      "\(quoted(name)) is no file of a language",
      fix: "name it by a canonical BCP 47 tag, such as fr-CA.json",
      place: LocaleDataFolder.strings
    )
  }

  // MARK: Messages

  /// The keys of the messages, in the order of the development language's file. Empty where the embedded data is
  /// damaged.
  public var keys: [String] { (try? messages(of: .development).keys) ?? [] }

  /// A message in a language, or in the nearest one that has it.
  ///
  /// - Parameters:
  ///   - key: Its key, such as `buy_for_price`.
  ///   - language: The language that is wanted; `es-AR` finds `es-MX`. The pseudo-locales are made of the
  ///     development language's messages.
  /// - Returns: The message; its `language` says where it comes from.
  /// - Throws: `.unknownKey`; `.unknownLanguage` for a language that nothing is near to: use `matcher` to find one
  ///   for a reader.
  public func message(_ key: String, in language: UILanguage) throws(StringsError) -> Message {
    if language.isPseudo {
      let original = try messages(of: .development)[key]
      guard let original else { throw unknown(key) }
      return try Pseudolocale(language).message(original, key: key)
    }
    let nearest = try self.nearest(language)
    if let message = try messages(of: nearest)[key] { return message }
    // No language has a key that the development language lacks.
    guard try messages(of: .development)[key] != nil else { throw unknown(key) }
    for candidate in matcher.fallbacks(of: nearest) {
      if let message = try messages(of: candidate)[key] { return message }
    }
    throw unknown(key)
  }

  /// A message in a language with its arguments in place.
  ///
  /// - Throws: as `message(_:in:)` and `Message.format(_:)`.
  public func format(
    _ key: String,
    in language: UILanguage,
    _ arguments: MessageArguments = [:]
  ) throws(StringsError) -> FormattedMessage {
    try message(key, in: language).format(arguments)
  }

  /// The language of the list that answers for one: itself, or the nearest.
  ///
  /// - Throws: `.unknownLanguage` where nothing is near.
  public func nearest(_ language: UILanguage) throws(StringsError) -> UILanguage {
    if files[language.identifier] != nil { return language }
    let match = matcher.match(language.identifier)
    guard match.reason == .fallback else { return match.language }
    throw StringsError(
      .unknownLanguage,
      "there are no strings in \(language)",
      fix: "give one of \(languages.map(\.identifier).joined(separator: ", "))"
    )
  }

  private func messages(of language: UILanguage) throws(StringsError) -> StoreLanguage.Messages {
    guard let file = files[language.identifier] else { return StoreLanguage.Messages() }
    return try file.messages()
  }

  private func unknown(_ key: String) -> StringsError {
    StringsError(
      .unknownKey,
      "there is no message \(quoted(key))",
      fix: "pricetag strings list names them all" + didYouMean(key, among: keys)
    )
  }
}
