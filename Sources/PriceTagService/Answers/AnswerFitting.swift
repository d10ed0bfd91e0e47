import HTTPTypes
import Hummingbird
import PriceTag

extension HTTPField.Name {
  static let requestID = Self("X-Request-ID") ?? .via
}

/// Fits answers to requests: conditions, codings, methods, and the fields that say what they depend on.
struct AnswerFitting: Sendable {
  private let maxAgeSeconds: Int
  private let allowedOrigins: Set<String>

  init(_ configuration: ServiceConfiguration) {
    maxAgeSeconds = configuration.maxAgeSeconds
    allowedOrigins = Set(configuration.allowedOrigins)
  }

  func response(_ answer: Answer, to request: Request, requestID: String) -> Response {
    var headers = answer.headers
    var status = answer.status
    var vary = answer.vary
    // Appended, for none of them is there: looking for each takes longer.
    headers.append(HTTPField(name: .requestID, value: requestID))
    headers.append(HTTPField(name: .xContentTypeOptions, value: "nosniff"))
    addOrigin(request, to: &headers, &vary)
    switch answer.caching {
    case .never: headers.append(HTTPField(name: .cacheControl, value: "no-store"))
    case .revalidated:
      let value = maxAgeSeconds == 0 ? "public, no-cache" : "public, max-age=\(maxAgeSeconds)"
      headers.append(HTTPField(name: .cacheControl, value: value))
    }
    var body = ResponseBody()
    switch answer.contents {
    case .stream(let stream): body = stream
    case .bytes(var buffer):
      let isLong = buffer.readableBytes >= ContentCoding.leastBytes
      let isText = (isLong || answer.caching == .revalidated) && Self.isText(answer.contentType)
      // What is kept says so also where it is too short today.
      if isText { vary.insert("Accept-Encoding", at: 0) }
      let isCompressible = isText && isLong
      var isCompressed = false
      if isCompressible, ContentCoding.takesGzip(request.headers[.acceptEncoding]),
        let gzipped = answer.gzipped ?? ContentCoding.gzip(buffer)
      {
        (buffer, isCompressed) = (gzipped, true)
        headers[.contentEncoding] = "gzip"
      }
      if let validator = answer.validator {
        // Other bytes are another representation (RFC 9110, 8.8.3.3).
        let validator = isCompressed ? "\(validator)-gzip" : validator
        headers[.eTag] = "\"\(validator)\""
        if let lastModified = answer.lastModified {
          headers[.lastModified] = HTTPDate(seconds: lastModified).description
        }
        if Precondition(request.headers).isMet(by: validator, lastModified: answer.lastModified) {
          status = .notModified
        }
      }
      body = ResponseBody(byteBuffer: buffer)
    }
    if !vary.isEmpty { headers[.vary] = vary.joined(separator: ", ") }
    if status == .notModified || status == .noContent {
      // They have no contents, and no length of any (RFC 9110, 8.6).
      headers[.contentEncoding] = nil
      var response = Response(status: status, headers: headers)
      response.headers[.contentLength] = nil
      return response
    }
    headers.append(HTTPField(name: .contentType, value: answer.contentType))
    if let length = body.contentLength {
      headers.append(HTTPField(name: .contentLength, value: String(length)))
    }
    let response = Response(status: status, headers: headers, body: body)
    return request.method == .head ? response.createHeadResponse() : response
  }

  /// Whether contents shrink.
  private static func isText(_ type: String) -> Bool {
    type.hasPrefix("text/") || type.hasPrefix("application/json") || type.hasPrefix("application/problem")
      || type.hasPrefix("image/svg") || type.hasSuffix("xml") || type.hasSuffix("+json")
  }

  /// Lets the scripts of the configured origins read the answer (the Fetch standard's CORS).
  private func addOrigin(_ request: Request, to headers: inout HTTPFields, _ vary: inout [String]) {
    guard !allowedOrigins.isEmpty else { return }
    let isForAll = allowedOrigins.contains("*")
    if !isForAll { vary.append("Origin") }
    guard let origin = request.headers[.origin], isForAll || allowedOrigins.contains(origin) else { return }
    headers[.accessControlAllowOrigin] = isForAll ? "*" : origin
    headers[.accessControlExposeHeaders] = "ETag, Last-Modified, Content-Language, X-Request-ID"
    if request.method == .options {
      headers[.accessControlAllowMethods] = "GET, HEAD, POST, OPTIONS"
      headers[.accessControlAllowHeaders] = "Content-Type, If-None-Match, X-Request-ID"
      headers[.accessControlMaxAge] = "600"
    }
  }
}
