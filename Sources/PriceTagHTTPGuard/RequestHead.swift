/// The properties of a request head that the guard needs.
struct RequestHead: Sendable, Equatable {
  /// The framing of the body.
  enum Body: Sendable, Equatable {
    /// No body.
    case none
    /// A body with a Content-Length.
    case length(Int)
    /// A chunked body.
    case chunked
  }

  /// Whether the request uses HTTP/1.0.
  var isHTTP10: Bool
  /// Whether the connection closes after the request.
  var closesConnection: Bool
  /// Whether the client waits for `100 Continue` before it sends the body.
  var expectsContinue: Bool
  /// The framing of the body.
  var body: Body
}
