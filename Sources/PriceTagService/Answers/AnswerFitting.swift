import HTTPTypes
import Hummingbird
import NIOCore
import PriceTag

extension HTTPField.Name {
  static let requestID = Self("X-Request-ID") ?? .via
}

/// An answer as it goes out.
struct FittedAnswer: Sendable {
  var head: HTTPResponse
  var contents: Answer.Contents

  /// The contents that are too short to be counted while they go out.
  static let uncountedByteCount = 1 << 14
  /// The longest contents that are written at once.
  private static let chunkByteCount = 1 << 16

  /// The same for Hummingbird.
  ///
  /// - Parameter reservation: Is held until the contents have gone out.
  func response(holding reservation: BufferReservation) -> Response {
    let body =
      switch contents {
      case .bytes(let buffer) where buffer.readableBytes > Self.uncountedByteCount:
        ResponseBody(contentLength: buffer.readableBytes) { writer in
          var rest = buffer
          while let chunk = rest.readSlice(length: min(Self.chunkByteCount, rest.readableBytes)),
            chunk.readableBytes > 0
          {
            try await writer.write(chunk)
          }
          try await writer.finish(nil)
          withExtendedLifetime(reservation) {}
        }
      case .bytes(let buffer): buffer.readableBytes > 0 ? ResponseBody(byteBuffer: buffer) : ResponseBody()
      case .stream(let stream): stream
      }
    var response = Response(status: head.status, body: body)
    // The length is among them, where the answer has one.
    response.headers = head.headerFields
    return response
  }
}

/// Fits answers to requests: conditions, codings, methods, and the fields that say what they depend on.
struct AnswerFitting: Sendable {
  private let maxAgeSeconds: Int
  private let allowedOrigins: Set<String>

  init(_ configuration: ServiceConfiguration) {
    maxAgeSeconds = configuration.maxAgeSeconds
    allowedOrigins = Set(configuration.allowedOrigins)
  }

  func fitted(_ answer: Answer, to request: HTTPRequest, requestID: String) -> FittedAnswer {
    var headers = answer.headers
    var contents = answer.contents
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
    if case .bytes(var buffer) = answer.contents {
      let isLong = buffer.readableBytes >= ContentCoding.leastBytes
      let isText = (isLong || answer.caching == .revalidated) && Self.isText(answer.contentType)
      // What is kept says so also where it is too short today.
      if isText { vary.insert("Accept-Encoding", at: 0) }
      let isCompressible = isText && isLong
      var isCompressed = false
      if isCompressible, ContentCoding.takesGzip(request.headerFields[.acceptEncoding]),
        // What takes long is compressed before, in turn with other work, or not at all.
        let gzipped = answer.gzipped
          ?? (buffer.readableBytes < ContentCoding.longBytes ? ContentCoding.gzip(buffer) : nil)
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
        if Precondition(request.headerFields).isMet(by: validator, lastModified: answer.lastModified) {
          status = .notModified
        }
      }
      contents = .bytes(buffer)
    }
    if !vary.isEmpty { headers[.vary] = vary.joined(separator: ", ") }
    if status == .notModified || status == .noContent {
      // They have no contents, and no length of any (RFC 9110, 8.6).
      headers[.contentEncoding] = nil
      contents = .bytes(ByteBuffer())
    } else {
      headers.append(HTTPField(name: .contentType, value: answer.contentType))
      if case .bytes(let buffer) = contents {
        headers.append(HTTPField(name: .contentLength, value: String(buffer.readableBytes)))
      }
      if request.method == .head { contents = .bytes(ByteBuffer()) }
    }
    return FittedAnswer(head: HTTPResponse(status: status, headerFields: headers), contents: contents)
  }

  /// Whether contents shrink.
  static func isText(_ type: String) -> Bool {
    type.hasPrefix("text/") || type.hasPrefix("application/json") || type.hasPrefix("application/problem")
      || type.hasPrefix("image/svg") || type.hasSuffix("xml") || type.hasSuffix("+json")
  }

  private static let exposedFields = "ETag, Last-Modified, Content-Language, Retry-After, X-Request-ID"
  private var isForAllOrigins: Bool { allowedOrigins.contains("*") }

  /// The origin that an answer names as allowed; `nil` for none.
  private func allowedOrigin(_ origin: String?) -> String? {
    guard let origin else { return nil }
    if isForAllOrigins { return "*" }
    return allowedOrigins.contains(origin) ? origin : nil
  }

  /// The fields of CORS for an answer that is written as text, by the origin of its request where that is known.
  func originFields(_ origin: String?) -> String {
    guard !allowedOrigins.isEmpty else { return "" }
    var text = isForAllOrigins ? "" : "Vary: Origin\r\n"
    if let allowed = allowedOrigin(origin) {
      text += "Access-Control-Allow-Origin: \(allowed)\r\n"
      text += "Access-Control-Expose-Headers: \(Self.exposedFields)\r\n"
    }
    return text
  }

  /// Lets the scripts of the configured origins read the answer (the Fetch standard's CORS).
  private func addOrigin(_ request: HTTPRequest, to headers: inout HTTPFields, _ vary: inout [String]) {
    guard !allowedOrigins.isEmpty else { return }
    if !isForAllOrigins { vary.append("Origin") }
    guard let allowed = allowedOrigin(request.headerFields[.origin]) else { return }
    headers[.accessControlAllowOrigin] = allowed
    headers[.accessControlExposeHeaders] = Self.exposedFields
    if request.method == .options {
      headers[.accessControlAllowMethods] = "GET, HEAD, POST, OPTIONS"
      headers[.accessControlAllowHeaders] = "Content-Type, If-None-Match, X-Request-ID"
      headers[.accessControlMaxAge] = "600"
    }
  }
}
