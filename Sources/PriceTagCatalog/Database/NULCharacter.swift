import PriceTag
import PriceTagText

/// Rejects texts with the character U+0000. SQLite would truncate them, because C strings end at NUL.
enum NULCharacter {
  /// Checks a text.
  ///
  /// - Throws: `.invalidField`, with `field` as the place.
  static func reject(in text: String?, _ field: @autoclosure () -> String) throws(CatalogError) {
    guard let text, text.utf8.contains(0) else { return }
    throw CatalogError(
      .invalidField,
      "\(quoted(text)) contains a NUL character (U+0000)",
      fix: "remove it",
      place: field()
    )
  }
}

extension ImportedItem {
  /// Rejects an item of any importer if a text that would be stored contains NUL.
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
    try NULCharacter.reject(in: referenceName, "the reference name")
    try NULCharacter.reject(in: category, "the category")
    try NULCharacter.reject(in: subscriptionGroup, "the subscription group")
    try NULCharacter.reject(in: image, "the image")
    for (language, text) in localizations {
      try NULCharacter.reject(in: language, "the language")
      try NULCharacter.reject(in: text.name, "the name in \(language)")
      try NULCharacter.reject(in: text.description, "the description in \(language)")
    }
    for image in images ?? [] {
      for address in image.addresses { try NULCharacter.reject(in: address, "the image") }
      for (language, text) in image.alternativeTexts {
        try NULCharacter.reject(in: language, "the language")
        try NULCharacter.reject(in: text, "the alternative text in \(language)")
      }
    }
    for identifier in related ?? [] { try NULCharacter.reject(in: identifier, "the related product") }
    for tier in tiers ?? [] { try NULCharacter.reject(in: tier.tier, "the tier") }
    for offer in offers ?? [] {
      try NULCharacter.reject(in: offer.identifier, "the offer's identifier")
      for tier in offer.phases.flatMap(\.tiers) {
        try NULCharacter.reject(in: tier.tier, "the offer's tier")
      }
    }
  }
}
