import NIOCore

extension RequestGuard {
  /// Answers the request with the refusal where no other answer has begun, and closes.
  func refuse(_ refusal: RequestRefusal, _ context: ChannelHandlerContext) {
    let requestID = newRequestID()
    onRefusal(refusal, requestID)
    if responseHasBegun { return responseIsComplete ? finish(context) : close(context) }
    let body = refusalBody(refusal, requestID)
    var answer = context.channel.allocator.buffer(capacity: 512 + body.count)
    answer.writeString(
      "HTTP/1.1 \(refusal.status) \(refusal.reason)\r\nDate: \(date())\r\n"
        + "Content-Type: application/problem+json\r\nContent-Length: \(body.count)\r\nConnection: close\r\n"
        + "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Request-ID: \(requestID)\r\n"
        + "\(refusal.allow.map { "Allow: \($0)\r\n" } ?? "")"
        + "\(refusal.retryAfter.map { "Retry-After: \($0)\r\n" } ?? "")\(refusalFields(framing.origin))\r\n"
    )
    answer.writeBytes(body)
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
    deadline = nil
    // Where the responses to earlier requests are still going out, the answer may take as long as they do.
    if bufferedBytes(context) > 0 { watchOutput(context) } else { linger(context) }
    let written = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(answer), promise: written)
    closeOutput(after: written.futureResult, context)
    context.read()
  }

  /// Refuses a body that comes too slowly.
  func refuseSlowBody(_ context: ChannelHandlerContext) {
    refuse(.slowBody(bytesPerSecond: limits.leastBodyBytesPerSecond), context)
  }

  /// Closes after all that is written has gone out. A slow client has as long for it as for any response.
  func finish(_ context: ChannelHandlerContext) {
    phase = .finishing
    deadline = nil
    watchOutput(context)
    let written = context.eventLoop.makePromise(of: Void.self)
    // With the input at its end, closing the output closes all at once and would cut off what still waits.
    // An empty write is done when all before it is.
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    closeOutput(after: written.futureResult, context)
  }

  private func closeOutput(after written: EventLoopFuture<Void>, _ context: ChannelHandlerContext) {
    partialHead = nil
    held = nil
    rate = nil
    // The application may be waiting for more of a body that will not come.
    tellInputEnd(context)
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
    stall = nil
    if deadline == nil { linger(context) }
    context.read()
  }

  /// Closing while the client still sends would answer it with a reset, and the reset can overtake the answer.
  private func linger(_ context: ChannelHandlerContext) {
    deadline = context.eventLoop.now + .seconds(Int64(limits.lingerSeconds))
    armTimer(context)
  }

  /// Closes at once.
  func close(_ context: ChannelHandlerContext) {
    phase = .finishing
    deadline = nil
    stall = nil
    context.close(promise: nil)
  }
}
