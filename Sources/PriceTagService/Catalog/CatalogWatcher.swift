import ServiceLifecycle

/// Watches the catalog file, and reloads the catalog when the file changes.
struct CatalogWatcher: Sendable {
  let current: CurrentSnapshot
  let metrics: ServiceMetrics
  let everySeconds: Int

  /// Checks the file at intervals until the service stops.
  func run() async {
    await cancelWhenGracefulShutdown {
      var settling = FileSettling(seconds: current.settleSeconds)
      while !Task.isCancelled {
        do { try await Task.sleep(for: .seconds(max(1, everySeconds))) } catch { return }
        metrics.record(current.snapshot)
        if everySeconds == 0 { continue }
        // Wait until the file has settled, because it may be incomplete.
        let (hasChanged, status) = current.fileChange()
        if settling.hasSettled(status, at: .now), hasChanged { reload() }
      }
    }
  }

  /// Schedules a reload of the catalog.
  ///
  /// - Parameter onCompletion: Called after the reload.
  func reload(_ onCompletion: @escaping @Sendable () -> Void = {}) {
    let (current, metrics) = (current, metrics)
    current.scheduleReload { outcome in
      switch outcome {
      case .served: metrics.count(reload: true)
      case .refused: metrics.count(reload: false)
      case .changing:
        // Without periodic checks, the file would not be read again.
        guard everySeconds == 0 else { break }
        Task {
          try? await Task.sleep(for: .seconds(1))
          reload(onCompletion)
        }
      }
      metrics.record(current.snapshot)
      onCompletion()
    }
  }
}
