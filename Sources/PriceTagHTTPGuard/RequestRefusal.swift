/// Why a request was refused before the application saw it, in words for the client.
///
/// No text in it comes from the client, so it can be logged and answered as it is.
package struct RequestRefusal: Error, Sendable, Equatable {
  /// HTTP status of the answer.
  package let status: Int
  /// Stable name of the fault.
  package let code: String
  /// What is wrong with the request.
  package let detail: String
  /// What the client can do about it.
  package let fix: String
  /// The methods that there are, where the request has another.
  package var allow: String?
  /// The seconds after which another try makes sense.
  package var retryAfter: Int?
}

extension RequestRefusal {
  /// The request line is not one.
  static func malformedRequest(_ detail: String) -> Self {
    Self(
      status: 400,
      code: "malformed-request",
      detail: detail,
      fix: "send a request line of the form 'GET /path HTTP/1.1', ended by CR LF"
    )
  }

  /// A field of the head breaks the rules of RFC 9112.
  static func malformedHead(_ detail: String) -> Self {
    Self(
      status: 400,
      code: "malformed-head",
      detail: detail,
      fix: "send each field as 'Name: value' on one line that ends in CR LF, without control characters"
    )
  }

  /// The Host field is missing, doubled or not a host.
  static func invalidHost(_ detail: String) -> Self {
    Self(
      status: 400,
      code: "invalid-host",
      detail: detail,
      fix: "send exactly one Host field with the name or address of the service, and its port if need be"
    )
  }

  /// The Content-Length field is not one plain number.
  static func invalidContentLength(_ detail: String) -> Self {
    Self(
      status: 400,
      code: "invalid-content-length",
      detail: detail,
      fix: "send at most one Content-Length field, with the number of bytes in plain digits"
    )
  }

  /// The framing of a chunked body is broken.
  static func malformedChunk(_ detail: String) -> Self {
    Self(
      status: 400,
      code: "malformed-chunk",
      detail: detail,
      fix: "send each chunk as its size in 1 to 8 hexadecimal digits, CR LF, the bytes, CR LF"
    )
  }

  /// The HTTP version is neither 1.0 nor 1.1.
  static let unsupportedVersion = Self(
    status: 505,
    code: "unsupported-http-version",
    detail: "the HTTP version is neither 1.0 nor 1.1, or is 1.0 where the answer is a stream",
    fix: "send the request in HTTP/1.1"
  )

  /// The method is a token that the service has no meaning for.
  static let unsupportedMethod = Self(
    status: 405,
    code: "method-not-allowed",
    detail: "the method is not one this service knows",
    fix: "use GET, HEAD, POST or OPTIONS, in capital letters",
    allow: "GET, HEAD, POST, OPTIONS"
  )

  /// The transfer coding is not exactly `chunked`.
  static let unsupportedTransferEncoding = Self(
    status: 501,
    code: "unsupported-transfer-encoding",
    detail: "the Transfer-Encoding is not exactly 'chunked'",
    fix: "send the body with a Content-Length, or with 'Transfer-Encoding: chunked' and nothing else"
  )

  /// HTTP/1.0 has no transfer codings.
  static let transferEncodingInHTTP10 = Self(
    status: 400,
    code: "malformed-head",
    detail: "HTTP/1.0 has no Transfer-Encoding",
    fix: "send the request in HTTP/1.1, or the body with a Content-Length"
  )

  /// Two fields say where the body ends.
  static let conflictingLengths = Self(
    status: 400,
    code: "conflicting-lengths",
    detail: "the head has both a Content-Length and a Transfer-Encoding",
    fix: "send one of the two"
  )

  /// There are fields after the last chunk.
  static let unsupportedTrailers = Self(
    status: 400,
    code: "unsupported-trailers",
    detail: "there are trailer fields after the last chunk",
    fix: "send all fields before the body"
  )

  /// The target is longer than the limit.
  static func targetTooLong(limit: Int) -> Self {
    Self(
      status: 414,
      code: "target-too-long",
      detail: "the request target is longer than \(limit) bytes",
      fix: "shorten the path or the query, or send the values in a body"
    )
  }

  /// The head is larger than the limit.
  static func headTooLarge(limit: Int) -> Self {
    Self(
      status: 431,
      code: "head-too-large",
      detail: "the head of the request is larger than \(limit) bytes",
      fix: "send fewer or shorter fields"
    )
  }

  /// The head has more fields than the limit.
  static func tooManyFields(limit: Int) -> Self {
    Self(
      status: 431,
      code: "head-too-large",
      detail: "the head of the request has more than \(limit) fields",
      fix: "send fewer fields"
    )
  }

  /// The body is, or says it will be, larger than the limit of its path.
  static func bodyTooLarge(limit: Int) -> Self {
    Self(
      status: 413,
      code: "body-too-large",
      detail: "the body is larger than \(limit) bytes",
      fix: "send less in one request"
    )
  }

  /// The head did not come in time.
  static func lateHead(seconds: Int) -> Self {
    Self(
      status: 408,
      code: "request-timeout",
      detail: "the head of the request was not complete within \(seconds) seconds",
      fix: "send the request again, the whole head at once"
    )
  }

  /// The body comes too slowly.
  static func slowBody(bytesPerSecond: Int) -> Self {
    Self(
      status: 408,
      code: "request-timeout",
      detail: "the body came at less than \(bytesPerSecond) bytes a second",
      fix: "send the request again over a faster connection, or with a smaller body"
    )
  }

  /// The client has too many connections.
  package static func tooManyConnections(limit: Int) -> Self {
    Self(
      status: 429,
      code: "too-many-connections",
      detail: "the client has \(limit) connections already",
      fix: "use the connections that are open, or close one",
      retryAfter: 1
    )
  }

  /// The words of the status line.
  package var reason: String {
    switch status {
    case 400: "Bad Request"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 501: "Not Implemented"
    case 505: "HTTP Version Not Supported"
    default: "Refused"
    }
  }
}
