import PriceTag
import PriceTagStrings
import PriceTagText

/// Writes prices as HTML: the formatted price for the eye and the spoken form for screen readers, in an element with the
/// price's own language and direction. The element of the eye's form has the exact amount, which `pricetag check --displayed` reads.
enum PriceMarkup {
  /// `<bdi class="price" lang="ja-JP" dir="ltr"><span aria-hidden="true" data-amount="160">￥160</span><span class="spoken">160円</span></bdi>`
  static func html(_ price: FormattedPrice) -> String {
    element(price, spokenElement(price))
  }

  /// Returns a price per unit, without its amount: the text has more than the price.
  static func perUnit(_ price: FormattedPrice) -> String {
    element(price, spokenElement(price), hasAmount: false)
  }

  /// Returns only the visible price; the caller adds the spoken form.
  static func visible(_ price: FormattedPrice) -> String { element(price, "") }

  /// Returns a message that screen readers do not read, with its visible prices.
  static func visible(_ message: FormattedMessage) -> String {
    "<span aria-hidden=\"true\">\(message.html(price: visible))</span>"
  }

  /// Returns only the spoken form.
  static func spoken(_ price: FormattedPrice) -> String {
    "<span lang=\"\(price.locale)\">\(escapedForHTML(price.spoken))</span>"
  }

  /// Returns a message that only screen readers read.
  static func spoken(_ message: FormattedMessage) -> String {
    "<span class=\"spoken\">\(message.html(price: spoken))</span>"
  }

  /// Returns a message with its prices.
  static func html(_ message: FormattedMessage) -> String { message.html(price: html) }

  private static func spokenElement(_ price: FormattedPrice) -> String {
    "<span class=\"spoken\">\(escapedForHTML(price.spoken))</span>"
  }

  private static func element(_ price: FormattedPrice, _ spoken: String, hasAmount: Bool = true) -> String {
    """
    <bdi class="price" lang="\(price.locale)" dir="\(price.direction.rawValue)">\
    <span aria-hidden="true"\(hasAmount ? mark(price) : "")>\(price.markup)</span>\(spoken)</bdi>
    """
  }

  /// Returns the attributes with the amount of a price, and with its currency if that is not the store's own money. A price with a
  /// qualifier and a range do not show one exact amount.
  private static func mark(_ price: FormattedPrice) -> String {
    guard price.upperAmount == nil, price.formatter.style.qualifier == .none else { return "" }
    let currency =
      price.currency.kind == .custom ? " data-currency=\"\(escapedForHTML(price.currency.code))\"" : ""
    return " data-amount=\"\(price.displayedAmount)\"\(currency)"
  }
}
