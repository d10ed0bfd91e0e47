/// What the head of a request says about where the request ends and how the connection goes on.
struct RequestHead: Sendable, Equatable {
  /// What follows the head.
  enum Body: Sendable, Equatable {
    /// Nothing.
    case none
    /// So many bytes.
    case length(Int)
    /// Chunks up to the last one.
    case chunked
  }

  /// One of the methods of RFC 9110, or PATCH.
  var method: String
  /// Path of the target as it was sent, without the query; `*` for `OPTIONS *`.
  var path: String
  /// Whether the request is in HTTP/1.0.
  var isHTTP10: Bool
  /// Whether no further request may follow on the connection.
  var closesConnection: Bool
  /// Whether the client waits for `100 Continue` before it sends the body.
  var expectsContinue: Bool
  /// What follows the head.
  var body: Body
}
