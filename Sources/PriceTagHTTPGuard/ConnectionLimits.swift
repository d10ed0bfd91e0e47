/// Limits of an HTTP/1.1 connection. Times are in seconds, sizes in bytes.
public struct ConnectionLimits: Sendable, Equatable {
  /// The time limit for a request head, from the start of the connection or from the first byte of a later request.
  public var headSeconds: Int
  /// The maximum size of a request line and header fields together, including line terminators.
  public var headBytes: Int
  /// The maximum number of header fields.
  public var headFields: Int
  /// The maximum size of the request target.
  public var targetBytes: Int
  /// The maximum size of a body, without chunk framing.
  public var bodyBytes: Int
  /// Maximum sizes of bodies that replace ``bodyBytes`` for some paths. Paths must match exactly.
  public var largerBodies: [String: Int]
  /// The minimum number of bytes per second at which a client must send a body, on average over a window. Only time
  /// in which the service waits for the client counts.
  public var minimumBodyBytesPerSecond: Int
  /// The waiting time at the start of a body in which the rate is not checked.
  public var bodyGraceSeconds: Int
  /// The waiting time over which the rate of a body is averaged.
  public var bodyWindowSeconds: Int
  /// The time within which a client must read more of the response while the output buffer is full.
  public var writeStallSeconds: Int
  /// The minimum number of bytes per second that such a client must read, on average over ``writeStallSeconds``.
  public var minimumResponseBytesPerSecond: Int
  /// The time after which an idle connection is closed.
  public var idleSeconds: Int
  /// The time for which a client may continue to send after the last response, so that it receives the response and
  /// not a connection reset.
  public var lingerSeconds: Int
  /// The maximum number of bytes that are discarded in that time.
  public var lingerBytes: Int

  /// Creates limits. The default values suit a service behind a proxy.
  public init(
    headSeconds: Int = 10,
    headBytes: Int = 16_384,
    headFields: Int = 100,
    targetBytes: Int = 8_192,
    bodyBytes: Int = 1_048_576,
    largerBodies: [String: Int] = ["/v1/batch": 1 << 30],
    minimumBodyBytesPerSecond: Int = 500,
    bodyGraceSeconds: Int = 10,
    bodyWindowSeconds: Int = 10,
    writeStallSeconds: Int = 30,
    minimumResponseBytesPerSecond: Int = 500,
    idleSeconds: Int = 60,
    lingerSeconds: Int = 1,
    lingerBytes: Int = 1_048_576
  ) {
    self.headSeconds = headSeconds
    self.headBytes = headBytes
    self.headFields = headFields
    self.targetBytes = targetBytes
    self.bodyBytes = bodyBytes
    self.largerBodies = largerBodies
    self.minimumBodyBytesPerSecond = minimumBodyBytesPerSecond
    self.bodyGraceSeconds = bodyGraceSeconds
    self.bodyWindowSeconds = bodyWindowSeconds
    self.writeStallSeconds = writeStallSeconds
    self.minimumResponseBytesPerSecond = minimumResponseBytesPerSecond
    self.idleSeconds = idleSeconds
    self.lingerSeconds = lingerSeconds
    self.lingerBytes = lingerBytes
  }
}
