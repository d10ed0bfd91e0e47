import Foundation
import Testing

/// What Chromium makes of the Content-Security-Policy of a service.
extension SiteTests.InBrowser {
  @Suite struct ServedPolicyTests {
    /// A service of the sample shop, as far as it listens.
    private static func serve(_ arguments: [String]) throws -> LocalServer {
      let pricetag = try #require(Programs.pricetag, "the command is not beside the tests")
      let examples = Programs.package.appending(path: "Examples")
      let line = #"""
        "$@" 2>&1 >/dev/null | sed -u -n 's/.*listening url=.*:\([0-9]*\)\/$/port \1 /p'
        """#
      return try LocalServer(
        URL(filePath: "/bin/sh"),
        [
          "-c", line, "sh", pricetag.path, "serve", examples.appending(path: "rocket-garage.json").path,
          "--port", "0", "--at", Sites.date, "--shop", "Rocket Garage", "--logo", "images/logo.svg",
          "--assets", examples.appending(path: "rocket-garage-assets").path,
        ] + arguments
      )
    }

    private struct Page: Decodable {
      let violations: [String]
      let products: Int
      let types: [String]
      let picture: Int
      let isStyled: Bool
      let inline: String
      let value: String
      let compiles: Bool
      let evaluates: Bool
    }

    /// What there is of a page once it is loaded, and what the browser refused of it.
    private static let look = """
      return new Promise((done) => {
        const violations = [];
        const observer = new ReportingObserver((reports) => {
          for (const report of reports) violations.push(report.body.effectiveDirective + " " + report.body.blockedURL);
        }, { types: ["csp-violation"], buffered: true });
        observer.observe();
        setTimeout(() => {
          const data = document.querySelector("script[type='application/ld+json']");
          let evaluates = true, compiles = true;
          try { window.eval("1") } catch { evaluates = false }
          try { new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) } catch { compiles = false }
          const parsed = JSON.parse(data.textContent);
          done({
            violations: violations.filter((violation) => !violation.endsWith(" eval")),
            products: document.querySelectorAll("[data-product]").length,
            types: [parsed["@type"]].flat(),
            picture: [...document.images].filter((image) => image.complete && image.naturalWidth > 0).length,
            isStyled: getComputedStyle(document.querySelector(".buy")).borderRadius !== "0px",
            inline: window.ranInline ?? "no", value: window.ranValue ?? "no", compiles, evaluates,
          });
        }, 500);
      });
      """

    /// The embedded pages are complete under their policy: style, script, pictures and JSON-LD.
    @Test func nothingOfThePagesIsRefused() async throws {
      let browser = try Browser.started()
      let server = try Self.serve([])
      defer { server.stop() }
      for path in ["store/usa/en-us/", "store/sau/ar/", "store/jpn/ja/products/com.example.level1/"] {
        try await browser.driver.open(try #require(URL(string: "http://127.0.0.1:\(server.port)/\(path)")))
        let page: Page = try await browser.driver.run(Self.look)
        #expect(page.violations.isEmpty, "\(path)")
        #expect(page.products > 0 && page.picture > 0 && page.isStyled, "\(path)")
        #expect(!page.types.isEmpty)
        // WebAssembly compiles, and text does not become a script.
        #expect(page.compiles && !page.evaluates)
      }
    }

    /// A shop's own inline script and style run, and one that a value is in does not.
    @Test func aTemplatesOwnScriptRuns() async throws {
      let browser = try Browser.started()
      let folder = try Programs.temporaryFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let footer = """
        <footer><style>\r
        footer { color: rgb(1, 2, 3) }\r
        </style><script>\r
        window.ranInline = getComputedStyle(document.querySelector("footer")).color;\r
        </script><script>window.ranValue = "{{shopName}}";</script></footer>
        """
      try Data(footer.utf8).write(to: folder.appending(path: "footer.mustache"))
      let server = try Self.serve(["--templates", folder.path])
      defer { server.stop() }
      try await browser.driver.open(
        try #require(URL(string: "http://127.0.0.1:\(server.port)/store/usa/en-us/"))
      )
      let page: Page = try await browser.driver.run(Self.look)
      #expect(page.inline == "rgb(1, 2, 3)")
      #expect(page.value == "no")
      #expect(page.violations == ["script-src-elem inline"])
    }
  }
}
