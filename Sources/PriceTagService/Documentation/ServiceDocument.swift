import PriceTagOpenAPI
import PriceTagPages
import PriceTagText

/// What the service says of itself: an OpenAPI document, and the same to be read.
enum ServiceDocument {
  /// The bytes of the document.
  static var openAPI: UnsafeBufferPointer<UInt8> {
    var count = 0
    let bytes = pricetag_openapi(&count)
    return UnsafeBufferPointer(start: bytes, count: count)
  }

  /// The bytes of the page that `Scripts/openapi-page` writes from the document.
  static var pageBytes: UnsafeBufferPointer<UInt8> {
    var count = 0
    let bytes = pricetag_openapi_page(&count)
    return UnsafeBufferPointer(start: bytes, count: count)
  }

  /// The page to read the document on: no script, and nothing from elsewhere.
  static var page: Answer {
    let html = String(decoding: pageBytes, as: UTF8.self)
    var answer = Answer(html, Answer.html)
    answer.headers[.contentSecurityPolicy] =
      "default-src 'none'; style-src \(ContentSecurityPolicy.hashSource(of: style(of: html))); base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return answer
  }

  /// The page's only style sheet, for the hash that the policy asks for.
  private static func style(of html: String) -> String {
    guard let start = html.firstRange(of: "<style>"),
      let end = html[start.upperBound...].firstRange(of: "</style>")
    else { return "" }
    return String(html[start.upperBound..<end.lowerBound])
  }
}
