/// What one HTTP/1.1 connection may cost the service. Times are whole seconds, sizes are bytes.
public struct ConnectionLimits: Sendable, Equatable {
  /// Time from the connection's start, or from the first byte of a later request, until its whole head is there.
  public var headSeconds: Int
  /// Size of a request's line and fields together, line ends included.
  public var headBytes: Int
  /// Number of fields in a head.
  public var headFields: Int
  /// Size of the request target.
  public var targetBytes: Int
  /// Size of a body, without the framing of its chunks.
  public var bodyBytes: Int
  /// Sizes of a body that stand in place of ``bodyBytes``, by the exact path of the request.
  public var largerBodies: [String: Int]
  /// Bytes a second that a client must send of a body, as the average of a window. Only time counts in which
  /// the service waits for the client.
  public var leastBodyBytesPerSecond: Int
  /// Waiting time at the start of a body in which its rate is not judged.
  public var bodyGraceSeconds: Int
  /// Waiting time over which the rate of a body is averaged.
  public var bodyWindowSeconds: Int
  /// Time in which a client that has filled the output buffer must take more of the response.
  public var writeStallSeconds: Int
  /// Bytes a second that such a client must take, as the average over ``writeStallSeconds``.
  public var leastResponseBytesPerSecond: Int
  /// Time between two requests after which the connection is closed.
  public var idleSeconds: Int
  /// Time for which a client may go on sending after the last response, so that it reads that response
  /// instead of a reset.
  public var lingerSeconds: Int
  /// Bytes that are read and thrown away in that time.
  public var lingerBytes: Int

  /// Limits; each has the value that suits a service behind a proxy.
  public init(
    headSeconds: Int = 10,
    headBytes: Int = 16_384,
    headFields: Int = 100,
    targetBytes: Int = 8_192,
    bodyBytes: Int = 1_048_576,
    largerBodies: [String: Int] = ["/v1/batch": 1 << 30],
    leastBodyBytesPerSecond: Int = 500,
    bodyGraceSeconds: Int = 10,
    bodyWindowSeconds: Int = 10,
    writeStallSeconds: Int = 30,
    leastResponseBytesPerSecond: Int = 500,
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
    self.leastBodyBytesPerSecond = leastBodyBytesPerSecond
    self.bodyGraceSeconds = bodyGraceSeconds
    self.bodyWindowSeconds = bodyWindowSeconds
    self.writeStallSeconds = writeStallSeconds
    self.leastResponseBytesPerSecond = leastResponseBytesPerSecond
    self.idleSeconds = idleSeconds
    self.lingerSeconds = lingerSeconds
    self.lingerBytes = lingerBytes
  }
}
