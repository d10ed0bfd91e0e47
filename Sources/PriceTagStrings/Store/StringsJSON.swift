import PriceTag
import PriceTagText

extension UILanguage {
  /// The language as JSON: its tag, its name in the language itself, and its direction.
  package var json: String {
    jsonObject([
      ("language", PriceTagText.json(identifier)), ("name", PriceTagText.json(name(of: self))),
      ("direction", PriceTagText.json(direction.rawValue)),
    ])
  }
}

extension Message {
  /// Returns the message as JSON: its key, language, text, and argument names.
  package func json(key: String) -> String {
    jsonObject([
      ("key", PriceTagText.json(key)), ("language", PriceTagText.json(language.identifier)),
      ("message", PriceTagText.json(text)), ("arguments", jsonArray(argumentNames.map(PriceTagText.json))),
    ])
  }
}
