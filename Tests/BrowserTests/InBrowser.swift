import Foundation
import Testing

/// Tests of sites in a browser.
extension SiteTests {
  @Suite(
    .serialized,
    .enabled(if: Browser.isInstalled, "needs Chromium, chromedriver and Python: Scripts/setup-browser"),
    .browser
  )
  struct InBrowser {}
}

/// The browsers that display the sites.
enum Engine: String, CaseIterable, CustomTestStringConvertible {
  case chromium, firefox

  /// Chromium, and Firefox if it is installed.
  static let installed = allCases.filter { $0 == .chromium || Programs.firefox != nil }

  var testDescription: String { rawValue }
}

/// A browser and a web server for the sites.
struct Browser: Sendable {
  let driver: WebDriver
  private let origin: URL

  static let isInstalled = Programs.chromium != nil && Programs.chromedriver != nil && Programs.python != nil

  @TaskLocal private static var current: [Engine: Browser] = [:]

  /// Returns a browser of this run.
  static func started(_ engine: Engine = .chromium) throws -> Browser {
    try #require(current[engine], "a browser test must be in the suite that starts the browsers")
  }

  /// A JavaScript function that waits until a page offers the store of the browser's region, if that is another store.
  static let waitingForOffer = """
    const offerIsDecided = async () => {
      const offer = document.querySelector(".likely-store");
      const isOwn = offer?.dataset.territory === new Intl.Locale(navigator.language).region;
      while (offer?.hidden && !isOwn) await new Promise((done) => setTimeout(done, 10));
    };
    """

  fileprivate static func with(_ function: () async throws -> Void) async throws {
    let sites = try Sites.generated()
    let (chromium, chromedriver, python) = try (
      #require(Programs.chromium), #require(Programs.chromedriver), #require(Programs.python)
    )
    let server = try LocalServer(
      python,
      ["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", sites.folder.path, "0"]
    )
    defer { server.stop() }
    let origin = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
    let control = try LocalServer(chromedriver, ["--port=0"])
    defer { control.stop() }
    var drivers: [Engine: WebDriver] = [:]
    drivers[.chromium] = try await WebDriver.chromium(port: control.port, binary: chromium)
    var firefox: LocalServer?
    defer { firefox?.stop() }
    if let program = Programs.firefox {
      let started = try LocalServer(firefox: program, profile: sites.folder.appending(path: "firefox"))
      firefox = started
      drivers[.firefox] = try await WebDriver.firefox(port: started.port)
    }
    let browsers = drivers.mapValues { Browser(driver: $0, origin: origin) }
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await $current.withValue(browsers) { try await function() }) } catch {
      outcome = .failure(error)
    }
    for driver in drivers.values { await driver.quit() }
    try outcome.get()
  }

  /// Opens a page of a site.
  ///
  /// - Parameters:
  ///   - path: The path in the site: `store/usa/en-us/`.
  ///   - site: The site.
  ///   - width: The width in CSS pixels.
  ///   - scheme: The preferred color scheme.
  func open(
    _ path: String,
    of site: Sites.Site = Sites.garage,
    width: Int = 1280,
    _ scheme: WebDriver.ColorScheme = .light
  ) async throws {
    try await driver.resize(width: width, height: 900)
    try await driver.prefer(scheme)
    try await driver.open(origin.appending(path: "\(site.name)/\(path)"))
  }
}

/// Starts the browsers before the first test and quits them after the last.
struct StartedBrowser: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Browser.with(function)
  }
}

extension Trait where Self == StartedBrowser {
  static var browser: StartedBrowser { StartedBrowser() }
}
