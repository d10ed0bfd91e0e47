import ArgumentParser
import Dispatch
import Logging
import Metrics
import PriceTag
import PriceTagCatalog
import PriceTagPages
import PriceTagService
import PriceTagStrings
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `pricetag serve`: prices, products, strings and pages over HTTP.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve prices, products, strings and store pages over HTTP.",
    discussion: """
      Examples:
        pricetag serve shop.pricetag                              http://127.0.0.1:8080/docs tells what there is
        pricetag serve shop.json --host 0.0.0.0 --port 80 --log-format json
        PRICETAG_PORT=9000 pricetag serve shop.pricetag --config pricetag.json
        pricetag serve shop.pricetag --tls-certificate chain.pem --tls-key key.pem

      What an option says can also be said by an environment variable (--max-body-bytes is PRICETAG_MAX_BODY_BYTES) and \
      in a JSON file (maxBodyBytes); an option goes before a variable, and that before the file.

      The catalogue is read again when its file changes, and on SIGHUP; a new one that cannot be read leaves the old one \
      serving. SIGHUP also reads the certificate and the folder of --assets again. SIGTERM and SIGINT finish the requests that are in flight, and a second one stops at once.
      """
  )

  @Argument(
    help: ArgumentHelp(
      "A catalogue: a database of pricetag import's, or any file it reads.",
      valueName: "catalog"
    ),
    completion: .file()
  )
  var catalog: String?

  @Option(
    help: ArgumentHelp("A JSON file of settings (or PRICETAG_CONFIG).", valueName: "file"),
    completion: .file()
  )
  var config: String?

  @OptionGroup(title: "Listening") var listening: ListeningOptions
  @OptionGroup(title: "Limits") var limits: LimitOptions
  @OptionGroup(title: "Pages") var pages: ServedPagesOptions
  @OptionGroup(title: "Reading files") var reading: ReadingOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

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
    var flags = listening.flags.merging(limits.flags) { $1 }.merging(pages.flags) { $1 }
    flags[.catalog] = catalog
    (flags[.from], flags[.pricesOf]) = (reading.from?.rawValue, reading.pricesOf)
    flags[.reinterpretAs] = reading.reinterpretAs
    (flags[.textsIn], flags[.at]) = (reading.textsIn, data.at?.description)
    let file = config ?? environment["PRICETAG_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
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
    source.localeData = try data.load()
    source.strings = try data.loadStrings()
    try settings.addReading(to: &source)
    source.templates =
      try settings.text(.templates).map { try PageTemplates(folder: $0, strings: source.strings) }
      ?? .embedded
    source.assets = try settings.text(.assets).map { try SiteAssets(folder: $0) } ?? .none
    try settings.addPages(to: &source)
    return source
  }
}
