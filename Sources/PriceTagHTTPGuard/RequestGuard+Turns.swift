import NIOCore

/// From one request to the next.
extension RequestGuard {
  /// The time that an idle connection has to send a request that is on its way when the service begins to stop.
  static let lastRequestTime = TimeAmount.seconds(1)

  /// The service stops: the response that comes next is the connection's last, and says so. Until then a client that
  /// knows nothing of it may send one more request.
  func beginDraining() {
    guard !isDraining else { return }
    isDraining = true
    guard let context, phase == .receiving, framing.isBeforeHead || framing.isInHead else { return }
    let end = context.eventLoop.now + Self.lastRequestTime
    deadline = min(deadline ?? .distantFuture, end)
    armTimer(context)
  }

  /// The response to the current request has begun.
  ///
  /// - Returns: Whether it is the last, which its head has to say: the client's next request would be lost.
  package func responseBegins() -> Bool {
    responseHasBegun = true
    // Requests that have arrived already are answered too.
    if isDraining || drain.hasBegun, held == nil { isLastRequest = true }
    return isLastRequest
  }

  /// The response to the current request has been written to its end.
  package func responseHasEnded() {
    guard let context, phase == .receiving || phase == .answering else { return }
    responseHasBegun = true
    responseIsComplete = true
    // A response may end before the body of its request. The next request waits for both, and for who passes them on.
    if phase == .answering, !isPassing { goOn(context) }
  }

  /// Goes on once a request and its response are both complete.
  func goOn(_ context: ChannelHandlerContext) {
    let isLast = isLastRequest || (inputHasEnded && held == nil)
    guard isLast || held != nil else {
      beginNextRequest()
      let idleTime = isDraining ? Self.lastRequestTime : .seconds(Int64(limits.idleSeconds))
      deadline = context.eventLoop.now + idleTime
      return armTimer(context)
    }
    // The end of the response is still being written, so this waits until that is over.
    context.eventLoop.assumeIsolated().execute { [self] in
      guard phase == .answering else { return }
      if isLast { return finish(context) }
      takeHeld(context)
    }
  }

  private func beginNextRequest() {
    phase = .receiving
    hasServedRequest = true
    responseHasBegun = false
    responseIsComplete = false
    framing.beginNextRequest()
  }

  private func takeHeld(_ context: ChannelHandlerContext) {
    beginNextRequest()
    guard let bytes = held else { return }
    held = nil
    take(bytes, context)
    guard phase == .receiving || phase == .answering else { return }
    context.fireChannelReadComplete()
    if inputHasEnded, held == nil { inputEnds(context) }
    guard readIsHeldBack, (held?.readableBytes ?? 0) <= limits.headBytes else { return }
    readIsHeldBack = false
    read(context: context)
  }

  /// Looks for the end of the input, and for the service's.
  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      inputHasEnded = true
      // An application that saw the end now would miss the requests that are held.
      if phase != .answering || held == nil { inputEnds(context) }
    // Passed on, it would close a connection whose next request is on its way.
    case is ChannelShouldQuiesceEvent: beginDraining()
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  /// Does what the end of the input asks for now.
  func inputEnds(_ context: ChannelHandlerContext) {
    switch phase {
    case .receiving: framing.isInHead || responseIsComplete ? finish(context) : close(context)
    case .answering: tellInputEnd(context)
    case .finishing: if outputIsClosed { close(context) }
    case .closed: tellInputEnd(context)
    }
  }

  /// Tells the application of the end of its input, once.
  func tellInputEnd(_ context: ChannelHandlerContext) {
    guard !inputEndIsTold else { return }
    inputEndIsTold = true
    context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
  }
}
