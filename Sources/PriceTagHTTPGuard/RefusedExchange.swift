import NIOCore

/// A request that the guard refused, for the access log.
package struct RefusedExchange: Sendable {
  package let refusal: RequestRefusal
  package let requestID: String
  /// The method; `nil` if the request line is incomplete or malformed.
  package let method: String?
  package let path: String?
  /// The size of the response body; 0 if another response had already begun.
  package let byteCount: Int
  /// When the connection or the request began.
  package let start: NIODeadline
}
