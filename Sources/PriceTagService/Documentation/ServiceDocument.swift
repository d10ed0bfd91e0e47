import PriceTagOpenAPI

/// The service's OpenAPI document, and the HTML page that introduces it.
enum ServiceDocument {
  /// The bytes of the OpenAPI document.
  static var openAPI: UnsafeBufferPointer<UInt8> {
    var count = 0
    let bytes = pricetag_openapi(&count)
    return UnsafeBufferPointer(start: bytes, count: count)
  }

  /// The HTML page, which needs no scripts and no styles.
  static var page: Answer {
    var count = 0
    let bytes = pricetag_openapi_page(&count)
    return .page(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
  }
}
