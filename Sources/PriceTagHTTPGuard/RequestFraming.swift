/// Finds the end of the head and the body of each request. Refuses requests that are too large, or that two parsers
/// could interpret differently.
///
/// The input may arrive in pieces of any size. A line is checked when it is complete, so the result does not depend on
/// the pieces. The HTTP decoder receives the accepted bytes unchanged.
struct RequestFraming: Sendable {
  /// The state at the end of the consumed bytes.
  enum Event: Sendable, Equatable {
    /// All bytes are consumed, and neither a head nor a request has ended.
    case unfinished
    /// The head has ended. If the request has no body, the request has ended too.
    case head(RequestHead)
    /// The body, and with it the request, has ended.
    case complete
    /// The request and all bytes after it are refused.
    case refused(RequestRefusal)
  }

  private enum State: Sendable {
    case requestLine
    case fields
    case length(left: Int)
    case chunks(ChunkFraming)
    case complete
    case refused(RequestRefusal)
  }

  private let limits: ConnectionLimits
  private var state = State.requestLine
  private var headSize = 0
  private var hasSkippedLine = false
  /// The first line of the request; `nil` until it is complete.
  private(set) var requestLine: RequestLine?
  private var fields = HeaderFields()
  /// The start of an incomplete line. A head that arrives in one piece leaves it empty.
  private var unfinishedLine: [UInt8] = []

  /// Creates the framing of a connection.
  init(limits: ConnectionLimits) { self.limits = limits }

  /// The `Origin` field of the request; `nil` until it is complete.
  var origin: String? { fields.origin }

  /// Whether the head is incomplete.
  var isInHead: Bool {
    switch state {
    case .requestLine, .fields: true
    default: false
    }
  }

  /// Whether the first byte of the request has not arrived.
  var isBeforeHead: Bool { isInHead && headSize == 0 }

  /// Starts the next request, after the last one is complete.
  mutating func beginNextRequest() { self = RequestFraming(limits: limits) }

  /// Consumes bytes up to the next event.
  ///
  /// - Returns: The number of bytes consumed, and the event.
  mutating func feed(_ bytes: UnsafeRawBufferPointer) -> (consumed: Int, event: Event) {
    do throws(RequestRefusal) {
      switch state {
      case .requestLine, .fields:
        return try feedHead(bytes)
      case .length(let left):
        let taken = min(left, bytes.count)
        state = taken == left ? .complete : .length(left: left - taken)
        return (taken, taken == left ? .complete : .unfinished)
      case .chunks(var chunks):
        let (consumed, hasEnded) = try chunks.take(bytes)
        state = hasEnded ? .complete : .chunks(chunks)
        return (consumed, hasEnded ? .complete : .unfinished)
      case .complete:
        return (0, .complete)
      case .refused(let refusal):
        return (0, .refused(refusal))
      }
    } catch {
      state = .refused(error)
      unfinishedLine = []
      return (bytes.count, .refused(error))
    }
  }

  private mutating func feedHead(
    _ bytes: UnsafeRawBufferPointer
  ) throws(RequestRefusal) -> (consumed: Int, event: Event) {
    var position = 0
    while position < bytes.count {
      let rest = bytes.part(position..<bytes.count)
      guard let lineFeed = rest.position(of: Byte.lineFeed) else {
        try store(unfinishedLine: rest)
        return (bytes.count, .unfinished)
      }
      let piece = rest.part(0..<lineFeed + 1)
      position += piece.count
      let hasEnded =
        unfinishedLine.isEmpty ? try take(line: piece) : try takeUnfinishedLine(endedBy: piece)
      if hasEnded { return (position, .head(try endHead())) }
    }
    return (position, .unfinished)
  }

  /// Stores the start of a line. Refuses it early if no continuation can make it valid.
  private mutating func store(unfinishedLine piece: UnsafeRawBufferPointer) throws(RequestRefusal) {
    // Limit the stored bytes to the size of a head, whatever the size of the piece.
    let maximumByteCount = max(0, limits.headBytes - headSize) + 1
    unfinishedLine.append(contentsOf: piece.prefix(maximumByteCount))
    headSize += piece.count
    try unfinishedLine.withUnsafeBufferPointer { (line) throws(RequestRefusal) in
      if case .requestLine = state { try checkRequestLine(UnsafeRawBufferPointer(line)) }
    }
    guard headSize <= limits.headBytes else { throw .headTooLarge(limit: limits.headBytes) }
  }

  private mutating func takeUnfinishedLine(
    endedBy piece: UnsafeRawBufferPointer
  ) throws(RequestRefusal) -> Bool {
    var line: [UInt8] = []
    swap(&line, &unfinishedLine)
    headSize -= line.count
    line.append(contentsOf: piece)
    let hasEnded = try line.withUnsafeBufferPointer { (bytes) throws(RequestRefusal) in
      try take(line: UnsafeRawBufferPointer(bytes))
    }
    line.removeAll(keepingCapacity: true)
    unfinishedLine = line
    return hasEnded
  }

  /// Parses a line with its line feed. Returns whether it is the empty line that ends the head.
  private mutating func take(line: UnsafeRawBufferPointer) throws(RequestRefusal) -> Bool {
    headSize += line.count
    let isFirst = if case .requestLine = state { true } else { false }
    if isFirst { try checkRequestLine(line) }
    guard headSize <= limits.headBytes else { throw .headTooLarge(limit: limits.headBytes) }
    guard line.count > 1, line[line.count - 2] == Byte.carriageReturn else {
      throw .malformedHead("a header line is terminated by a bare LF")
    }
    let content = line.part(0..<line.count - 2)
    if isFirst {
      if content.isEmpty {
        hasSkippedLine = true
        return false
      }
      requestLine = try RequestLine(content, targetBytes: limits.targetBytes)
      state = .fields
      return false
    }
    if content.isEmpty { return true }
    try fields.take(content, isHTTP10: isHTTP10, limit: limits.headFields)
    return false
  }

  /// Allows one empty line before a request, as RFC 9112 recommends, and no more.
  private func checkRequestLine(_ line: UnsafeRawBufferPointer) throws(RequestRefusal) {
    if !hasSkippedLine, line[0] == Byte.carriageReturn {
      guard line.count == 1 || line[1] == Byte.lineFeed else {
        throw .malformedRequest("the request begins with a bare CR")
      }
      return
    }
    try RequestLine.checkStart(line, targetBytes: limits.targetBytes)
  }

  private mutating func endHead() throws(RequestRefusal) -> RequestHead {
    // These paths have streamed responses, for which HTTP/1.0 has no framing.
    if isHTTP10, largerBodyLimit != nil { throw .unsupportedVersion }
    guard fields.hasHost || isHTTP10 else { throw .invalidHost("the request has no Host field") }
    var body = RequestHead.Body.none
    state = .complete
    if fields.isChunked {
      state = .chunks(ChunkFraming(limit: bodyLimit))
      body = .chunked
    } else if let length = fields.contentLength, length > 0 {
      guard length <= bodyLimit else { throw .bodyTooLarge(limit: bodyLimit) }
      state = .length(left: length)
      body = .length(length)
    }
    return RequestHead(
      isHTTP10: isHTTP10,
      // An HTTP/1.0 connection stays open only if the response says so, which ours do not.
      closesConnection: isHTTP10 || fields.closesConnection,
      expectsContinue: fields.expectsContinue && !isHTTP10 && body != .none,
      body: body
    )
  }

  private var isHTTP10: Bool { requestLine?.isHTTP10 ?? false }
  private var largerBodyLimit: Int? { requestLine.flatMap { limits.largerBodies[$0.path] } }
  private var bodyLimit: Int { largerBodyLimit ?? limits.bodyBytes }
}
