import PriceTag
import PriceTagStrings
import PriceTagText

/// HTML of prices, messages and texts of an order.
enum ReceiptMarkup {
  /// Returns a price in an element with its language and direction.
  static func html(_ price: FormattedPrice) -> String {
    "<bdi lang=\"\(price.locale)\" dir=\"\(price.direction.rawValue)\">\(price.markup)</bdi>"
  }

  /// Returns a price that screen readers speak with the currency's full name.
  static func spokenHTML(_ price: FormattedPrice) -> String {
    """
    <bdi lang="\(price.locale)" dir="\(price.direction.rawValue)"><span aria-hidden="true">\(price.markup)</span>\
    <span class="spoken">\(escapedForHTML(price.spoken))</span></bdi>
    """
  }

  /// Returns a text of the order, which has a direction of its own.
  static func html(fromOrder text: String, language: String? = nil) -> String {
    let attribute = language.map { " lang=\"\(escapedForHTML($0))\"" } ?? ""
    return "<bdi dir=\"auto\"\(attribute)>\(escapedForHTML(balancedBidi(text)))</bdi>"
  }

  static func html(_ detail: ReceiptWords.Detail) -> String {
    detail.isFromOrder ? html(fromOrder: detail.value) : escapedForHTML(detail.value)
  }

  /// Returns the label of a total, with the name of a discount or tax, and the rate of a tax: `VAT (19%)`.
  static func label(of total: Receipt.Total) -> String {
    let notes = [total.notes.name.map { html(fromOrder: $0) }, total.notes.rate.map(escapedForHTML)]
      .compactMap(\.self)
    return total.label.html + (notes.isEmpty ? "" : " (\(notes.joined(separator: " ")))")
  }
}

extension Receipt {
  /// `Receipt from Rocket Garage`: the title of the page and the subject of the e-mail, without directional controls.
  public var title: String {
    String(
      String.UnicodeScalarView(
        words.title.plain.unicodeScalars.filter { scalar in
          !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
        }
      )
    )
  }

  var direction: FormattedPrice.Direction { language.direction }
}
