import PriceTag
import PriceTagStrings
import PriceTagText

extension Receipt {
  /// The receipt as HTML for an e-mail: tables with inline styles, without scripts and external files.
  ///
  /// Text and background have no colors, so that the e-mail is readable in the light and the dark mode of each client.
  public var email: String {
    """
    <!doctype html>
    <html lang="\(language)" dir="\(direction.rawValue)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>\(escapedForHTML(title))</title>
    </head>
    <body dir="\(direction.rawValue)" style="margin:0;padding:0">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" dir="\(direction.rawValue)">
    <tr><td align="center" style="padding:24px 12px">
    \(emailBody)
    </td></tr>
    </table>
    </body>
    </html>

    """
  }

  private var start: String { direction == .rightToLeft ? "right" : "left" }
  private var end: String { direction == .rightToLeft ? "left" : "right" }

  private static let font =
    "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:16px;line-height:24px"

  /// Breaks words that are longer than a line, such as addresses: some mail programs know one of the properties only.
  private static let breaking = "word-break:break-word;overflow-wrap:anywhere"

  private static let border = "border-top:1px solid #8c8c8c"

  private var emailBody: String {
    let details = words.details.map { detail in
      """
      <tr><th scope="row" align="\(start)" valign="top" style="padding:2px 0;font-weight:normal;text-align:\(start)">\
      \(detail.label.html)</th><td align="\(end)" valign="top" style="padding:2px 0;text-align:\(end);\(Self.breaking)">\
      \(ReceiptMarkup.html(detail))</td></tr>
      """
    }
    let heading = "font-weight:bold;text-align:"
    var rows = [
      """
      <tr><th scope="col" align="\(start)" style="padding:8px 0;\(heading)\(start)">\(words.product.html)</th>\
      <th scope="col" align="\(end)" style="padding:8px 0;\(heading)\(end)">\(words.amount.html)</th></tr>
      """
    ]
    rows += lines.map(emailRow)
    rows += totals.map(emailRow)
    if let storeTax = words.storeTax {
      rows.append(
        "<tr><td colspan=\"2\" align=\"\(end)\" style=\"padding:2px 0;text-align:\(end)\">\(storeTax.html)</td></tr>"
      )
    }
    let table = "cellpadding=\"0\" cellspacing=\"0\" border=\"0\" width=\"100%\""
    return """
      <table role="presentation" \(table) style="max-width:600px;\(Self.font)">
      <tr><td align="\(start)" style="padding:0 0 16px;text-align:\(start)">\
      <h1 style="margin:0;font-size:24px;line-height:32px;\(Self.breaking)">\(words.title.html)</h1></td></tr>
      <tr><td style="padding:0 0 16px"><table \(table) style="\(Self.font)">
      \(details.joined(separator: "\n"))
      </table></td></tr>
      <tr><td><table \(table) style="\(Self.font)">
      \(rows.joined(separator: "\n"))
      </table></td></tr>
      </table>
      """
  }

  /// Space above, below and before an amount.
  private func amountPadding(_ space: Int) -> String {
    direction == .rightToLeft
      ? "padding:\(space)px 12px \(space)px 0" : "padding:\(space)px 0 \(space)px 12px"
  }

  private func emailRow(_ line: Line) -> String {
    var name = ReceiptMarkup.html(fromOrder: line.name, language: line.nameLanguage)
    if let calculation = words.calculation(line) {
      name += "<br><span style=\"font-size:14px\">\(calculation.html { ReceiptMarkup.html($0) })</span>"
    }
    if let discount = line.discount {
      name +=
        "<br><span style=\"font-size:14px\">\(words.discount.html) \(ReceiptMarkup.html(discount))</span>"
    }
    return """
      <tr><td align="\(start)" valign="top" style="padding:8px 0;\(Self.border);text-align:\(start);\(Self.breaking)">\(name)</td>\
      <td align="\(end)" valign="top" style="\(amountPadding(8));\(Self.border);text-align:\(end);white-space:nowrap">\
      \(ReceiptMarkup.html(line.amount))</td></tr>
      """
  }

  private func emailRow(_ total: Total) -> String {
    let isTotal = total.kind == .total || total.kind == .totalAfterRefund
    let isFirst = total.kind == totals.first?.kind
    let space = isTotal ? 8 : 4
    let style =
      "\(isTotal || isFirst ? Self.border + ";" : "")font-weight:\(isTotal ? "bold" : "normal");text-align:"
    return """
      <tr><th scope="row" align="\(start)" valign="top" style="padding:\(space)px 0;\(style)\(start);\(Self.breaking)">\(ReceiptMarkup.label(of: total))</th>\
      <td align="\(end)" valign="top" style="\(amountPadding(space));\(style)\(end);white-space:nowrap">\(ReceiptMarkup.html(total.price))</td></tr>
      """
  }
}
