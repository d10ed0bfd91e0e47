import PriceTag
import PriceTagStrings
import PriceTagText

/// Writes prices as HTML: the formatted price for the eye and the spoken form for screen readers, in an element with the
/// price's own language and direction.
enum PriceMarkup {
  /// `<bdi class="price" lang="ja-JP" dir="ltr"><span aria-hidden="true">￥160</span><span class="spoken">160円</span></bdi>`
  static func html(_ price: FormattedPrice) -> String {
    element(price, "<span class=\"spoken\">\(escapedForHTML(price.spoken))</span>")
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

  private static func element(_ price: FormattedPrice, _ spoken: String) -> String {
    """
    <bdi class="price" lang="\(price.locale)" dir="\(price.direction.rawValue)">\
    <span aria-hidden="true">\(price.markup)</span>\(spoken)</bdi>
    """
  }
}
