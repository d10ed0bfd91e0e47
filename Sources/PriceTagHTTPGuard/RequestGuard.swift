import NIOCore

/// Checks the bytes of a connection before the HTTP decoder, and forwards one request at a time.
///
/// The guard forwards complete, well-formed heads, and bodies that match their length and arrive fast enough. It
/// refuses any other request with an error response and closes the connection. A head is forwarded in one piece, a body
/// as it arrives. Bytes of the next request are stored until ``responseHasEnded()`` is called.
package final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
  /// The bytes that the client sends.
  package typealias InboundIn = ByteBuffer
  /// The accepted bytes.
  package typealias InboundOut = ByteBuffer
  /// The output of the HTTP encoder.
  package typealias OutboundIn = IOData
  /// The guard's own responses. Other output is forwarded unchanged.
  package typealias OutboundOut = ByteBuffer

  /// The phases of a connection.
  enum Phase {
    /// The guard waits for a request or receives one.
    case receiving
    /// A complete request has been forwarded, and its response has not ended.
    case answering
    /// The last response is being sent. Input is discarded.
    case finishing
    /// The connection is closed.
    case closed
  }

  /// How requests are checked, answered and reported.
  let rules: GuardRules
  /// Called for every refusal that the guard responds to, with the known properties of the request.
  package var onRefusedExchange: ((RefusedExchange) -> Void)?
  /// Called when the client no longer waits for a response, possibly several times.
  package var onClientGone: (() -> Void)?
  /// The refusal of the complete connection. It is sent when the first bytes arrive, after a TLS handshake. If no bytes
  /// arrive soon, the connection is closed.
  package var connectionRefusal: RequestRefusal?

  /// The place among the connections of the port.
  var place: OpenConnections.Place?
  /// The current phase.
  var phase = Phase.receiving
  /// Finds the end of heads and bodies.
  var framing: RequestFraming
  /// The rate of the current body; `nil` if no body is being received.
  var rate: BodyRate?
  /// Monitors a client that does not read its response; `nil` while the output buffer has room.
  var stall: OutputStall?
  /// The time limit of the current head, idle time, body window or lingering close.
  var deadline: NIODeadline?
  /// The task that checks the deadlines.
  var timer = DeadlineTimer()
  /// The guard's context while it is in a pipeline.
  var context: ChannelHandlerContext?

  /// The start of an incomplete head.
  var partialHead: ByteBuffer?
  /// Bytes after the current request.
  var pendingInput: ByteBuffer?
  /// Whether the connection has been reported as open and not yet as closed.
  var isOpen = false
  /// Whether the first request is complete.
  var hasServedRequest = false
  /// Whether the connection closes after the current request.
  var isLastRequest = false
  /// Whether the response to the current request has begun, so that the guard cannot send its own.
  var responseHasBegun = false
  /// Whether the response has been written completely.
  var responseIsComplete = false
  /// Whether the guard is forwarding bytes to the application, which may respond before the call returns.
  var isForwarding = false
  /// Whether the client has closed its side of the connection.
  var inputHasEnded = false
  /// Whether the end of the input has been reported to the application.
  var hasReportedInputEnd = false
  /// Whether all output is sent and the server's side of the connection is closed.
  var outputIsClosed = false
  /// Whether the service is waiting for bytes.
  var readIsOutstanding = false
  /// Whether a read of the application is deferred because enough input is pending.
  var readIsDeferred = false
  /// The number of bytes discarded after the last response.
  var discardedBytes = 0
  /// Whether the service is stopping, so that the connection closes after its next response.
  var isDraining = false
  /// Whether the current request uses HTTP/1.0.
  package private(set) var requestIsHTTP10 = false
  /// When the connection or its current request began. Updated only if ``onRefusedExchange`` is set.
  var requestStart = NIODeadline.uptimeNanoseconds(0)

  /// Creates a guard for a connection.
  package init(_ rules: GuardRules) {
    self.rules = rules
    framing = RequestFraming(limits: rules.limits)
  }

  // MARK: Opening and closing

  /// Starts guarding if the connection is already open.
  package func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if context.channel.isActive { open(context) }
  }

  /// Stops guarding.
  package func handlerRemoved(context: ChannelHandlerContext) {
    end()
    self.context = nil
  }

  /// Starts guarding, before a TLS handshake.
  package func channelActive(context: ChannelHandlerContext) {
    open(context)
    context.fireChannelActive()
  }

  /// Stops guarding.
  package func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  /// Reports the connection as open and starts the first deadline.
  func open(_ context: ChannelHandlerContext) {
    guard !isOpen, phase != .closed else { return }
    isOpen = true
    rules.onConnection(true)
    let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
    rules.drain.add(ObjectIdentifier(self)) {
      connection.eventLoop.execute { connection.value.beginDraining() }
    }
    if let connections = rules.connections {
      let place = OpenConnections.Place { connection.eventLoop.execute { connection.value.makeRoom() } }
      self.place = place
      if !connections.add(place) { connectionRefusal = .outOfConnections(limit: connections.maximum) }
    }
    requestStart = context.eventLoop.now
    let seconds = connectionRefusal == nil ? rules.limits.headSeconds : rules.limits.lingerSeconds
    deadline = requestStart + .seconds(Int64(seconds))
    armTimer(context)
  }

  /// Cancels the timer, discards stored bytes and reports the connection as closed.
  func end() {
    phase = .closed
    timer.cancel()
    partialHead = nil
    pendingInput = nil
    onClientGone?()
    guard isOpen else { return }
    isOpen = false
    rules.onConnection(false)
    rules.drain.remove(ObjectIdentifier(self))
    if let place { rules.connections?.set(place, .closed) }
    place = nil
  }

  // MARK: Input

  /// Reads more input, unless enough input is pending.
  package func read(context: ChannelHandlerContext) {
    // In the finishing phase, the guard reads on its own.
    guard phase != .finishing else { return }
    guard (pendingInput?.readableBytes ?? 0) <= rules.limits.headBytes else {
      readIsDeferred = true
      return
    }
    readIsOutstanding = true
    if rate != nil { waitForBody(context) }
    context.read()
  }

  /// Handles received bytes.
  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    switch phase {
    case .receiving:
      if let connectionRefusal { return refuse(connectionRefusal, context) }
      take(buffer, context)
    case .answering:
      storePending(buffer)
    case .finishing:
      discardedBytes += buffer.readableBytes
      if discardedBytes > rules.limits.lingerBytes { close(context) }
    case .closed:
      break
    }
  }

  /// Ends the time in which the service waited for the client.
  package func channelReadComplete(context: ChannelHandlerContext) {
    readIsOutstanding = false
    if rate != nil {
      let now = context.eventLoop.now
      rate?.endWaiting(at: now)
      deadline = nil
      if rate?.isTooSlow(at: now) == true { refuseSlowBody(context) }
    }
    context.fireChannelReadComplete()
    if phase == .finishing, !inputHasEnded { context.read() }
  }

  /// Stores bytes of the next request.
  func storePending(_ buffer: ByteBuffer) {
    // Bytes after the last request of a connection are not a request.
    guard !isLastRequest, buffer.readableBytes > 0 else { return }
    pendingInput.setOrWriteImmutableBuffer(buffer)
  }

  /// Handles bytes of the current request, and stores bytes that follow it.
  func take(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
    let wasBeforeHead = framing.isBeforeHead
    let wasInHead = framing.isInHead
    if wasBeforeHead, onRefusedExchange != nil { requestStart = context.eventLoop.now }
    var accepted = 0
    var requestIsComplete = false
    while accepted < buffer.readableBytes, !requestIsComplete {
      let (consumed, event) = buffer.withUnsafeReadableBytes {
        framing.feed($0.part(accepted..<$0.count))
      }
      accepted += consumed
      switch event {
      case .unfinished: break
      case .head(let head):
        requestIsComplete = begin(head, bodyIsHere: accepted < buffer.readableBytes, context)
      case .complete: requestIsComplete = true
      case .refused(let refusal): return refuse(refusal, context)
      }
    }
    if framing.isInHead { return storePartialHead(buffer, isFirst: wasBeforeHead, context) }
    if !wasInHead { rate?.count(accepted) }
    var rest = buffer
    let acceptedBytes = rest.readSlice(length: accepted) ?? buffer
    if requestIsComplete {
      phase = .answering
      rate = nil
      deadline = nil
      storePending(rest)
    }
    isForwarding = true
    forward(acceptedBytes, context)
    isForwarding = false
    if requestIsComplete, responseIsComplete { endRequest(context) }
  }

  /// Handles a complete head. Returns whether the request has no body.
  func begin(_ head: RequestHead, bodyIsHere: Bool, _ context: ChannelHandlerContext) -> Bool {
    setIdle(false)
    deadline = nil
    isLastRequest = head.closesConnection
    requestIsHTTP10 = head.isHTTP10
    guard head.body != .none else { return true }
    // Only the guard sends this response; the decoder and the application never do.
    if head.expectsContinue, !bodyIsHere { writeContinue(context) }
    rate = BodyRate(limits: rules.limits)
    if readIsOutstanding { waitForBody(context) }
    return false
  }

  func writeContinue(_ context: ChannelHandlerContext) {
    let interim = ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
    context.writeAndFlush(wrapOutboundOut(interim), promise: nil)
  }

  /// Stores the start of a head.
  func storePartialHead(_ buffer: ByteBuffer, isFirst: Bool, _ context: ChannelHandlerContext) {
    partialHead.setOrWriteImmutableBuffer(buffer)
    // The deadline of the first head was set when the connection opened.
    guard isFirst, hasServedRequest else { return }
    deadline = context.eventLoop.now + .seconds(Int64(rules.limits.headSeconds))
    armTimer(context)
  }

  /// Forwards accepted bytes, after the start of their head if that arrived earlier.
  func forward(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
    guard var bytes = partialHead else { return context.fireChannelRead(wrapInboundOut(buffer)) }
    partialHead = nil
    bytes.writeImmutableBuffer(buffer)
    context.fireChannelRead(wrapInboundOut(bytes))
  }

  /// Starts counting the time in which the service waits for the client.
  func waitForBody(_ context: ChannelHandlerContext) {
    rate?.beginWaiting(at: context.eventLoop.now)
    deadline = rate?.deadline
    armTimer(context)
  }
}
