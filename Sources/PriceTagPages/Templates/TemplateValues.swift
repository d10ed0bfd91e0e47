import PriceTag
import PriceTagStrings
import PriceTagText

/// The values of a template by name, already escaped as HTML.
///
/// A missing value is not looked up in the enclosing section: a product without a description does not get the page's.
final class TemplateValues {
  private var values: [String: TemplateValue]

  /// All names that a template can use.
  static let names: Set<String> = [
    // Every page.
    "lang", "dir", "title", "description", "root", "css", "script", "canonical", "alternates", "openGraph",
    "jsonLD", "breadcrumbs",
    "isHidden", "themeColors", "shopName", "logo", "homeHref", "words", "languages", "hasLanguages",
    "hreflang", "href",
    "property", "content", "media", "color", "name", "isCurrent",
    // Store pages.
    "storefront", "id", "chooseStoreHref", "notice", "reason", "isEmpty", "productCount", "pricesNote",
    "categories",
    "kind", "products", "comparisons", "plans", "hasSavings", "hasMonthly",
    // A product.
    "text", "image", "initial", "price", "was", "buy", "buyHref", "offers", "label", "otherLanguage",
    "unitPrice", "taxLabel",
    "isSubscription",
    "renews", "storefrontId", "language", "duration", "monthly", "saving", "isBest",
    // Product pages, entry pages, and "everywhere" pages.
    "product", "storeHref", "comparison", "category", "storefronts", "currency", "currencyName", "rows",
    "isAvailable",
    "amount", "display",
    // The generated picture of a product without one, and whether a card is the first and largest one of a store.
    "pattern", "isHero",
    // Pages to choose a store.
    "regions", "territory", "ownName", "productsHref", "chooseScript", "translations", "requestedStore",
    // A reduced price.
    "reduction", "badge", "lowestPrice", "until", "increase", "audience",
    // Messages of the shop's own, conditions, the footer, and raw amounts and codes.
    "own", "inEU", "inEEA", "legal", "taxNote", "priceLocale", "period", "kindCode", "paymentMode",
    "periodCount",
    "percent", "lastDay",
    // The pictures and the related products of a product page.
    "picture", "pictures", "gallery", "src", "srcset", "alt", "width", "height", "isFirst", "related",
    // The choice of a period in a comparison.
    "periods", "hasPeriods", "isSelected",
    // The date of the prices.
    "priceDate",
    // The offer of the store of the shopper's region.
    "likelyStore", "isShown", "chooseHref", "productHref",
    // The field for the quantity.
    "quantity", "quantityScript", "pack", "options", "maximum", "checkout",
    // The lists of a store with many products.
    "searchScript", "previousHref", "nextHref", "isPaged", "seeAllHref", "lists", "list", "pageNumber",
    "pages",
    "number", "isGap", "hasPages", "search", "index", "parts", "counts",
    // Icons and link previews.
    "icons", "tab", "isVector", "touch", "manifest", "twitterCard",
  ]

  init(_ values: [String: Any?]) {
    self.values = values.mapValues { TemplateValue($0) }
  }

  /// Returns a value, or `nil` once the page has exceeded its budget, so that rendering ends soon.
  func value(named name: String) -> TemplateValue? {
    let value = values[name]
    guard let budget = WorkBudget.current else { return value }
    let length = if case .text(let text)? = value { text.utf8.count } else { 0 }
    do throws(WorkBudget.Excess) { try budget.add(byteCount: length + Self.markupByteCount) } catch {
      return nil
    }
    return value
  }

  /// The approximate number of bytes that a template writes around each value.
  private static let markupByteCount = 16

  subscript(name: String) -> Any? {
    get { values[name] }
    set { values[name] = TemplateValue(newValue) }
  }
}

/// The messages of a language that take no arguments, by key.
final class TemplateWords: Sendable {
  private let words: [String: String]

  init(_ words: [String: String]) {
    self.words = words.mapValues { pageText($0) }
  }

  func word(_ key: String) -> String? { words[key] }
}

/// Returns a text escaped for HTML text and attributes, without characters that HTML does not allow.
func pageText(_ text: String) -> String {
  escapedForHTML(withoutControls(text))
}

/// Returns a text for a title or an attribute, with balanced bidi controls because no element isolates it there.
func attributeText(_ text: String) -> String { pageText(balancedBidi(text)) }

/// Returns a part of a title, isolated if it contains bidi controls, so that it cannot reorder the other parts.
func titlePart(_ text: String) -> String {
  let hasBidiControls = text.unicodeScalars.contains {
    (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
  }
  return hasBidiControls ? "\u{2068}\(balancedBidi(text))\u{2069}" : text
}

/// Returns an identifier as a URL fragment: every byte other than an ASCII letter, a digit, `_`, and `.` becomes `~` and
/// two hexadecimal digits, so that distinct identifiers have distinct fragments.
func fragment(of identifier: String) -> String {
  var fragment = ""
  for byte in identifier.utf8 {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "."):
      fragment.unicodeScalars.append(Unicode.Scalar(byte))
    default: fragment += "~" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
  return fragment
}

/// Replaces control characters that HTML does not allow with U+FFFD REPLACEMENT CHARACTER. Line feeds and tabs remain.
private func withoutControls(_ text: String) -> String {
  func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF: true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }
  let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  guard !isPlain, text.unicodeScalars.contains(where: isForbidden) else { return text }
  var clean = ""
  for scalar in text.unicodeScalars { clean.unicodeScalars.append(isForbidden(scalar) ? "\u{FFFD}" : scalar) }
  return clean
}
