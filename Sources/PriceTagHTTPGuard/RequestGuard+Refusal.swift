import NIOCore

extension RequestGuard {
  /// Responds with the refusal unless another response has begun, and closes the connection.
  func refuse(_ refusal: RequestRefusal, _ context: ChannelHandlerContext) {
    let requestID = rules.newRequestID()
    rules.onRefusal(refusal, requestID)
    if responseHasBegun { return responseIsComplete ? finish(context) : close(context) }
    let body = rules.refusalBody(refusal, requestID)
    var response = context.channel.allocator.buffer(capacity: 512 + body.count)
    response.writeString(
      "HTTP/1.1 \(refusal.status) \(refusal.reason)\r\nDate: \(rules.date())\r\n"
        + "Content-Type: application/problem+json\r\nContent-Length: \(body.count)\r\nConnection: close\r\n"
        + "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Request-ID: \(requestID)\r\n"
        + "\(refusal.allow.map { "Allow: \($0)\r\n" } ?? "")"
        + "\(refusal.retryAfter.map { "Retry-After: \($0)\r\n" } ?? "")\(rules.refusalFields(framing.origin))\r\n"
    )
    response.writeBytes(body)
    onRefusedExchange?(
      RefusedExchange(
        refusal: refusal,
        requestID: requestID,
        method: framing.requestLine?.method,
        path: framing.requestLine?.path,
        byteCount: body.count,
        start: requestStart
      )
    )
    phase = .finishing
    setIdle(false)
    deadline = nil
    // If responses to earlier requests are still being sent, this response may take as long as they do.
    if bufferedBytes(context) > 0 { monitorOutput(context) } else { linger(context) }
    let written = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(response), promise: written)
    closeOutput(after: written.futureResult, context)
    context.read()
  }

  /// Refuses a body that is sent too slowly.
  func refuseSlowBody(_ context: ChannelHandlerContext) {
    refuse(.slowBody(bytesPerSecond: rules.limits.minimumBodyBytesPerSecond), context)
  }

  /// Closes the connection after all output is sent. The limits for slow clients apply as for any response.
  func finish(_ context: ChannelHandlerContext) {
    phase = .finishing
    setIdle(false)
    deadline = nil
    monitorOutput(context)
    let written = context.eventLoop.makePromise(of: Void.self)
    // If the input has ended, closing the output closes the connection at once and would discard pending output.
    // An empty write completes after all writes before it.
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    closeOutput(after: written.futureResult, context)
  }

  private func closeOutput(after written: EventLoopFuture<Void>, _ context: ChannelHandlerContext) {
    partialHead = nil
    pendingInput = nil
    rate = nil
    // The application may be waiting for the rest of a body.
    reportInputEnd(context)
    written.assumeIsolated().whenComplete { [self] _ in
      guard phase == .finishing else { return }
      guard !inputHasEnded else { return close(context) }
      let closed = context.eventLoop.makePromise(of: Void.self)
      context.close(mode: .output, promise: closed)
      closed.futureResult.assumeIsolated().whenComplete { self.outputHasClosed($0, context) }
    }
  }

  private func outputHasClosed(_ result: Result<Void, any Error>, _ context: ChannelHandlerContext) {
    guard phase == .finishing else { return }
    guard case .success = result, !inputHasEnded else { return close(context) }
    outputIsClosed = true
    setIdle(true)
    stall = nil
    if deadline == nil { linger(context) }
    context.read()
  }

  /// Delays the close. Closing while the client is still sending causes a reset, which can reach the client before the
  /// response.
  private func linger(_ context: ChannelHandlerContext) {
    deadline = context.eventLoop.now + .seconds(Int64(rules.limits.lingerSeconds))
    armTimer(context)
  }

  /// Closes the connection immediately.
  func close(_ context: ChannelHandlerContext) {
    phase = .finishing
    deadline = nil
    stall = nil
    context.close(promise: nil)
  }
}
