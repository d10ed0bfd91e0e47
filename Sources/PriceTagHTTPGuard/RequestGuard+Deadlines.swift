import NIOCore

extension RequestGuard {
  /// Schedules the timer for the next deadline.
  func armTimer(_ context: ChannelHandlerContext) {
    guard phase != .closed, deadline != nil || stall != nil else { return }
    let next = min(deadline ?? .distantFuture, stall?.deadline ?? .distantFuture)
    timer.arm(at: next, on: context.eventLoop) { [self] in
      timer.hasRun()
      guard phase != .closed else { return }
      checkDeadlines(context)
      armTimer(context)
    }
  }

  private func checkDeadlines(_ context: ChannelHandlerContext) {
    let now = context.eventLoop.now
    if let end = stall?.deadline, end <= now {
      if phase == .receiving, rate != nil, readIsOutstanding {
        // A client that is still sending may read later; its sending rate is checked separately.
        monitorOutput(context)
      } else if stall?.isStalled(buffered: bufferedBytes(context), at: now) == true {
        return close(context)
      }
    }
    guard let end = deadline, end <= now else { return }
    deadline = nil
    switch phase {
    case .receiving where connectionRefusal != nil:
      if let connectionRefusal { rules.onRefusal(connectionRefusal, rules.newRequestID()) }
      close(context)
    case .receiving where rate != nil:
      if rate?.isTooSlow(at: now) == true { refuseSlowBody(context) } else { deadline = rate?.deadline }
    case .receiving where framing.isBeforeHead && (hasServedRequest || isDraining):
      finish(context)
    case .receiving:
      refuse(.lateHead(seconds: rules.limits.headSeconds), context)
    case .finishing:
      close(context)
    case .answering:
      probeClient(context)
    case .closed:
      break
    }
  }
}
