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

/// A browser and a web server for the sites.
struct Browser: Sendable {
  let driver: WebDriver
  private let origin: URL

  static let isInstalled = Programs.chromium != nil && Programs.chromedriver != nil && Programs.python != nil

  @TaskLocal private static var current: Browser?

  /// The browser of this run.
  static func started() throws -> Browser {
    try #require(current, "a browser test must be in the suite that starts the browser")
  }

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
    let control = try LocalServer(chromedriver, ["--port=0"])
    defer { control.stop() }
    let driver = try await WebDriver.start(port: control.port, binary: chromium)
    let browser = Browser(
      driver: driver,
      origin: try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
    )
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await $current.withValue(browser) { try await function() }) } catch {
      outcome = .failure(error)
    }
    await driver.quit()
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

/// Starts a browser before the first test and quits it after the last.
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
