import PriceTag
import PriceTagStrings
import PriceTagText

extension Receipt {
  /// The receipt as an HTML page of its own, with a light and a dark theme and a style for print. It has no scripts and no
  /// external files, and its Content-Security-Policy allows none.
  public var page: String {
    """
    <!doctype html>
    <html lang="\(language)" dir="\(direction.rawValue)">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \(ReceiptStyle.hashSource); base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>\(escapedForHTML(title))</title>
    <style>\(ReceiptStyle.text)</style>
    </head>
    <body>
    <main>
    <h1>\(words.title.html)</h1>
    <dl>
    \(words.details.map { "<div><dt>\($0.label.html)</dt><dd>\(ReceiptMarkup.html($0))</dd></div>" }
      .joined(separator: "\n"))
    </dl>
    <table>
    <thead><tr><th scope="col">\(words.product.html)</th><th scope="col" class="wide">\(words.quantity.html)</th>\
    <th scope="col" class="wide">\(words.price.html)</th><th scope="col">\(words.amount.html)</th></tr></thead>
    <tbody>
    \(lines.map(pageRow).joined(separator: "\n"))
    </tbody>
    </table>
    <table class="totals">
    <tbody>
    \(totals.map(pageRow).joined(separator: "\n"))
    </tbody>
    </table>
    \(words.storeTax.map { "<p>\($0.html)</p>\n" } ?? "")</main>
    </body>
    </html>

    """
  }

  private func pageRow(_ line: Line) -> String {
    var name = ReceiptMarkup.html(fromOrder: line.name, language: line.nameLanguage)
    if let calculation = words.calculation(line) {
      name += "<small class=\"narrow\">\(calculation.html { ReceiptMarkup.html($0) })</small>"
    }
    if let discount = line.discount {
      name += "<small>\(words.discount.html) \(ReceiptMarkup.spokenHTML(discount))</small>"
    }
    return """
      <tr><th scope="row">\(name)</th><td class="wide">\(words.count(line.line.quantity))</td>\
      <td class="wide">\(line.unitPrice.map(ReceiptMarkup.spokenHTML) ?? "")</td>\
      <td>\(ReceiptMarkup.spokenHTML(line.amount))</td></tr>
      """
  }

  private func pageRow(_ total: Total) -> String {
    let isTotal = total.kind == .total || total.kind == .totalAfterRefund
    return """
      <tr\(isTotal ? " class=\"total\"" : "")><th scope="row">\(ReceiptMarkup.label(of: total))</th>\
      <td>\(ReceiptMarkup.spokenHTML(total.price))</td></tr>
      """
  }
}

/// The style of the page.
enum ReceiptStyle {
  static let text = """

    :root{color-scheme:light dark;--text:#1a1a1a;--muted:#595959;--line:#c8c8c8;--page:#fff}
    @media (prefers-color-scheme:dark){:root{--text:#f0f0f0;--muted:#b4b4b4;--line:#4a4a4a;--page:#161616}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
    main{max-width:40rem;margin:0 auto;padding:2rem 1rem}
    h1{margin:0 0 1.5rem;font-size:1.75rem;line-height:1.25;overflow-wrap:anywhere}
    dl{margin:0 0 2rem}
    dl div{display:flex;flex-wrap:wrap;gap:0 1rem;justify-content:space-between}
    dt{color:var(--muted)}
    dd{margin:0;text-align:end;overflow-wrap:anywhere}
    table{width:100%;border-collapse:collapse}
    th,td{padding:.625rem 0;text-align:end;vertical-align:top;border-top:1px solid var(--line)}
    td{padding-inline-start:1rem;white-space:nowrap;font-variant-numeric:tabular-nums}
    th{font-weight:normal;text-align:start;overflow-wrap:anywhere}
    thead th{border-top:0;color:var(--muted)}
    thead th+th{text-align:end;padding-inline-start:1rem}
    small{display:block;color:var(--muted);font-size:.875rem}
    .totals{margin-top:0;border-top:2px solid var(--text)}
    .totals th,.totals td{border-top:0;padding-block:.3125rem}
    .total th,.total td{font-weight:bold;border-top:1px solid var(--line);padding-block:.625rem}
    p{margin:.5rem 0 0;color:var(--muted);text-align:end}
    .spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    @media (min-width:36rem){.narrow{display:none}}
    @media (max-width:35.999rem){.wide{display:none}}
    @media print{:root{--text:#000;--muted:#333;--line:#999;--page:#fff}main{padding:0}tr{break-inside:avoid}}

    """

  /// The hash of the text, as the Content-Security-Policy states it. A test computes it.
  static let hashSource = "'sha256-UcIPLOyVcw79dVG266tEpQXGDXfZPmYbWgyivoabH88='"
}
