import PriceTag
import PriceTagLocaleData
import PriceTagText
import Synchronization

/// The messages of one language, read from its file by whoever asks first.
final class StoreLanguage: Sendable {
  /// The messages by key, in the order of the file.
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
  /// The file, for errors.
  private let place: String
  private let read: @Sendable () -> [UInt8]
  private let made = AtomicLazyReference<Made>()

  private final class Made: Sendable {
    let messages: Result<Messages, StringsError>
    init(_ messages: Result<Messages, StringsError>) { self.messages = messages }
  }

  init(_ language: UILanguage, place: String, read: @escaping @Sendable () -> [UInt8]) {
    self.language = language
    self.place = place
    self.read = read
  }

  /// An embedded file by its name, such as `strings/fr-CA.json`; `nil` for one of another folder.
  convenience init?(embedded name: String) throws(StringsError) {
    let prefix = LocaleDataFolder.strings + "/"
    guard name.hasPrefix(prefix), name.hasSuffix(".json") else { return nil }
    self.init(try UILanguage(String(name.dropFirst(prefix.count).dropLast(5))), place: name) {
      var count = 0
      let bytes = pricetag_locale_data(name, &count)
      return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
  }

  /// The messages.
  ///
  /// - Throws: `.malformedFile` and what a message throws, naming the file.
  func messages() throws(StringsError) -> Messages {
    if let made = made.load() { return try made.messages.get() }
    let messages: Result<Messages, StringsError>
    do throws(StringsError) {
      messages = .success(try load())
    } catch {
      messages = .failure(error.at(printable(place)))
    }
    return try made.storeIfNil(Made(messages)).messages.get()
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

  /// Holds the messages against those of the development language: no other keys, and the same arguments.
  func check(against development: Messages) throws(StringsError) {
    let messages = try messages()
    for key in messages.keys {
      guard let message = messages[key], let original = development[key] else {
        throw invalid(
          "there is no message \(quoted(key)) in \(UILanguage.development)",
          fix: "remove it, or add it there" + didYouMean(key, among: development.keys)
        )
      }
      let (names, wanted) = (Set(message.argumentNames), Set(original.argumentNames))
      if let missing = wanted.subtracting(names).min() {
        throw invalid(
          "the message \(quoted(key)) lacks the argument \(quoted(missing))",
          fix: "write {\(missing)} where it belongs"
        )
      }
      if let extra = names.subtracting(wanted).min() {
        throw invalid(
          "the message \(quoted(key)) has an argument \(quoted(extra)) that \(UILanguage.development) has not",
          fix: "remove it" + didYouMean(extra, among: wanted)
        )
      }
    }
  }

  private func invalid(_ problem: String, fix: String) -> StringsError {
    StringsError(.invalidLocaleData, problem, fix: fix, place: printable(place))
  }
}
