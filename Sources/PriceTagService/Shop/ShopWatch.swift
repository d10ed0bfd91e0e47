import ServiceLifecycle

/// Looks at the catalogue's file, and has it read when it changed.
struct ShopWatch: Sendable {
  let current: CurrentShop
  let metrics: ServiceMetrics
  let everySeconds: Int

  /// Looks until the service stops.
  func run() async {
    await cancelWhenGracefulShutdown {
      var settling = FileSettling(seconds: current.settleSeconds)
      while !Task.isCancelled {
        do { try await Task.sleep(for: .seconds(max(1, everySeconds))) } catch { return }
        metrics.tell(current.shop)
        if everySeconds == 0 { continue }
        // Read once it has stayed the same for a while: a file may be only half written.
        let (hasChanged, now) = current.change()
        if settling.hasSettled(now, at: .now), hasChanged { reload() }
      }
    }
  }

  /// Has the catalogue read again in a second: it was written while it was read.
  private func reloadLater(_ hasReloaded: @escaping @Sendable () -> Void) {
    Task {
      try? await Task.sleep(for: .seconds(1))
      reload(hasReloaded)
    }
  }

  /// Has the catalogue read again.
  ///
  /// - Parameter hasReloaded: Is called when that is done.
  func reload(_ hasReloaded: @escaping @Sendable () -> Void = {}) {
    let (current, metrics) = (current, metrics)
    current.reloadSoon { outcome in
      switch outcome {
      case .served: metrics.count(reload: true)
      case .refused: metrics.count(reload: false)
      case .changing:
        // Nobody looks at the file again on its own.
        if everySeconds == 0 { reloadLater(hasReloaded) }
      }
      metrics.tell(current.shop)
      hasReloaded()
    }
  }
}
