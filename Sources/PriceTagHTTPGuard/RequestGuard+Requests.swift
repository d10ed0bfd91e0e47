import NIOCore

extension RequestGuard {
  /// The time for which an idle connection stays open when the service begins to stop, because a request may be in
  /// transit.
  static let lastRequestTime = TimeAmount.seconds(1)

  /// The time after which a client that has closed its side is probed, if its response has not begun.
  static let probeTime = TimeAmount.milliseconds(500)

  /// Finds out whether a client that has closed its side of the connection still waits for the response.
  ///
  /// The end of the input is the same if the client has closed the connection, but the client's system then resets it when
  /// it receives output. An interim response is output that a client must be able to receive (RFC 9110, 15.2).
  func probeClient(_ context: ChannelHandlerContext) {
    guard inputHasEnded, !responseHasBegun else { return }
    if requestIsHTTP10 { onClientGone?() } else { writeContinue(context) }
  }

  /// Makes the next response the last of the connection. The client may send one more request until it receives that
  /// response.
  func beginDraining() {
    guard !isDraining else { return }
    isDraining = true
    guard let context, phase == .receiving, framing.isBeforeHead || framing.isInHead else { return }
    let end = context.eventLoop.now + Self.lastRequestTime
    deadline = min(deadline ?? .distantFuture, end)
    armTimer(context)
  }

  /// Records whether the connection is idle, so that it may be closed for a new one. A refused connection always is.
  func setIdle(_ isIdle: Bool) {
    if let place, connectionRefusal == nil { rules.connections?.set(place, isIdle ? .idle : .busy) }
  }

  /// Closes the connection for a new one, because it is idle. If a request has begun meanwhile, closes it after the response.
  func makeRoom() {
    guard let context else { return }
    switch phase {
    case .receiving where framing.isInHead && bufferedBytes(context) == 0: close(context)
    case .receiving where framing.isInHead: finish(context)
    case .finishing where outputIsClosed: close(context)
    default: isDraining = true
    }
  }

  /// Records that the response to the current request begins.
  ///
  /// - Returns: Whether it is the last response. Its head must then announce the close, or the client's next request
  ///   would be lost.
  package func responseBegins() -> Bool {
    responseHasBegun = true
    // Requests that have already arrived are still answered.
    if isDraining || rules.drain.hasBegun, pendingInput == nil { isLastRequest = true }
    return isLastRequest
  }

  /// Records that the response to the current request has been written completely.
  package func responseHasEnded() {
    guard let context, phase == .receiving || phase == .answering else { return }
    responseHasBegun = true
    responseIsComplete = true
    // A response may end before the body of its request. The next request starts after both are complete, and after
    // the current `take` has returned.
    if phase == .answering, !isForwarding { endRequest(context) }
  }

  /// Starts the next request or closes the connection, after a request and its response are complete.
  func endRequest(_ context: ChannelHandlerContext) {
    let isLast = isLastRequest || (inputHasEnded && pendingInput == nil)
    guard isLast || pendingInput != nil else {
      beginNextRequest()
      let idleTime = isDraining ? Self.lastRequestTime : .seconds(Int64(rules.limits.idleSeconds))
      deadline = context.eventLoop.now + idleTime
      return armTimer(context)
    }
    // The end of the response is still being written, so continue in the next tick of the event loop.
    context.eventLoop.assumeIsolated().execute { [self] in
      guard phase == .answering else { return }
      if isLast { return finish(context) }
      takePendingInput(context)
    }
  }

  private func beginNextRequest() {
    phase = .receiving
    setIdle(true)
    hasServedRequest = true
    responseHasBegun = false
    responseIsComplete = false
    framing.beginNextRequest()
  }

  private func takePendingInput(_ context: ChannelHandlerContext) {
    beginNextRequest()
    guard let bytes = pendingInput else { return }
    pendingInput = nil
    take(bytes, context)
    guard phase == .receiving || phase == .answering else { return }
    context.fireChannelReadComplete()
    if inputHasEnded, pendingInput == nil { handleInputEnd(context) }
    guard readIsDeferred, (pendingInput?.readableBytes ?? 0) <= rules.limits.headBytes else { return }
    readIsDeferred = false
    read(context: context)
  }

  /// Handles the end of the input and the shutdown of the server.
  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      inputHasEnded = true
      if phase == .answering {
        deadline = context.eventLoop.now + Self.probeTime
        armTimer(context)
      }
      // The application must not see the end before it receives the pending requests.
      if phase != .answering || pendingInput == nil { handleInputEnd(context) }
    // Not forwarded, because it would close a connection whose next request may be in transit.
    case is ChannelShouldQuiesceEvent: beginDraining()
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  /// Handles the end of the input in the current phase.
  func handleInputEnd(_ context: ChannelHandlerContext) {
    switch phase {
    case .receiving: framing.isInHead || responseIsComplete ? finish(context) : close(context)
    case .answering: reportInputEnd(context)
    case .finishing: if outputIsClosed { close(context) }
    case .closed: reportInputEnd(context)
    }
  }

  /// Reports the end of the input to the application, once.
  func reportInputEnd(_ context: ChannelHandlerContext) {
    guard !hasReportedInputEnd else { return }
    hasReportedInputEnd = true
    context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
  }
}
