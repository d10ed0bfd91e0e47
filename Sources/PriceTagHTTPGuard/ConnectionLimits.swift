/// Limits of an HTTP/1.1 connection. Times are in seconds, sizes in bytes.
public struct ConnectionLimits: Sendable, Equatable {
  /// The time limit for a request head, from the start of the connection or from the first byte of a later request.
  public var headSeconds = 10
  /// The maximum size of a request line and header fields together, including line terminators.
  public var headBytes = 16_384
  /// The maximum number of header fields.
  public var headFields = 100
  /// The maximum size of the request target.
  public var targetBytes = 8_192
  /// The maximum size of a body, without chunk framing.
  public var bodyBytes = 1_048_576
  /// Maximum sizes of bodies that replace ``bodyBytes`` for some paths. Paths must match exactly.
  public var largerBodies: [String: Int] = ["/v1/batch": 1 << 30]
  /// The minimum number of bytes per second at which a client must send a body, on average over a window. Only time
  /// in which the service waits for the client counts.
  public var minimumBodyBytesPerSecond = 500
  /// The waiting time at the start of a body in which the rate is not checked.
  public var bodyGraceSeconds = 10
  /// The waiting time over which the rate of a body is averaged.
  public var bodyWindowSeconds = 10
  /// The time within which a client must read more of the response while the output buffer is full.
  public var writeStallSeconds = 30
  /// The minimum number of bytes per second that such a client must read, on average over ``writeStallSeconds``.
  public var minimumResponseBytesPerSecond = 500
  /// The time after which an idle connection is closed.
  public var idleSeconds = 60
  /// The time for which a client may continue to send after the last response, so that it receives the response and
  /// not a connection reset.
  public var lingerSeconds = 1
  /// The maximum number of bytes that are discarded in that time.
  public var lingerBytes = 1_048_576

  /// Creates the default limits, which suit a service behind a proxy.
  public init() {}
}
