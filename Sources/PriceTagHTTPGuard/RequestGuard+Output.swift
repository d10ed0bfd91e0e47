import NIOCore

extension RequestGuard {
  /// Passes output on, as long as the guard has not written the last answer itself.
  package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard phase == .receiving || phase == .answering else {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    if stall != nil { stall?.count(unwrapOutboundIn(data).readableBytes) }
    context.write(data, promise: promise)
  }

  /// Passes the flush on. While finishing, the guard flushes by itself.
  package func flush(context: ChannelHandlerContext) {
    if phase != .finishing { context.flush() }
  }

  /// Turns the end of the output into a close that lingers, and holds back a close that would cut it short.
  package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    switch (mode, phase) {
    case (.output, .receiving), (.output, .answering):
      finish(context)
      promise?.succeed()
    case (.output, .finishing), (.input, .finishing):
      promise?.succeed()
    case (.all, .finishing):
      context.channel.closeFuture.cascade(to: promise)
    default:
      context.close(mode: mode, promise: promise)
    }
  }

  /// Watches a client that does not take its response.
  package func channelWritabilityChanged(context: ChannelHandlerContext) {
    // While finishing, the client is watched until all has gone out.
    if phase != .finishing {
      stall = nil
      if !context.channel.isWritable { watchOutput(context) }
    }
    context.fireChannelWritabilityChanged()
  }

  /// Starts the watch over what the client takes.
  func watchOutput(_ context: ChannelHandlerContext) {
    stall = OutputStall(limits: limits, buffered: bufferedBytes(context), now: context.eventLoop.now)
    armTimer(context)
  }

  /// Bytes that are written and not yet with the system.
  func bufferedBytes(_ context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }
}
