import NIOCore

/// From one request to the next.
extension RequestGuard {
  /// Tells that the service stops, where that was held back.
  func tellQuiescing(_ context: ChannelHandlerContext) {
    guard let event = quiescing else { return }
    quiescing = nil
    context.fireUserInboundEventTriggered(event)
  }

  /// The response to the current request has begun.
  func responseBegins() { responseHasBegun = true }

  /// The response to the current request has been written to its end.
  func responseHasEnded() {
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
      deadline = context.eventLoop.now + .seconds(Int64(limits.idleSeconds))
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
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      inputHasEnded = true
      // An application that saw the end now would miss the requests that are held.
      if phase != .answering || held == nil { inputEnds(context) }
    case let event as ChannelShouldQuiesceEvent
    where held != nil || (phase == .receiving && framing.isInHead):
      holdBack(event, context)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  /// Holds back that the service stops while a request may be on its way that nobody behind knows of: it would be cut
  /// off.
  private func holdBack(_ event: ChannelShouldQuiesceEvent, _ context: ChannelHandlerContext) {
    quiescing = event
    // A head that has begun has not long to be whole.
    if let end = deadline, !framing.isBeforeHead {
      deadline = min(end, context.eventLoop.now + .seconds(1))
      armTimer(context)
    }
    context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(100)) { [self] in
      if phase == .receiving, framing.isBeforeHead { tellQuiescing(context) }
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
