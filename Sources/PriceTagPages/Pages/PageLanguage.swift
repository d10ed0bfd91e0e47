import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// A language of pages, with its words that never change.
final class PageLanguage: Sendable {
  let language: UILanguage
  /// Its own name in itself.
  let ownName: String
  private let strings: StoreStrings
  private let words: [String: String]

  /// - Throws: `.stringsFailed` where there are no words in the language.
  init(_ language: UILanguage, _ strings: StoreStrings) throws(PagesError) {
    (self.language, self.strings) = (language, strings)
    ownName = language.name(of: language)
    do throws(StringsError) {
      var words: [String: String] = [:]
      for key in strings.keys {
        let message = try strings.message(key, in: language)
        if message.argumentNames.isEmpty { words[key] = try message.format([:]).plain }
      }
      self.words = words
      values = TemplateWords(words)
    } catch { throw PagesError(.stringsFailed, error) }
  }

  /// A word, without arguments; empty for a key that there is not.
  func word(_ key: String) -> String { words[key] ?? "" }

  /// All words, as a template has them.
  let values: TemplateWords

  /// A message.
  ///
  /// - Throws: `.stringsFailed`.
  func format(_ key: String, _ arguments: MessageArguments) throws(PagesError) -> FormattedMessage {
    do throws(StringsError) { return try strings.format(key, in: language, arguments) } catch {
      throw PagesError(.stringsFailed, error)
    }
  }

  /// What StoreKit calls a kind of product, in the language.
  func word(_ kind: ProductKind) -> String {
    switch kind {
    case .consumable: word("kind_consumable")
    case .nonConsumable: word("kind_non_consumable")
    case .autoRenewable: word("kind_auto_renewable")
    case .nonRenewable: word("kind_non_renewing")
    }
  }
}
