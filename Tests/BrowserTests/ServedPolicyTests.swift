import Foundation
import Testing

/// Tests of the Content-Security-Policy of a service in Chromium.
extension SiteTests.InBrowser {
  @Suite struct ServedPolicyTests {
    /// Starts a service for the sample shop.
    static func serve(_ arguments: [String], catalog: URL? = nil) throws -> LocalServer {
      let pricetag = try #require(Programs.pricetag, "the command was not built")
      let examples = Programs.package.appending(path: "Examples")
      let line = #"""
        "$@" 2>&1 >/dev/null | sed -u -n 's/.*listening url=.*:\([0-9]*\)\/$/port \1 /p'
        """#
      return try LocalServer(
        URL(filePath: "/bin/sh"),
        [
          "-c", line, "sh", pricetag.path, "serve",
          (catalog ?? examples.appending(path: "rocket-garage.json")).path,
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

    /// Returns the state of a loaded page and the parts that the browser blocked.
    private static let inspection = """
      return (async () => {
        \(Browser.waiting)
        // Images further down would otherwise load only when scrolled into view.
        for (const image of document.images) image.loading = "eager";
        await Promise.allSettled([...document.images].map((image) => image.decode()));
        await offerIsDecided();
        const data = document.querySelector("script[type='application/ld+json']");
        // The driver allows what a policy forbids until its own task ends.
        await new Promise((done) => setTimeout(done));
        let evaluates = true, compiles = true;
        try { window.eval("1") } catch { evaluates = false }
        try { new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) } catch { compiles = false }
        const parsed = JSON.parse(data.textContent);
        return {
          violations: (await blocked()).filter((violation) => !violation.endsWith(" eval")),
          products: document.querySelectorAll("[data-product]").length,
          types: [parsed["@type"]].flat(),
          picture: [...document.images].filter((image) => image.complete && image.naturalWidth > 0).length,
          isStyled: getComputedStyle(document.querySelector(".buy")).borderRadius !== "0px",
          inline: window.ranInline ?? "no", value: window.ranValue ?? "no", compiles, evaluates,
        };
      })();
      """

    /// Styles, scripts, images, and JSON-LD of the embedded pages work under their policy.
    @Test func allowsEmbeddedPages() async throws {
      let browser = try Browser.started()
      let server = try Self.serve([])
      defer { server.stop() }
      for path in ["store/usa/en-us/", "store/sau/ar/", "store/jpn/ja/products/com.example.level1/"] {
        try await browser.driver.open(try #require(URL(string: "http://127.0.0.1:\(server.port)/\(path)")))
        let page: Page = try await browser.driver.run(Self.inspection)
        #expect(page.violations.isEmpty, "\(path)")
        #expect(page.products > 0 && page.picture > 0 && page.isStyled, "\(path)")
        #expect(!page.types.isEmpty)
        // WebAssembly is allowed, evaluating text is not.
        #expect(page.compiles && !page.evaluates)
      }
    }

    /// Inline scripts and styles of a custom template are allowed, but not a script that contains a value.
    @Test func allowsScriptsOfCustomTemplate() async throws {
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
      let page: Page = try await browser.driver.run(Self.inspection)
      #expect(page.inline == "rgb(1, 2, 3)")
      #expect(page.value == "no")
      #expect(page.violations == ["script-src-elem inline"])
    }
  }
}
