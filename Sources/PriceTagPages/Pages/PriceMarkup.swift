import PriceTag
import PriceTagStrings
import PriceTagText

/// Prices as pages write them: for the eye as their store writes them, for the ear with the currency's full name, and
/// both in the price's own language and direction.
enum PriceMarkup {
  /// `<bdi class="price" lang="ja-JP" dir="ltr"><span aria-hidden="true">￥160</span><span class="spoken">160円</span></bdi>`
  static func html(_ price: FormattedPrice) -> String {
    element(price, "<span class=\"spoken\">\(escapedForHTML(price.spoken))</span>")
  }

  /// The price for the eye alone: what is said of it stands beside it.
  static func seen(_ price: FormattedPrice) -> String { element(price, "") }

  /// The price for the ear alone.
  static func spoken(_ price: FormattedPrice) -> String {
    "<span lang=\"\(price.locale)\">\(escapedForHTML(price.spoken))</span>"
  }

  /// A sentence for the ear alone.
  static func spoken(_ message: FormattedMessage) -> String {
    "<span class=\"spoken\">\(message.html(price: spoken))</span>"
  }

  /// Words and prices.
  static func html(_ message: FormattedMessage) -> String { message.html(price: html) }

  private static func element(_ price: FormattedPrice, _ spoken: String) -> String {
    """
    <bdi class="price" lang="\(price.locale)" dir="\(price.direction.rawValue)">\
    <span aria-hidden="true">\(escapedForHTML(price.text))</span>\(spoken)</bdi>
    """
  }
}
