import HTTPTypes
import Hummingbird
import NIOCore
import PriceTag

extension HTTPField.Name {
  static let requestID = Self("X-Request-ID") ?? .via
}

/// A response as it is sent.
struct FinalAnswer: Sendable {
  var head: HTTPResponse
  var contents: Answer.Contents

  /// Returns the response for Hummingbird.
  ///
  /// - Parameter reservation: The memory of the contents, held until they are sent.
  func response(holding reservation: BufferReservation) -> Response {
    let body =
      switch contents {
      case .bytes(let buffer) where contents.countedByteCount > 0:
        ResponseBody(contentLength: buffer.readableBytes) { writer in
          try await writer.write(inChunks: buffer)
          try await writer.finish(nil)
          withExtendedLifetime(reservation) {}
        }
      case .bytes(let buffer): buffer.readableBytes > 0 ? ResponseBody(byteBuffer: buffer) : ResponseBody()
      case .stream(let stream): stream
      }
    var response = Response(status: head.status, body: body)
    // Replaces the fields, whose length would be 0 for a `HEAD` request.
    response.headers = head.headerFields
    return response
  }
}

extension ResponseBodyWriter {
  /// Writes bytes in chunks, which wait for the client.
  ///
  /// Each chunk is a copy. A slice would keep the memory of all bytes until the client has read the last one.
  mutating func write(inChunks buffer: ByteBuffer) async throws {
    var rest = buffer
    while let chunk = rest.readSlice(length: min(1 << 16, rest.readableBytes)), chunk.readableBytes > 0 {
      try await write(ByteBuffer(buffer: chunk))
    }
  }
}

/// Finalizes answers for their requests: evaluates conditions, selects the content coding, and adds the fields for
/// caching and CORS.
struct AnswerFinalizer: Sendable {
  /// The seconds for which HTTP caches may use an answer that they may store.
  private let maximumAge: Int
  private let allowedOrigins: Set<String>

  init(_ configuration: ServiceConfiguration) {
    maximumAge = configuration.maxAgeSeconds
    allowedOrigins = Set(configuration.allowedOrigins)
  }

  func finalize(_ answer: Answer, for incoming: IncomingRequest) -> FinalAnswer {
    let request = incoming.head
    var headers = answer.headers
    var contents = answer.contents
    var status = answer.status
    var vary = answer.vary
    // Append instead of set: the fields are not there yet, and setting would search for them.
    headers.append(HTTPField(name: .requestID, value: incoming.requestID))
    headers.append(HTTPField(name: .xContentTypeOptions, value: "nosniff"))
    addOrigin(request.headerFields[.origin], isPreflight: request.method == .options, to: &headers, &vary)
    addAge(of: answer, at: incoming.instant, to: &headers)
    if case .bytes(var buffer) = answer.contents {
      let isLong = buffer.readableBytes >= ContentCoding.minimumByteCount
      let isText = (isLong || answer.isCacheable) && Self.isText(answer.contentType)
      // Cacheable text varies even if it is too short to compress now, because it may grow.
      if isText { vary.insert("Accept-Encoding", at: 0) }
      let isCompressible = isText && isLong
      var isCompressed = false
      if isCompressible, ContentCoding.acceptsGzip(request.headerFields[.acceptEncoding]),
        // Long contents are compressed earlier, by the workers, or not at all.
        let gzipped = answer.gzipped
          ?? (buffer.readableBytes < ContentCoding.longByteCount ? ContentCoding.gzip(buffer) : nil)
      {
        (buffer, isCompressed) = (gzipped, true)
        headers[.contentEncoding] = "gzip"
      }
      if let validator = answer.validator {
        // Each content coding needs its own validator (RFC 9110, 8.8.3.3).
        let validator = isCompressed ? "\(validator)-gzip" : validator
        headers[.eTag] = "\"\(validator)\""
        if let lastModified = answer.lastModified {
          headers[.lastModified] = HTTPDate(seconds: lastModified).description
        }
        let fields = request.headerFields
        if Precondition.clientHas(fields, validator: validator, lastModified: answer.lastModified) {
          status = .notModified
        }
      }
      contents = .bytes(buffer)
    }
    if !vary.isEmpty { headers[.vary] = vary.joined(separator: ", ") }
    if status == .notModified || status == .noContent {
      // These statuses have no contents and no `Content-Length` (RFC 9110, 8.6).
      headers[.contentEncoding] = nil
      contents = .bytes(ByteBuffer())
    } else {
      headers.append(HTTPField(name: .contentType, value: answer.contentType))
      if case .bytes(let buffer) = contents {
        headers.append(HTTPField(name: .contentLength, value: String(buffer.readableBytes)))
      }
      if request.method == .head { contents = .bytes(ByteBuffer()) }
    }
    return FinalAnswer(head: HTTPResponse(status: status, headerFields: headers), contents: contents)
  }

  /// Adds the fields that say how long HTTP caches may use an answer: not longer than it is right.
  private func addAge(of answer: Answer, at instant: Instant, to headers: inout HTTPFields) {
    guard answer.isCacheable, maximumAge > 0 else {
      headers.append(
        HTTPField(name: .cacheControl, value: answer.isCacheable ? "public, no-cache" : "no-store")
      )
      return
    }
    let now = instant.secondsSince1970
    let rest = answer.validUntil.map { max(0, $0.secondsSince1970 - now) } ?? maximumAge
    let age = min(maximumAge, rest)
    headers.append(HTTPField(name: .cacheControl, value: "public, max-age=\(age)"))
    guard answer.validUntil != nil else { return }
    headers.append(HTTPField(name: .expires, value: HTTPDate(seconds: now + age).description))
  }

  /// Returns whether contents of a media type are text or similar, which is worth compressing.
  static func isText(_ type: String) -> Bool {
    type.hasPrefix("text/") || type.hasPrefix("application/json") || type.hasPrefix("application/problem")
      || type.hasPrefix("image/svg") || type.hasSuffix("xml") || type.hasSuffix("+json")
      || type == "application/wasm" || type == "application/vnd.pricetag.pack"
  }

  private static let exposedFields = "ETag, Last-Modified, Content-Language, Retry-After, X-Request-ID"

  /// Returns the CORS fields as text, for the guard's responses. The origin may be unknown.
  func originFields(_ origin: String?) -> String {
    var (headers, vary) = (HTTPFields(), [String]())
    addOrigin(origin, isPreflight: false, to: &headers, &vary)
    return vary.map { "Vary: \($0)\r\n" }.joined() + headers.map { "\($0)\r\n" }.joined()
  }

  /// Adds the CORS fields, which let scripts of the allowed origins read the response.
  private func addOrigin(
    _ origin: String?,
    isPreflight: Bool,
    to headers: inout HTTPFields,
    _ vary: inout [String]
  ) {
    guard !allowedOrigins.isEmpty else { return }
    let allowsAll = allowedOrigins.contains("*")
    if !allowsAll { vary.append("Origin") }
    guard let origin, allowsAll || allowedOrigins.contains(origin) else { return }
    headers[.accessControlAllowOrigin] = allowsAll ? "*" : origin
    headers[.accessControlExposeHeaders] = Self.exposedFields
    if isPreflight {
      headers[.accessControlAllowMethods] = "GET, HEAD, POST, OPTIONS"
      headers[.accessControlAllowHeaders] = "Content-Type, If-None-Match, X-Request-ID"
      headers[.accessControlMaxAge] = "600"
    }
  }
}
