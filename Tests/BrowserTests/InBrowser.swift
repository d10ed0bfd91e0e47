import Foundation
import Testing

/// Tests of sites in a browser.
extension SiteTests {
  @Suite(
    .serialized,
    .enabled(if: Browser.isInstalled, "needs Chromium, chromedriver and Python: Scripts/setup/setup-browser"),
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

  /// JavaScript functions that wait for a state of the page.
  static let waiting = """
    // Waits until a condition is true, which is checked after each change of the document.
    const until = (condition) => new Promise((done) => {
      const check = () => {
        if (!condition()) return;
        observer.disconnect();
        done();
      };
      const observer = new MutationObserver(check);
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      check();
    });
    // Waits until the page offers the store of the browser's region, if that is another store.
    const offerIsDecided = async () => {
      const offer = document.querySelector(".likely-store");
      if (!offer || offer.dataset.territory === new Intl.Locale(navigator.language).region) return;
      if (localStorage.length > 0) throw new Error("another test has closed the offer of a store");
      await until(() => !offer.hidden);
    };
    // Waits until the scripts of a site's page have changed it, its pictures in the window are loaded, and both are painted.
    const isSettled = async () => {
      await offerIsDecided();
      const panel = document.querySelector("[data-keep-product]");
      if (panel && location.hash) await until(() => panel.querySelector("p bdi"));
      await document.fonts.ready;
      const isShown = (image) => {
        const box = image.getBoundingClientRect();
        return box.width > 0 && box.top < innerHeight && box.bottom > 0;
      };
      await Promise.all([...document.images].filter(isShown).map((image) => image.decode()));
      // A frame is painted before the next one begins.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    };
    // Returns what the Content-Security-Policy has blocked, which Firefox does not report to scripts. Reports arrive later, so
    // that it loads a script that each policy forbids: the others have arrived before the event of that.
    const blocked = () => new Promise((done) => {
      const found = [], address = "https://blocked.invalid/last.js";
      const add = (reports) => found.push(...reports.map(({ body }) => `${body.effectiveDirective} ${body.blockedURL}`));
      const observer = new ReportingObserver(add, { types: ["csp-violation"], buffered: true });
      observer.observe();
      document.addEventListener("securitypolicyviolation", ({ blockedURI }) => {
        if (blockedURI !== address) return;
        add(observer.takeRecords());
        done(found.filter((violation) => !violation.endsWith(address)));
      });
      const script = document.createElement("script");
      script.src = address;
      document.head.append(script);
    });
    """

  /// A script after which a link no longer opens its page, but stores its address, because a driver does not know when a
  /// link has opened its page.
  static let storingAddress = """
    addEventListener("click", (event) => {
      window.address = event.defaultPrevented ? "" : event.target.closest("a")?.href ?? "";
      event.preventDefault();
    });
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
    // A page is not loaded again if its address differs only after #.
    if path.contains("#") { try await driver.open(#require(URL(string: "about:blank"))) }
    try await driver.open(#require(URL(string: "\(origin.absoluteString)\(site.name)/\(path)")))
    let status: Int = try await driver.run(
      "return performance.getEntriesByType('navigation')[0].responseStatus;"
    )
    try #require(status < 400, "\(path): status \(status)")
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
