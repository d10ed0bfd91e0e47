import NIOCore

/// A request that the guard answered itself: what is known of it, for the access log.
package struct RefusedExchange: Sendable {
  package let refusal: RequestRefusal
  package let requestID: String
  /// `nil` where the request line is not whole, or malformed.
  package let method: String?
  package let path: String?
  /// The bytes of the answer's body; 0 where an answer had begun already.
  package let byteCount: Int
  /// When the connection or the request began.
  package let start: NIODeadline
}
