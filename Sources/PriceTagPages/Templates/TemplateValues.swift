import Foundation
import Mustache
import PriceTag
import PriceTagStrings
import PriceTagText

/// What a template is given: HTML by name, escaped already.
///
/// A name that a thing has no value of is looked up no further: a product without a description does not get the page's.
final class TemplateValues: MustacheParent {
  private var values: [String: Any] = [:]

  /// Every name that a value is given by: a template that asks for another one asks for nothing.
  static let names: Set<String> = [
    // Every page.
    "lang", "dir", "title", "description", "root", "css", "script", "canonical", "alternates", "openGraph",
    "jsonLD",
    "isHidden", "themeColors", "shopName", "logo", "homeHref", "words", "languages", "hasLanguages",
    "hreflang", "href",
    "property", "content", "media", "color", "name", "isCurrent",
    // Store pages.
    "storefront", "id", "chooseStoreHref", "notice", "reason", "isEmpty", "productCount", "pricesNote",
    "categories",
    "groups", "kind", "products", "comparisons", "plans", "hasSavings", "hasMonthly",
    // A product.
    "text", "image", "initial", "price", "was", "buy", "buyHref", "offers", "label", "otherLanguage",
    "isSubscription",
    "renews", "storefrontId", "language", "duration", "monthly", "saving", "isBest",
    // Pages of a product, the entry, and everywhere.
    "product", "storeHref", "comparison", "category", "storefronts", "currency", "currencyName", "rows",
    "isAvailable",
    "amount", "display",
  ]

  init(_ values: [String: Any?]) {
    for (name, value) in values { self.values[name] = value ?? NSNull() }
  }

  /// What a template asks for: nothing more once the page is too long, so that it soon ends.
  func child(named name: String) -> Any? {
    let value = values[name]
    guard let budget = WorkBudget.current else { return value }
    let length = (value as? String)?.utf8.count ?? 0
    do throws(WorkBudget.Excess) { try budget.add(byteCount: length + Self.markupByteCount) } catch {
      return nil
    }
    return value
  }

  /// The bytes that a template writes around each value, about.
  private static let markupByteCount = 16

  subscript(name: String) -> Any? {
    get { values[name] }
    set { values[name] = newValue ?? NSNull() }
  }
}

/// The words of a language, by their keys.
final class TemplateWords: MustacheParent, Sendable {
  private let words: [String: String]

  init(_ words: [String: String]) {
    self.words = words.mapValues { pageText($0) }
  }

  func child(named name: String) -> Any? { words[name] }
}

/// A text as a page's text and attributes have it: escaped, and without what HTML does not allow.
func pageText(_ text: String) -> String {
  escapedForHTML(withoutControls(text))
}

/// A text that stands where no element can isolate it, in a title or an attribute.
func attributeText(_ text: String) -> String { pageText(balancedBidi(text)) }

/// A text beside others in a title, where no element can isolate it: what would reorder the others is kept from it.
func titlePart(_ text: String) -> String {
  let isOrdered = text.unicodeScalars.contains {
    (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
  }
  return isOrdered ? "\u{2068}\(balancedBidi(text))\u{2069}" : text
}

/// What an identifier is called in the address of a place on a page: letters and digits, and any other byte as `~` and
/// two hexadecimal digits, so that two of them are never one.
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

/// Controls, which HTML does not allow, become U+FFFD REPLACEMENT CHARACTER; line ends and tabs stay.
private func withoutControls(_ text: String) -> String {
  func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF: true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }
  // Of what UTF-8 writes with bytes up to 0x7E, only those below a space are controls.
  let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  guard !isPlain, text.unicodeScalars.contains(where: isForbidden) else { return text }
  var clean = ""
  for scalar in text.unicodeScalars { clean.unicodeScalars.append(isForbidden(scalar) ? "\u{FFFD}" : scalar) }
  return clean
}
