import PriceTag
import PriceTagText

/// The rule that no text of a catalog has the character U+0000: C strings end at it, so SQLite would store less than
/// the file says.
enum NULCharacter {
  /// - Throws: `.invalidField`.
  static func reject(in text: String, _ field: String) throws(CatalogError) {
    guard text.utf8.contains(0) else { return }
    throw CatalogError(
      .invalidField,
      "\(quoted(text)) has a NUL character (U+0000)",
      fix: "remove it",
      place: field
    )
  }
}

extension ImportedItem {
  /// Rejects an item with a NUL in any text that is stored, whichever importer read it.
  ///
  /// - Throws: `.invalidField`, with the field as the place.
  package func rejectNUL() throws(CatalogError) {
    switch self {
    case .product(let product): try product.rejectNUL()
    case .tier(let tier): try NULCharacter.reject(in: tier.name, "the tier's name")
    case .group(let group):
      try NULCharacter.reject(in: group.identifier, "the identifier")
      for (language, name) in group.names {
        try NULCharacter.reject(in: language, "the language")
        try NULCharacter.reject(in: name, "the name in \(language)")
      }
    }
  }
}

extension CatalogProduct {
  fileprivate func rejectNUL() throws(CatalogError) {
    try NULCharacter.reject(in: identifier, "the identifier")
    let texts = [
      (referenceName, "the reference name"), (category, "the category"),
      (subscriptionGroup, "the subscription group"), (image, "the image"),
    ]
    for (text, field) in texts {
      if let text { try NULCharacter.reject(in: text, field) }
    }
    for (language, text) in localizations {
      try NULCharacter.reject(in: language, "the language")
      if let name = text.name { try NULCharacter.reject(in: name, "the name in \(language)") }
      if let description = text.description {
        try NULCharacter.reject(in: description, "the description in \(language)")
      }
    }
    for tier in tiers ?? [] { try NULCharacter.reject(in: tier.tier, "the tier") }
    for offer in offers ?? [] {
      if let identifier = offer.identifier {
        try NULCharacter.reject(in: identifier, "the offer's identifier")
      }
      for tier in offer.tiers { try NULCharacter.reject(in: tier.tier, "the offer's tier") }
    }
  }
}
