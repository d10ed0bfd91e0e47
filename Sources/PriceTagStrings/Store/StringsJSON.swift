import PriceTag
import PriceTagText

extension UILanguage {
  /// The language as JSON: its tag, its own name for itself, and its direction.
  package var json: String {
    jsonObject([
      ("language", PriceTagText.json(identifier)), ("name", PriceTagText.json(name(of: self))),
      ("direction", PriceTagText.json(direction.rawValue)),
    ])
  }
}

extension Message {
  /// The message as JSON: its key, the language that it is in, its text, and the names of its arguments.
  package func json(key: String) -> String {
    jsonObject([
      ("key", PriceTagText.json(key)), ("language", PriceTagText.json(language.identifier)),
      ("message", PriceTagText.json(text)), ("arguments", jsonArray(argumentNames.map(PriceTagText.json))),
    ])
  }
}
