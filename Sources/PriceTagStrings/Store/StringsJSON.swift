import PriceTag

extension UILanguage {
  /// The language as JSON: its tag, its own name for itself, and its direction.
  package var json: String {
    jsonObject([
      ("language", PriceTag.json(identifier)), ("name", PriceTag.json(name(of: self))),
      ("direction", PriceTag.json(direction.rawValue)),
    ])
  }
}

extension Message {
  /// The message as JSON: its key, the language that it is in, its text, and the names of its arguments.
  package func json(key: String) -> String {
    jsonObject([
      ("key", PriceTag.json(key)), ("language", PriceTag.json(language.identifier)),
      ("message", PriceTag.json(text)), ("arguments", jsonArray(argumentNames.map(PriceTag.json))),
    ])
  }
}
