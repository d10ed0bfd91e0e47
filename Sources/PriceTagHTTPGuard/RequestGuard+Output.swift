import NIOCore

extension RequestGuard {
  /// Forwards output, unless the guard has written the last response itself.
  package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard phase == .receiving || phase == .answering else {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    if stall != nil { stall?.count(unwrapOutboundIn(data).readableBytes) }
    context.write(data, promise: promise)
  }

  /// Forwards the flush. In the finishing phase, the guard flushes its own output.
  package func flush(context: ChannelHandlerContext) {
    if phase != .finishing { context.flush() }
  }

  /// Replaces a close of the output by a lingering close, and defers a close that would interrupt it.
  package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    switch (mode, phase) {
    case (.output, .receiving), (.output, .answering):
      finish(context)
      promise?.succeed()
    case (.output, .finishing), (.input, .finishing):
      promise?.succeed()
    case (.all, .receiving) where responseHasBegun, (.all, .answering) where responseHasBegun:
      // The application cuts off its response. The client receives what is written.
      finish(context)
      fallthrough
    case (.all, .finishing):
      context.channel.closeFuture.cascade(to: promise)
    default:
      context.close(mode: mode, promise: promise)
    }
  }

  /// Monitors a client that does not read its response.
  package func channelWritabilityChanged(context: ChannelHandlerContext) {
    // In the finishing phase, monitor the client until all output is sent.
    if phase != .finishing {
      stall = nil
      if !context.channel.isWritable { monitorOutput(context) }
    }
    context.fireChannelWritabilityChanged()
  }

  /// Starts monitoring how fast the client reads.
  func monitorOutput(_ context: ChannelHandlerContext) {
    stall = OutputStall(limits: rules.limits, buffered: bufferedBytes(context), now: context.eventLoop.now)
    armTimer(context)
  }

  /// Returns the number of bytes that are written but not yet passed to the kernel.
  func bufferedBytes(_ context: ChannelHandlerContext) -> Int {
    (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }
}
