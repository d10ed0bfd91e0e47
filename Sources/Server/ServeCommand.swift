import ArgumentParser
import FoundationEssentials
import Logging
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagPages
import PriceTagService
import PriceTagServiceTLS
import PriceTagStrings
import PriceTagSystem

/// `pricetag-server serve`: serves prices, products, UI strings and pages over HTTP.
struct ServeCommand: ParsableCommand {
  static let configuration = ServeArguments.configuration

  @OptionGroup var arguments: ServeArguments

  func run() throws {
    // The threads and descriptors of the service. The thread pools for connections, tasks and files, and the threads for
    // cheap and for costly work, grow with the number of processors.
    try requireResources(threads: 5 * ProcessInfo.processInfo.activeProcessorCount + 18, descriptors: 48)
    returnLargeBlocksToSystem()
    // Lines of the log precede the error.
    defer { ServiceLogHandler.flush() }
    let command = self
    try runBlocking { try await command.serve() }
  }

  private func serve() async throws {
    // Without a handler, the signal would end the process while it reads its catalog.
    signal(SIGHUP, SIG_IGN)
    let environment = ProcessInfo.processInfo.environment
    let file = arguments.config ?? environment["PRICETAG_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    let settings: ServiceSettings
    let (configuration, logger, catalog): (ServiceConfiguration, Logger, String?)
    do {
      settings = try await ServiceSettings(flags: arguments.settings, environment: environment, file: file)
      (configuration, logger) = (try ServiceConfiguration(settings), try settings.logger())
      catalog = try settings.text(.catalog)
    } catch { throw CommandLineProgram.settingError(error) }
    guard let catalog else {
      throw ValidationError("Missing expected argument '<catalog>' (or PRICETAG_CATALOG)")
    }
    let source = try source(catalog, settings)
    let certificate = try configuration.tls.map(ServerCertificate.init)
    let service = try PriceService(source, configuration, certificate: certificate, logger: logger)
    if arguments.check { return logger.notice("the settings, the certificate and the catalog can be used") }
    let scheme = configuration.tls == nil ? "http" : "https"
    try await service.runUntilStopped { port in
      logger.notice("listening", metadata: ["url": "\(scheme)://\(Self.host(configuration.host)):\(port)/"])
    } stopAtOnce: { signal in
      // The time limit has passed, or a second signal was received.
      logger.notice("stopped without waiting for open requests")
      quit(signal == nil ? 0 : 128 + (signal == .sigint ? 2 : 15))
    }
  }

  /// Returns a host as it appears in a URL, with brackets around an IPv6 address.
  private static func host(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

  private func source(_ catalog: String, _ settings: ServiceSettings) throws -> CatalogSource {
    let localeData = try arguments.data.load()
    var strings = try arguments.data.loadStrings()
    if let folder = try settings.text(.strings) {
      strings = strings.adding(try ShopStrings(folder: folder))
    }
    var source: CatalogSource
    do {
      source = CatalogSource(path: inputPath(catalog), shop: try settings.shop())
      (source.localeData, source.strings) = (localeData, strings)
      try settings.addReading(to: &source)
      try settings.addPages(to: &source)
    } catch { throw CommandLineProgram.settingError(error) }
    source.templates =
      try settings.text(.templates).map { try PageTemplates(folder: $0, strings: source.strings) }
      ?? .embedded
    source.assets = try settings.text(.assets).map { try SiteAssets(folder: $0) } ?? .none
    source.kernel = try settings.text(.kernel).map { try PageKernel(folder: $0, localeData: localeData) }
    return source
  }
}
