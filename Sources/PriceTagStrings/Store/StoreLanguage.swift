import PriceTag
import PriceTagLocaleData
import PriceTagSystem
import PriceTagText
import Synchronization

/// The messages of one language, read from its file on first use.
final class StoreLanguage: Sendable {
  /// Messages by key, in the order of the file.
  struct Messages: Sendable {
    private(set) var keys: [String] = []
    private var byKey: [String: Message] = [:]

    subscript(key: String) -> Message? { byKey[key] }

    mutating func append(_ key: String, _ message: Message) {
      keys.append(key)
      byKey[key] = message
    }
  }

  let language: UILanguage
  /// The file's path, for errors.
  private let place: String
  private let read: @Sendable () -> [UInt8]
  private let loaded = AtomicLazyReference<Loaded>()

  private final class Loaded: Sendable {
    let messages: Result<Messages, StringsError>
    init(_ messages: Result<Messages, StringsError>) { self.messages = messages }
  }

  init(_ language: UILanguage, place: String, read: @escaping @Sendable () -> [UInt8]) {
    self.language = language
    self.place = place
    self.read = read
  }

  /// Creates the messages of an embedded file such as `strings/fr-CA.json`; returns `nil` for other embedded files.
  convenience init?(embedded name: String) throws(StringsError) {
    let prefix = LocaleDataFolder.strings + "/"
    guard name.hasPrefix(prefix), name.hasSuffix(".json") else { return nil }
    self.init(try UILanguage(String(name.dropFirst(prefix.count).dropLast(5))), place: name) {
      var count = 0
      let bytes = pricetag_locale_data(name, &count)
      return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
  }

  /// The bytes of the file.
  var bytes: [UInt8] { read() }

  /// Returns the messages.
  ///
  /// - Throws: `.malformedFile` and the errors of `Message.init`, with the file's path.
  func messages() throws(StringsError) -> Messages {
    if let loaded = loaded.load() { return try loaded.messages.get() }
    let messages: Result<Messages, StringsError>
    do throws(StringsError) {
      messages = .success(try load())
    } catch {
      messages = .failure(error.at(printable(place)))
    }
    return try loaded.storeIfNil(Loaded(messages)).messages.get()
  }

  private func load() throws(StringsError) -> Messages {
    var messages = Messages()
    for entry in try FormatJSMessage.all(in: UTF8File.text(read())) {
      do throws(StringsError) {
        messages.append(entry.key, try Message(entry.text, language: language, key: entry.key))
      } catch {
        throw error.at("line \(entry.line)")
      }
    }
    return messages
  }

  /// Checks that the messages have no keys that the development language lacks, and have the same arguments.
  func check(against development: Messages) throws(StringsError) {
    let messages = try messages()
    for key in messages.keys {
      guard let message = messages[key], let original = development[key] else {
        throw invalid(
          "\(UILanguage.development) has no message \(quoted(key))",
          fix: "remove it, or add it to \(UILanguage.development).json"
            + didYouMean(key, among: development.keys)
        )
      }
      let (names, expected) = (Set(message.argumentNames), Set(original.argumentNames))
      if let missing = expected.subtracting(names).min() {
        throw invalid(
          "the argument \(quoted(missing)) is missing in the message \(quoted(key))",
          fix: "add {\(missing)}"
        )
      }
      if let extra = names.subtracting(expected).min() {
        throw invalid(
          "the message \(quoted(key)) has no argument \(quoted(extra)) in \(UILanguage.development)",
          fix: "remove it" + didYouMean(extra, among: expected)
        )
      }
    }
  }

  private func invalid(_ problem: String, fix: String) -> StringsError {
    StringsError(.invalidLocaleData, problem, fix: fix, place: printable(place))
  }
}
