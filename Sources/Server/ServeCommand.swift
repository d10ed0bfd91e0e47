import ArgumentParser
import Dispatch
import Logging
import Metrics
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagPages
import PriceTagService
import PriceTagStrings
import PriceTagText
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `serve`: prices, products, strings and pages over HTTP.
struct ServeCommand: ParsableCommand {
  static let configuration = ServeArguments.configuration

  @OptionGroup var arguments: ServeArguments

  func run() throws {
    // The pools of threads of the service, and what it keeps open before a client comes.
    // Connections, tasks and files have some for each processor; long work has up to 64 more that are paused.
    try requireResources(threads: 4 * ProcessInfo.processInfo.activeProcessorCount + 72, descriptors: 48)
    let result = Mutex<Result<Void, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let command = self
    Task.detached {
      let outcome: Result<Void, any Error>
      do { outcome = .success(try await command.serve()) } catch { outcome = .failure(error) }
      result.withLock { $0 = outcome }
      isDone.signal()
    }
    isDone.wait()
    try result.withLock { $0 }?.get()
  }

  private func serve() async throws {
    // Until it is trapped it would end the process, which has not read its catalogue yet.
    signal(SIGHUP, SIG_IGN)
    let environment = ProcessInfo.processInfo.environment
    let (reading, data) = (arguments.reading, arguments.data)
    var flags = arguments.listening.flags.merging(arguments.limits.flags) { $1 }
      .merging(arguments.pages.flags) { $1 }
    flags[.catalog] = arguments.catalog
    (flags[.from], flags[.pricesOf]) = (reading.from?.rawValue, reading.pricesOf)
    flags[.reinterpretAs] = reading.reinterpretAs
    (flags[.textsIn], flags[.at]) = (reading.textsIn, data.at?.description)
    let file = arguments.config ?? environment["PRICETAG_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    let settings = try await ServiceSettings(flags: flags, environment: environment, file: file)
    let (configuration, logger): (ServiceConfiguration, Logger)
    do { (configuration, logger) = (try ServiceConfiguration(settings), try settings.logger()) } catch {
      // What is wrong on the command line is told as that.
      if error.place.hasPrefix("--") { throw ValidationError(error.description) }
      throw error
    }
    guard let catalog = try settings.text(.catalog) else {
      throw ValidationError("Missing expected argument '<catalog>' (or PRICETAG_CATALOG)")
    }
    let source = try source(catalog, settings)
    let metrics = PriceService.makeMetrics()
    MetricsSystem.bootstrap(metrics)
    let service = try PriceService(source, configuration, logger: logger, metrics: metrics)
    let scheme = configuration.tls == nil ? "http" : "https"
    try await service.runUntilStopped { port in
      logger.notice("listening", metadata: ["url": "\(scheme)://\(Self.host(configuration.host)):\(port)/"])
    } stopAtOnce: { signal in
      // What is in flight has had its time; a second signal wants no more of it.
      logger.notice("stopped at once")
      quit(signal == nil ? 0 : 128 + (signal == .sigint ? 2 : 15))
    }
  }

  /// An address as a URL has it.
  private static func host(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

  private func source(_ catalog: String, _ settings: ServiceSettings) throws -> ShopSource {
    var source = ShopSource(path: inputPath(catalog), shop: try settings.shop())
    source.localeData = try arguments.data.load()
    source.strings = try arguments.data.loadStrings()
    try settings.addReading(to: &source)
    source.templates =
      try settings.text(.templates).map { try PageTemplates(folder: $0, strings: source.strings) }
      ?? .embedded
    source.assets = try settings.text(.assets).map { try SiteAssets(folder: $0) } ?? .none
    try settings.addPages(to: &source)
    return source
  }
}
