import NIOCore

/// Stands before the HTTP decoder and lets through one request at a time: whole, well-formed heads, and bodies
/// that keep to their length and come fast enough. All else is answered and closed here.
///
/// The head of a request is passed on in one piece once it is complete, a body as it comes. Bytes of a next
/// request wait until ``responseHasEnded()`` says that the current one is answered.
package final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
  /// Bytes of the connection.
  package typealias InboundIn = ByteBuffer
  /// The same bytes, as far as they are let through.
  package typealias InboundOut = ByteBuffer
  /// What the HTTP encoder writes.
  package typealias OutboundIn = IOData
  /// Answers of the guard itself; all else is passed on untouched.
  package typealias OutboundOut = ByteBuffer

  /// Where the connection stands.
  enum Phase {
    /// A request is awaited or comes in.
    case receiving
    /// A whole request has been passed on, and its response has not ended.
    case answering
    /// Nothing passes any more: the last answer is on its way, and what comes in is thrown away.
    case finishing
    /// The connection is gone.
    case closed
  }

  /// What the connection may cost.
  let limits: ConnectionLimits
  /// Returns a new name for a request that is refused.
  let newRequestID: @Sendable () -> String
  /// Returns the time as an answer's `Date` field has it.
  let date: @Sendable () -> String
  /// Body of the answer to a refused request.
  let refusalBody: @Sendable (RequestRefusal, _ requestID: String) -> [UInt8]
  /// Told of every refusal.
  let onRefusal: @Sendable (RequestRefusal, _ requestID: String) -> Void
  /// Told of the connection's begin and end.
  let onConnection: @Sendable (Bool) -> Void
  /// Whether the service stops.
  let drain: ServiceDrain
  /// Returns further fields of the answer to a refused request, by its `Origin` where that is known.
  package var refusalFields: (_ origin: String?) -> String = { _ in "" }
  /// Told of every refusal with what is known of its request.
  package var onRefusedExchange: ((RefusedExchange) -> Void)?
  /// Why the connection is refused as a whole. Its first bytes are answered with it, which come after a TLS handshake;
  /// where none come soon, it is closed.
  package var connectionRefusal: RequestRefusal?

  /// Where the connection stands.
  var phase = Phase.receiving
  /// Finds the ends of heads and bodies.
  var framing: RequestFraming
  /// Rate of the body that comes in; nil while none does.
  var rate: BodyRate?
  /// Watch over a client that does not take its response; nil while it does.
  var stall: OutputStall?
  /// When the head, the wait between requests, the window of the body or the lingering ends.
  var deadline: NIODeadline?
  /// The task that looks at the deadlines.
  var timer = DeadlineTimer()
  /// The guard's place in the pipeline, as long as it has one.
  var context: ChannelHandlerContext?

  /// The start of a head whose end has not come.
  var partialHead: ByteBuffer?
  /// Bytes after the current request.
  var held: ByteBuffer?
  /// Whether the connection was counted as open and not yet as closed.
  var isOpen = false
  /// Whether this is not the first request.
  var hasServedRequest = false
  /// Whether the connection ends with the current request.
  var isLastRequest = false
  /// Whether an answer of the guard would come too late.
  var responseHasBegun = false
  /// Whether the response has been written to its end.
  var responseIsComplete = false
  /// Whether bytes are on their way to the application, which may answer before it returns.
  var isPassing = false
  /// Whether the client has closed its side.
  var inputHasEnded = false
  /// Whether the application knows of an end of the input.
  var inputEndIsTold = false
  /// Whether the server's side is closed and all has gone out.
  var outputIsClosed = false
  /// Whether the service waits for bytes.
  var readIsOutstanding = false
  /// Whether the application asked for more while enough was held.
  var readIsHeldBack = false
  /// Bytes thrown away after the last answer.
  var discardedBytes = 0
  /// Whether the service stops, and the connection with its next response.
  var isDraining = false
  /// Whether the current request is in HTTP/1.0.
  package private(set) var requestIsHTTP10 = false
  /// When the connection or its current request began, where ``onRefusedExchange`` wants to know.
  var requestStart = NIODeadline.uptimeNanoseconds(0)

  /// A guard for one connection.
  /// - Parameters:
  ///   - limits: what the connection may cost.
  ///   - refusalBody: body of the answer to a refused request, as `application/problem+json`.
  ///   - onRefusal: told of every refusal, answered or not.
  ///   - onConnection: told `true` when the connection opens and `false` when it closes.
  ///   - drain: whether the service stops.
  ///   - newRequestID: returns a new name for a request that is refused, which its answer and its log carry.
  ///   - date: returns the time as an answer's `Date` field has it (RFC 9110, 5.6.7).
  package init(
    limits: ConnectionLimits,
    drain: ServiceDrain = ServiceDrain(),
    newRequestID: @escaping @Sendable () -> String,
    date: @escaping @Sendable () -> String,
    refusalBody: @escaping @Sendable (RequestRefusal, _ requestID: String) -> [UInt8],
    onRefusal: @escaping @Sendable (RequestRefusal, _ requestID: String) -> Void,
    onConnection: @escaping @Sendable (Bool) -> Void
  ) {
    self.limits = limits
    self.drain = drain
    self.newRequestID = newRequestID
    self.date = date
    self.refusalBody = refusalBody
    self.onRefusal = onRefusal
    self.onConnection = onConnection
    framing = RequestFraming(limits: limits)
  }

  // MARK: Begin and end of the connection

  /// Begins where the connection is open already.
  package func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if context.channel.isActive { open(context) }
  }

  /// Lets go of the connection.
  package func handlerRemoved(context: ChannelHandlerContext) {
    end()
    self.context = nil
  }

  /// Begins, before a TLS handshake.
  package func channelActive(context: ChannelHandlerContext) {
    open(context)
    context.fireChannelActive()
  }

  /// Ends.
  package func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  /// Counts the connection and starts the first deadline.
  func open(_ context: ChannelHandlerContext) {
    guard !isOpen, phase != .closed else { return }
    isOpen = true
    onConnection(true)
    let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
    drain.add(ObjectIdentifier(self)) {
      connection.eventLoop.execute { connection.value.beginDraining() }
    }
    requestStart = context.eventLoop.now
    let seconds = connectionRefusal == nil ? limits.headSeconds : limits.lingerSeconds
    deadline = requestStart + .seconds(Int64(seconds))
    armTimer(context)
  }

  /// Lets go of everything.
  func end() {
    phase = .closed
    timer.cancel()
    partialHead = nil
    held = nil
    guard isOpen else { return }
    isOpen = false
    onConnection(false)
    drain.remove(ObjectIdentifier(self))
  }

  // MARK: Input

  /// Asks for more, unless enough of a next request is held already.
  package func read(context: ChannelHandlerContext) {
    // While finishing, the guard reads by itself.
    guard phase != .finishing else { return }
    guard (held?.readableBytes ?? 0) <= limits.headBytes else {
      readIsHeldBack = true
      return
    }
    readIsOutstanding = true
    if rate != nil { waitForBody(context) }
    context.read()
  }

  /// Takes bytes.
  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    switch phase {
    case .receiving:
      if let connectionRefusal { return refuse(connectionRefusal, context) }
      take(buffer, context)
    case .answering:
      hold(buffer)
    case .finishing:
      discardedBytes += buffer.readableBytes
      if discardedBytes > limits.lingerBytes { close(context) }
    case .closed:
      break
    }
  }

  /// Ends the time for which the client was waited for.
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

  /// Keeps bytes of a next request.
  func hold(_ buffer: ByteBuffer) {
    // After the last request of a connection nothing is a request any more.
    guard !isLastRequest, buffer.readableBytes > 0 else { return }
    if held == nil {
      held = buffer
    } else {
      held?.writeImmutableBuffer(buffer)
    }
  }

  /// Takes bytes of the current request and what follows it.
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
    if framing.isInHead { return keep(buffer, isFirst: wasBeforeHead, context) }
    if !wasInHead { rate?.count(accepted) }
    var rest = buffer
    let passed = rest.readSlice(length: accepted) ?? buffer
    if requestIsComplete {
      phase = .answering
      rate = nil
      deadline = nil
      hold(rest)
    }
    isPassing = true
    pass(passed, context)
    isPassing = false
    if requestIsComplete, responseIsComplete { goOn(context) }
  }

  /// Notes what a head says; says whether the request ends with it.
  func begin(_ head: RequestHead, bodyIsHere: Bool, _ context: ChannelHandlerContext) -> Bool {
    deadline = nil
    isLastRequest = head.closesConnection
    requestIsHTTP10 = head.isHTTP10
    guard head.body != .none else { return true }
    // The decoder and the application behind never answer this, so that there is one such answer.
    if head.expectsContinue, !bodyIsHere {
      context.writeAndFlush(
        wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")),
        promise: nil
      )
    }
    rate = BodyRate(limits: limits)
    if readIsOutstanding { waitForBody(context) }
    return false
  }

  /// Keeps the start of a head.
  func keep(_ buffer: ByteBuffer, isFirst: Bool, _ context: ChannelHandlerContext) {
    if partialHead == nil {
      partialHead = buffer
    } else {
      partialHead?.writeImmutableBuffer(buffer)
    }
    // The first head has its deadline since the connection began.
    guard isFirst, hasServedRequest else { return }
    deadline = context.eventLoop.now + .seconds(Int64(limits.headSeconds))
    armTimer(context)
  }

  /// Passes accepted bytes on, with the start of their head where it came earlier.
  func pass(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
    guard var whole = partialHead else { return context.fireChannelRead(wrapInboundOut(buffer)) }
    partialHead = nil
    whole.writeImmutableBuffer(buffer)
    context.fireChannelRead(wrapInboundOut(whole))
  }

  /// Counts the time from now on as the client's.
  func waitForBody(_ context: ChannelHandlerContext) {
    rate?.beginWaiting(at: context.eventLoop.now)
    deadline = rate?.deadline
    armTimer(context)
  }
}

@available(*, unavailable)
extension RequestGuard: Sendable {}
