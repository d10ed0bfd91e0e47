import PriceTagOpenAPI
import PriceTagPages
import PriceTagText

/// The service's OpenAPI document and its HTML rendering.
enum ServiceDocument {
  /// The bytes of the OpenAPI document.
  static var openAPI: UnsafeBufferPointer<UInt8> {
    var count = 0
    let bytes = pricetag_openapi(&count)
    return UnsafeBufferPointer(start: bytes, count: count)
  }

  /// The bytes of the HTML page that `Scripts/openapi-page` generates from the document.
  static var pageBytes: UnsafeBufferPointer<UInt8> {
    var count = 0
    let bytes = pricetag_openapi_page(&count)
    return UnsafeBufferPointer(start: bytes, count: count)
  }

  /// The HTML page, with a content security policy that allows no scripts and no external resources.
  static var page: Answer {
    let html = String(decoding: pageBytes, as: UTF8.self)
    var answer = Answer(html, Answer.html)
    answer.headers[.contentSecurityPolicy] =
      "default-src 'none'; style-src \(ContentSecurityPolicy.hashSource(of: style(of: html))); base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return answer
  }

  /// Returns the page's only style sheet, whose hash the policy names.
  private static func style(of html: String) -> String {
    guard let start = html.firstRange(of: "<style>"),
      let end = html[start.upperBound...].firstRange(of: "</style>")
    else { return "" }
    return String(html[start.upperBound..<end.lowerBound])
  }
}
