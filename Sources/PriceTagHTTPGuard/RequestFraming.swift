/// Finds where the head and the body of each request end, in bytes that come in any pieces, and refuses all
/// that is too large or that two parsers could read in two ways.
///
/// It decodes nothing for the application. The decoder behind it gets the same bytes, but only those that
/// passed here. A line is judged when its end has come, so the outcome does not depend on the pieces.
struct RequestFraming: Sendable {
  /// What happened at the end of the bytes that were consumed.
  enum Event: Sendable, Equatable {
    /// All bytes were consumed, and neither a head nor a request has ended.
    case unfinished
    /// The head has ended. Where it says that no body follows, the request has ended too.
    case head(RequestHead)
    /// The body has ended, and the request with it.
    case complete
    /// The request is refused, and all bytes after it.
    case refused(RequestRefusal)
  }

  private enum Part: Sendable {
    case requestLine
    case fields
    case length(left: Int)
    case chunks(ChunkFraming)
    case complete
    case refused(RequestRefusal)
  }

  private let limits: ConnectionLimits
  private var part = Part.requestLine
  private var headSize = 0
  private var hasSkippedLine = false
  private var method = ""
  private var path = ""
  private var isHTTP10 = false
  private var fields = FieldRules()
  /// The start of a line whose end has not come. An ordinary head comes whole and leaves it empty.
  private var unfinishedLine: [UInt8] = []

  /// A parser before the first byte of a connection.
  init(limits: ConnectionLimits) { self.limits = limits }

  /// The method and the path of the request, once its first line is there.
  var requestLine: (method: String, path: String)? { method.isEmpty ? nil : (method, path) }
  /// The `Origin` field of the request, once it is there.
  var origin: String? { fields.origin }

  /// Whether the head has not ended, or not begun.
  var isInHead: Bool {
    switch part {
    case .requestLine, .fields: true
    default: false
    }
  }

  /// Whether no byte of the request has come.
  var isBeforeHead: Bool { isInHead && headSize == 0 }

  /// Goes on to the next request, after the last one was complete.
  mutating func beginNextRequest() { self = RequestFraming(limits: limits) }

  /// Takes bytes up to the next event; says how many it took.
  mutating func feed(_ bytes: UnsafeRawBufferPointer) -> (consumed: Int, event: Event) {
    do throws(RequestRefusal) {
      switch part {
      case .requestLine, .fields:
        return try feedHead(bytes)
      case .length(let left):
        let taken = min(left, bytes.count)
        part = taken == left ? .complete : .length(left: left - taken)
        return (taken, taken == left ? .complete : .unfinished)
      case .chunks(var chunks):
        let (consumed, hasEnded) = try chunks.take(bytes)
        part = hasEnded ? .complete : .chunks(chunks)
        return (consumed, hasEnded ? .complete : .unfinished)
      case .complete:
        return (0, .complete)
      case .refused(let refusal):
        return (0, .refused(refusal))
      }
    } catch {
      part = .refused(error)
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
        try keep(rest)
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

  /// Keeps the start of a line, and refuses it already where no end could make it good.
  private mutating func keep(_ piece: UnsafeRawBufferPointer) throws(RequestRefusal) {
    // No more is kept than a head may have, however large the piece is.
    let most = max(0, limits.headBytes - headSize) + 1
    unfinishedLine.append(contentsOf: piece.prefix(most))
    headSize += piece.count
    let failure: RequestRefusal? = unfinishedLine.withUnsafeBytes { line in
      do throws(RequestRefusal) {
        if case .requestLine = part { try checkRequestLine(line) }
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
    guard headSize <= limits.headBytes else { throw .headTooLarge(limit: limits.headBytes) }
  }

  private mutating func takeUnfinishedLine(
    endedBy piece: UnsafeRawBufferPointer
  ) throws(RequestRefusal) -> Bool {
    var line: [UInt8] = []
    swap(&line, &unfinishedLine)
    headSize -= line.count
    line.append(contentsOf: piece)
    let outcome: Result<Bool, RequestRefusal> = line.withUnsafeBytes { bytes in
      do throws(RequestRefusal) {
        return .success(try take(line: bytes))
      } catch {
        return .failure(error)
      }
    }
    line.removeAll(keepingCapacity: true)
    unfinishedLine = line
    return try outcome.get()
  }

  /// Takes a line with its line feed; says whether it was the empty one that ends the head.
  private mutating func take(line: UnsafeRawBufferPointer) throws(RequestRefusal) -> Bool {
    headSize += line.count
    let isFirst = if case .requestLine = part { true } else { false }
    if isFirst { try checkRequestLine(line) }
    guard headSize <= limits.headBytes else { throw .headTooLarge(limit: limits.headBytes) }
    guard line.count > 1, line[line.count - 2] == Byte.carriageReturn else {
      throw .malformedHead("a line of the head ends in a bare LF")
    }
    let content = line.part(0..<line.count - 2)
    if isFirst {
      if content.isEmpty {
        hasSkippedLine = true
        return false
      }
      let requestLine = try RequestLine(content, targetBytes: limits.targetBytes)
      method = requestLine.method
      path = requestLine.path
      isHTTP10 = requestLine.isHTTP10
      part = .fields
      return false
    }
    if content.isEmpty { return true }
    try fields.take(content, isHTTP10: isHTTP10, limit: limits.headFields)
    return false
  }

  /// RFC 9112 asks servers to bear with one empty line before a request, and no more.
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
    // What is as long as its request is answered in a stream, and HTTP/1.0 has no framing for one.
    if isHTTP10, limits.largerBodies[path] != nil { throw .unsupportedVersion }
    guard fields.hasHost || isHTTP10 else { throw .invalidHost("the head has no Host field") }
    var body = RequestHead.Body.none
    part = .complete
    if fields.isChunked {
      part = .chunks(ChunkFraming(limit: bodyLimit))
      body = .chunked
    } else if let length = fields.contentLength, length > 0 {
      guard length <= bodyLimit else { throw .bodyTooLarge(limit: bodyLimit) }
      part = .length(left: length)
      body = .length(length)
    }
    return RequestHead(
      method: method,
      path: path,
      isHTTP10: isHTTP10,
      // A client of HTTP/1.0 would have to be told that the connection stays open, and is not.
      closesConnection: isHTTP10 || fields.closesConnection,
      expectsContinue: fields.expectsContinue && !isHTTP10 && body != .none,
      body: body
    )
  }

  private var bodyLimit: Int { limits.largerBodies[path] ?? limits.bodyBytes }
}
