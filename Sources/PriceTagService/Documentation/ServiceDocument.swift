import PriceTag
import PriceTagOpenAPI
import PriceTagPages

/// What the service says of itself: an OpenAPI document, and the same to be read.
enum ServiceDocument {
  /// The bytes of the document.
  static var openAPI: UnsafeBufferPointer<UInt8> {
    var count = 0
    let bytes = pricetag_openapi(&count)
    return UnsafeBufferPointer(start: bytes, count: count)
  }

  /// The page to read it on: no script, and nothing from elsewhere.
  static func page() throws(Problem) -> Answer {
    let document: JSONValue
    do throws(JSONError) { document = try JSONReader.value(of: openAPI) } catch { throw Problem.internal }
    var answer = Answer(DocsPage(document: document).html, Answer.html)
    answer.headers[.contentSecurityPolicy] =
      "default-src 'none'; style-src \(ContentSecurityPolicy.hashSource(of: DocsPage.style)); base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return answer
  }
}
