/// The reason why the guard refuses a request.
///
/// It contains no text from the client, so it can be logged and sent unchanged.
package struct RequestRefusal: Error, Sendable, Equatable {
  /// The HTTP status of the response.
  package let status: Int
  /// A stable code for programs.
  package let code: String
  /// The problem.
  package let detail: String
  /// What to do, as an imperative.
  package let fix: String
  /// The value of the `Allow` field, if the method is not supported.
  package var allow: String?
  /// The value of the `Retry-After` field, in seconds.
  package var retryAfter: Int?
}

extension RequestRefusal {
  /// The request line is malformed.
  static func malformedRequest(_ detail: String) -> Self {
    Self(
      status: 400,
      code: "malformed-request",
      detail: detail,
      fix: "send a request line such as 'GET /path HTTP/1.1', terminated by CR LF"
    )
  }

  /// A header field violates RFC 9112.
  static func malformedHead(_ detail: String) -> Self {
    Self(
      status: 400,
      code: "malformed-head",
      detail: detail,
      fix: "send each field as 'Name: value' on one line terminated by CR LF, without control characters"
    )
  }

  /// The Host field is missing, duplicated or malformed.
  static func invalidHost(_ detail: String) -> Self {
    Self(
      status: 400,
      code: "invalid-host",
      detail: detail,
      fix: "send exactly one Host field with the service's host name or IP address and an optional port"
    )
  }

  /// The Content-Length field is duplicated or not a decimal number.
  static func invalidContentLength(_ detail: String) -> Self {
    Self(
      status: 400,
      code: "invalid-content-length",
      detail: detail,
      fix: "send at most one Content-Length field, with the number of bytes in decimal digits"
    )
  }

  /// The framing of a chunked body is malformed.
  static func malformedChunk(_ detail: String) -> Self {
    Self(
      status: 400,
      code: "malformed-chunk",
      detail: detail,
      fix: "send each chunk as its size in 1 to 8 hexadecimal digits, CR LF, the bytes and CR LF"
    )
  }

  /// The HTTP version is neither 1.0 nor 1.1, or it is 1.0 and the response is streamed.
  static let unsupportedVersion = Self(
    status: 505,
    code: "unsupported-http-version",
    detail: "the HTTP version is not supported for this request",
    fix: "use HTTP/1.1"
  )

  /// The method is unknown.
  static let unsupportedMethod = Self(
    status: 405,
    code: "method-not-allowed",
    detail: "the method is not supported",
    fix: "use GET, HEAD, POST or OPTIONS, in uppercase letters",
    allow: "GET, HEAD, POST, OPTIONS"
  )

  /// The transfer coding is not `chunked`.
  static let unsupportedTransferEncoding = Self(
    status: 501,
    code: "unsupported-transfer-encoding",
    detail: "the Transfer-Encoding is not 'chunked'",
    fix: "send the body with a Content-Length, or with 'Transfer-Encoding: chunked'"
  )

  /// The request has a transfer coding, which HTTP/1.0 does not support.
  static let transferEncodingInHTTP10 = Self(
    status: 400,
    code: "malformed-head",
    detail: "HTTP/1.0 does not support Transfer-Encoding",
    fix: "use HTTP/1.1, or send the body with a Content-Length"
  )

  /// Two fields determine the length of the body.
  static let conflictingLengths = Self(
    status: 400,
    code: "conflicting-lengths",
    detail: "Content-Length and Transfer-Encoding cannot be combined",
    fix: "remove one"
  )

  /// Trailer fields follow the last chunk.
  static let unsupportedTrailers = Self(
    status: 400,
    code: "unsupported-trailers",
    detail: "trailer fields are not supported",
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
      detail: "the request head is larger than \(limit) bytes",
      fix: "send fewer or shorter header fields"
    )
  }

  /// The head has more fields than the limit.
  static func tooManyFields(limit: Int) -> Self {
    Self(
      status: 431,
      code: "head-too-large",
      detail: "the request head has more than \(limit) fields",
      fix: "send fewer header fields"
    )
  }

  /// The body, or its Content-Length, is larger than the limit of its path.
  static func bodyTooLarge(limit: Int) -> Self {
    Self(
      status: 413,
      code: "body-too-large",
      detail: "the body is larger than \(limit) bytes",
      fix: "split the request"
    )
  }

  /// The head was not complete in time.
  static func lateHead(seconds: Int) -> Self {
    Self(
      status: 408,
      code: "request-timeout",
      detail: "the request head was not complete after \(seconds) seconds",
      fix: "send the complete request head at once"
    )
  }

  /// The body was sent too slowly.
  static func slowBody(bytesPerSecond: Int) -> Self {
    Self(
      status: 408,
      code: "request-timeout",
      detail: "the body was sent at less than \(bytesPerSecond) bytes per second",
      fix: "use a faster connection, or send a smaller body"
    )
  }

  /// The client has too many connections.
  package static func tooManyConnections(limit: Int) -> Self {
    Self(
      status: 429,
      code: "too-many-connections",
      detail: "the client already has \(limit) connections",
      fix: "reuse an open connection, or close one",
      retryAfter: 1
    )
  }

  /// All connections that the service accepts have requests.
  static func outOfConnections(limit: Int) -> Self {
    Self(
      status: 503,
      code: "out-of-connections",
      detail: "all \(limit) connections of the service have requests in progress",
      fix: "retry in a second",
      retryAfter: 1
    )
  }

  /// The reason phrase of the status line.
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
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Refused"
    }
  }
}
