import NIOCore

/// A request that the guard answered itself: what is known of it, for the access log.
struct RefusedExchange: Sendable {
  let refusal: RequestRefusal
  let requestID: String
  /// `nil` where the request line is not whole, or malformed.
  let method: String?
  let path: String?
  /// The bytes of the answer's body; 0 where an answer had begun already.
  let byteCount: Int
  /// When the connection or the request began.
  let start: NIODeadline
}
