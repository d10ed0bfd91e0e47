import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

/// Tests of the kernel for browsers in Chromium: the field for the quantity, the element `<price-tag>`, and the example page.
extension SiteTests.InBrowser {
  @Suite(.enabled(if: Programs.kernel != nil, "needs make kernel")) struct KernelTests {
    private static func kernelFolder() throws -> URL { try #require(Programs.kernel) }

    /// Runs the body of an asynchronous function that can wait for states of the page.
    private static func waiting(_ body: String) -> String {
      "return (async () => { \(Browser.waiting) \(body) })();"
    }

    /// Waits until the page shows the field for the quantity.
    private static let fieldIsShown = "await until(() => !document.querySelector('.quantity').hidden);"
    /// Waits until each `<price-tag>` shows its price or an error.
    private static let elementsAreReady = """
      await customElements.whenDefined("price-tag");
      await Promise.all([...document.querySelectorAll("price-tag")].map((element) => element.ready));
      """

    // MARK: Quantity

    private struct Field: Decodable, Equatable {
      let isHidden: Bool
      /// What the field shows, without the spoken forms: the total, and for some products a duration and a saving.
      let words: [String]
      let text: String
      let spoken: String
      let lang: String
      let direction: String
      let quantity: String
      let buttonPrice: String
    }

    private struct Page: Decodable {
      let violations: [String]
      let fields: [Field]
      let direction: String
    }

    private static let quantities = ["1", "2", "3", "12", "999", "0", "1000", "", "2.5", "-3", "1e2"]

    /// Enters each quantity, and returns what the field then shows.
    private static let enteringQuantities = waiting(
      """
      \(fieldIsShown)
      const field = document.querySelector(".quantity"), output = field.querySelector("output");
      const button = field.parentElement.querySelector(".buy"), fields = [];
      const shownIn = (part) => {
        const copy = part.cloneNode(true);
        for (const spoken of copy.querySelectorAll(".spoken")) spoken.remove();
        return copy.textContent;
      };
      for (const quantity of \(quantities)) {
        const input = field.querySelector("input");
        input.value = quantity;
        input.dispatchEvent(new Event("input", { bubbles: true }));
        const price = output.querySelector(".price");
        fields.push({
          isHidden: getComputedStyle(field).display === "none", words: [...output.children].map(shownIn),
          text: price?.querySelector("[aria-hidden]").textContent ?? "",
          spoken: price?.querySelector(".spoken").textContent ?? "", lang: price?.lang ?? "", direction: price?.dir ?? "",
          quantity: button.dataset.quantity ?? "1",
          buttonPrice: button.querySelector(".price [aria-hidden]").textContent,
        });
      }
      return { violations: await blocked(), fields, direction: getComputedStyle(field).direction };
      """
    )

    /// The totals are those of the library, on the page of a service, under its Content-Security-Policy.
    @Test(
      arguments: [
        StoreRow(language: "ja", storefront: "JPN"), StoreRow(language: "ar", storefront: "EGY"),
        StoreRow(language: "en-US", storefront: "USA"), StoreRow(language: "hi", storefront: "IND"),
        StoreRow(language: "de", storefront: "CHE"), StoreRow(language: "he", storefront: "USA"),
      ],
      Engine.installed
    )
    func quantityHasExactTotal(row: StoreRow, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let server = try ServedPolicyTests.serve(["--kernel", Self.kernelFolder().path])
      defer { server.stop() }
      let product = try #require(
        try row.response().products.first { $0.identifier == "com.example.coins_100" }
      )
      let address = "http://127.0.0.1:\(server.port)/\(row.path)products/\(product.identifier)/"
      try await browser.driver.open(try #require(URL(string: address)))
      let page: Page = try await browser.driver.run(Self.enteringQuantities)
      #expect(page.violations.isEmpty)
      #expect(page.direction == (try row.uiLanguage().direction.rawValue))
      for (quantity, field) in zip(Self.quantities, page.fields) {
        #expect(!field.isHidden)
        guard let count = Int(quantity), (2...999).contains(count) else {
          // The total is hidden for one and for an invalid quantity.
          #expect(field.text.isEmpty && field.words.isEmpty && field.quantity == "1", "\(quantity)")
          #expect(visible(field.buttonPrice) == visible(product.price.text), "\(quantity)")
          continue
        }
        let total = try product.price.formatter.format(product.price.amount * count)
        #expect(visible(field.text) == visible(total.text), "\(quantity)")
        #expect(visible(field.buttonPrice) == visible(total.text), "\(quantity)")
        #expect(visible(field.spoken) == visible(total.spoken), "\(quantity)")
        #expect(field.lang == total.locale.identifier && field.direction == total.direction.rawValue)
        let words = try StoreStrings.embedded.format(
          "total_for",
          in: row.uiLanguage(),
          ["count": .count(of: count), "price": .price(total)]
        )
        #expect(field.words.map(visible) == [visible(words.plain)] && field.quantity == quantity)
      }
    }

    /// The total, the time that several subscriptions last and the saving have the words of the library.
    @Test(arguments: ["en-US", "de", "fr-FR", "ja", "ar", "he", "hi", "ru", "tr", "zh-Hans"])
    func quantityHasWords(language: String) async throws {
      let browser = try Browser.started()
      let row = StoreRow(language: language, storefront: "USA")
      let server = try ServedPolicyTests.serve(
        ["--kernel", Self.kernelFolder().path],
        catalog: Sites.generated().folder.appending(path: "sale.json")
      )
      defer { server.stop() }
      let product = try #require(
        try row.response(of: .sale).products.first { $0.identifier == "com.example.pass" }
      )
      let address = "http://127.0.0.1:\(server.port)/\(row.path)products/\(product.identifier)/"
      try await browser.driver.open(try #require(URL(string: address)))
      let page: Page = try await browser.driver.run(Self.enteringQuantities)
      #expect(page.violations.isEmpty)
      let price = product.price.amount
      let saving = try (#require(product.priceBeforeReduction).price - product.price.price).amount
      for (quantity, field) in zip(Self.quantities, page.fields) {
        guard let count = Int(quantity), (2...999).contains(count) else { continue }
        let (total, saved) = (
          try product.price.formatter.format(price * count),
          try product.price.formatter.format(saving * count)
        )
        let arguments: [(String, MessageArguments)] = [
          ("total_for", ["count": .count(of: count), "price": .price(total)]),
          ("months", ["count": .count(of: 3 * count)]), ("save_price", ["price": .price(saved)]),
        ]
        let words = try arguments.map {
          try StoreStrings.embedded.format($0, in: row.uiLanguage(), $1).plain
        }
        #expect(field.words.map(visible) == words.map(visible), "\(quantity)")
      }
    }

    /// A screen reader finds the field by its label, and announces the total.
    @Test func quantityIsAccessible() async throws {
      let browser = try Browser.started()
      let driver = browser.driver
      let server = try ServedPolicyTests.serve(["--kernel", Self.kernelFolder().path])
      defer { server.stop() }
      let address = "http://127.0.0.1:\(server.port)/store/usa/en-us/products/com.example.coins_100/"
      try await driver.open(try #require(URL(string: address)))
      let _: Page = try await driver.run(Self.enteringQuantities)
      let input = try await driver.find(".quantity input")
      #expect(try await driver.label(of: input) == "Quantity")
      let live: [String] = try await driver.run(
        """
        const input = document.querySelector(".quantity input"), output = document.querySelector(".quantity output");
        input.value = "4";
        input.dispatchEvent(new Event("input", { bubbles: true }));
        return [output.tagName, output.htmlFor.value, input.min, input.max];
        """
      )
      #expect(live == ["OUTPUT", "quantity", "1", "999"])
      let names = try await driver.accessibleNames()
      #expect(names.contains { $0.role == "spinbutton" && $0.name == "Quantity" })
      #expect(names.contains { $0.role == "status" })
      #expect(names.contains { $0.name == "3.96 US dollars" })
      #expect(!names.contains { $0.name == "$3.96" })
    }

    /// The button does not pass a click on while the quantity is invalid. The browser then has a message, also for a
    /// number such as 1e2, which it accepts.
    @Test func invalidQuantityIsNotBought() async throws {
      let browser = try Browser.started()
      let server = try ServedPolicyTests.serve(["--kernel", Self.kernelFolder().path])
      defer { server.stop() }
      let address = "http://127.0.0.1:\(server.port)/store/usa/en-us/products/com.example.coins_100/"
      try await browser.driver.open(try #require(URL(string: address)))
      struct Clicks: Decodable {
        let bought: [String]
        let isValid: [Bool]
      }
      let clicks: Clicks = try await browser.driver.run(
        Self.waiting(
          """
          \(Self.fieldIsShown)
          const field = document.querySelector(".quantity"), input = field.querySelector("input");
          const button = field.parentElement.querySelector(".buy"), bought = [], isValid = [];
          document.addEventListener("click", (event) => { event.preventDefault(); bought.push(input.value); });
          for (const quantity of \(Self.quantities)) {
            input.value = quantity;
            input.dispatchEvent(new Event("input", { bubbles: true }));
            button.click();
            isValid.push(input.validity.valid && input.validationMessage === "");
          }
          return { bought, isValid };
          """
        )
      )
      let valid = ["1", "2", "3", "12", "999"]
      #expect(clicks.bought == valid)
      #expect(clicks.isValid == Self.quantities.map(valid.contains))
    }

    /// Without scripts, and with a pack that does not belong to the page, the page is as without a kernel.
    @Test func pageWorksWithoutKernel() async throws {
      let browser = try Browser.started()
      let driver = browser.driver
      let server = try ServedPolicyTests.serve(["--kernel", Self.kernelFolder().path])
      defer { server.stop() }
      let address = "http://127.0.0.1:\(server.port)/store/usa/en-us/products/com.example.coins_100/"
      let url = try #require(URL(string: address))
      let _: WebDriver.Ignored = try await driver.devTools(
        "Emulation.setScriptExecutionDisabled",
        ["value": true]
      )
      do {
        try await driver.open(url)
        let names = try await driver.accessibleNames()
        #expect(!names.contains { $0.role == "spinbutton" })
        #expect(names.contains { $0.role == "button" && $0.name.hasPrefix("Buy for") })
      } catch { Issue.record(error) }
      let _: WebDriver.Ignored = try await driver.devTools(
        "Emulation.setScriptExecutionDisabled",
        ["value": false]
      )
      try await driver.open(url)
      let isHidden: [Bool] = try await driver.run(
        Self.waiting(
          """
          \(Self.fieldIsShown)
          const field = document.querySelector(".quantity"), { instantiate } = WebAssembly, isHidden = [];
          for (const price of ["$1.00", field.dataset.price]) {
            field.hidden = true;
            field.dataset.price = price;
            // The script decides before the first task after the kernel is there.
            const isDecided = new Promise((done) => {
              WebAssembly.instantiate = (...values) => {
                const kernel = instantiate(...values);
                kernel.then(() => setTimeout(done));
                return kernel;
              };
            });
            await import(`${document.querySelector("script[type=module]").src}?${isHidden.length}`);
            await isDecided;
            isHidden.push(field.hidden);
          }
          return isHidden;
          """
        )
      )
      #expect(isHidden == [true, false])
    }

    // MARK: The element

    /// Serves files that a web server would send, from a folder that is removed at the end.
    private static func withServer(
      _ files: [String: String],
      _ body: (_ origin: String) async throws -> Void
    ) async throws {
      let folder = try Programs.temporaryFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      for name in ["pricetag.js", "price-tag.js", "pricetag.wasm"] {
        try FileManager.default.copyItem(
          at: kernelFolder().appending(path: name),
          to: folder.appending(path: name)
        )
      }
      let pricetag = try #require(Programs.pricetag, "the command was not built")
      let pack = try Programs.run(
        pricetag,
        ["pack", "--at", Sites.date, "-o", folder.appending(path: "store.pack").path]
      )
      #expect(pack.status == 0, "\(pack.errors)")
      for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
      let server = try LocalServer(
        #require(Programs.python),
        ["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder.path, "0"]
      )
      defer { server.stop() }
      try await body("http://127.0.0.1:\(server.port)/")
    }

    private static func document(_ language: String, _ direction: String, _ body: String) -> String {
      """
      <!doctype html>
      <html lang="\(language)" dir="\(direction)"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy"
        content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'">
      <link rel="pricetag-pack" href="store.pack"><script type="module" src="price-tag.js"></script>
      </head><body>\(body)</body></html>
      """
    }

    private struct Shown: Decodable {
      struct Tag: Decodable {
        let id: String
        let text: String
        let contents: String
        let spoken: String
        let isSpokenVisible: Bool
        let lang: String
        let direction: String
        let isolation: String
        let error: String
        let top: Double
        let left: Double
      }

      let violations: [String]
      let tags: [Tag]
    }

    private static let shownElements = waiting(
      """
      \(elementsAreReady)
      const all = [...document.querySelectorAll("price-tag")];
      return { violations: await blocked(), tags: all.map((element) => {
        const spoken = element.lastElementChild, box = spoken?.getBoundingClientRect();
        const { top, left } = element.getBoundingClientRect();
        return {
          id: element.id, text: element.text, contents: element.textContent, spoken: spoken?.textContent ?? "",
          isSpokenVisible: box !== undefined && (box.width > 1 || box.height > 1), lang: element.lang,
          direction: getComputedStyle(element).direction, isolation: getComputedStyle(element).unicodeBidi,
          error: element.dataset.error ?? "", top, left,
        };
      }) };
      """
    )

    private static let stores = [
      "JPN": "1200", "EGY": "1234.50", "USA": "0.99", "IND": "1234567", "CHE": "4.95",
    ]

    /// The element shows what the library writes, on pages of both directions, without a violation of a strict policy.
    @Test(arguments: [("en", "ltr"), ("ar", "rtl")])
    func elementShowsPrice(language: String, direction: String) async throws {
      let browser = try Browser.started()
      let stores = Self.stores.sorted { $0.key < $1.key }
      let tags = stores.map { storefront, amount in
        #"<p>( <price-tag id="\#(storefront)" storefront="\#(storefront)" amount="\#(amount)">server</price-tag> )</p>"#
      }
      let page = Self.document(language, direction, tags.joined())
      try await Self.withServer(["index.html": page]) { origin in
        try await browser.driver.open(try #require(URL(string: origin)))
        let shown: Shown = try await browser.driver.run(Self.shownElements)
        #expect(shown.violations.isEmpty)
        #expect(shown.tags.map(\.id) == stores.map(\.key))
        for (tag, store) in zip(shown.tags, stores) {
          let formatter = try PriceFormatter(
            storefront: Storefront(store.key),
            on: CalendarDate(Sites.date)
          )
          let price = try formatter.format(Amount(decimal: store.value))
          #expect(visible(tag.text) == visible(price.text))
          #expect(visible(tag.contents) == visible(price.text + price.spoken))
          #expect(visible(tag.spoken) == visible(price.spoken) && !tag.isSpokenVisible)
          #expect(tag.lang == price.locale.identifier && tag.direction == price.direction.rawValue)
          #expect(tag.isolation == "isolate" && tag.error.isEmpty)
        }
      }
    }

    /// Until a price is written, and if none can be, the text of the server stays.
    @Test(arguments: Engine.installed)
    func elementKeepsTextOfServer(engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let rows = [
        (#"storefront="XXX" amount="1""#, "unknown-storefront"), (#"storefront="USA""#, "invalid-argument"),
        (#"storefront="USA" amount="1" units="1""#, "invalid-argument"),
        (#"storefront="USA" amount="4.999""#, "needs-rounding"),
        (#"storefront="USA" units="4.99""#, "malformed-amount"),
        (#"storefront="USA" amount="1" width="iso""#, "missing-style"),
        (#"storefront="USA" amount="1" pack="no-such.pack""#, "unreadable-file"),
      ]
      let tags = rows.map { "<p><price-tag \($0.0)>server</price-tag></p>" }
      try await Self.withServer(["index.html": Self.document("en", "ltr", tags.joined())]) { origin in
        try await browser.driver.open(try #require(URL(string: origin)))
        let shown: Shown = try await browser.driver.run(Self.shownElements)
        #expect(shown.tags.map(\.error) == rows.map(\.1))
        #expect(shown.tags.allSatisfy { $0.contents == "server" && $0.text.isEmpty })
      }
    }

    /// A change of attributes changes the price. A price that can no longer be shown does not stay.
    @Test(arguments: Engine.installed)
    func elementFollowsAttributes(engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let tag = #"<price-tag storefront="JPN" amount="1200">server</price-tag>"#
      try await Self.withServer(["index.html": Self.document("en", "ltr", tag)]) { origin in
        try await browser.driver.open(try #require(URL(string: origin)))
        let steps: [[String]] = try await browser.driver.run(
          Self.waiting(
            """
            \(Self.elementsAreReady)
            const element = document.querySelector("price-tag"), steps = [];
            document.addEventListener("price-tag-error", (event) => steps.push(["event", event.detail.code]));
            const set = async (attributes) => {
              for (const [name, value] of Object.entries(attributes)) {
                if (value === null) element.removeAttribute(name); else element.setAttribute(name, value);
              }
              await element.ready;
              steps.push([element.text, element.lang, element.dataset.error ?? ""]);
            };
            await set({});
            await set({ amount: "2400" });
            await set({ storefront: "USA", amount: "1.5" });
            await set({ amount: "1.555" });
            steps.push([element.textContent]);
            await set({ rounding: "half-even" });
            await set({ amount: null, units: "499", rounding: null });
            return steps;
            """
          )
        )
        #expect(
          steps == [
            ["\u{FFE5}1,200", "ja-JP", ""], ["\u{FFE5}2,400", "ja-JP", ""], ["$1.50", "en-US", ""],
            ["event", "needs-rounding"], ["", "en-US", "needs-rounding"], [""], ["$1.56", "en-US", ""],
            ["$4.99", "en-US", ""],
          ]
        )
      }
    }

    // MARK: The example

    /// The browser formats each row of a batch as the command did.
    @Test func exampleComparesRows() async throws {
      let browser = try Browser.started()
      let folder = try Programs.temporaryFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let prepared = try Programs.run(
        URL(filePath: "/usr/bin/env"),
        [
          "PRICETAG=\(#require(Programs.pricetag).path)", "KERNEL=\(Self.kernelFolder().path)",
          Programs.package.appending(path: "Examples/Browser/prepare").path, folder.path,
        ]
      )
      #expect(prepared.status == 0, "\(prepared.errors)")
      let server = try LocalServer(
        #require(Programs.python),
        ["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder.path, "0"]
      )
      defer { server.stop() }
      try await browser.driver.open(try #require(URL(string: "http://127.0.0.1:\(server.port)/")))
      struct Result: Decodable {
        let violations: [String]
        let counts: String
        let rows: Int
        let prices: [String]
      }
      let result: Result = try await browser.driver.run(
        Self.waiting(
          """
          \(Self.elementsAreReady)
          await until(() => document.documentElement.dataset.counts);
          return {
            violations: await blocked(), counts: document.documentElement.dataset.counts,
            rows: document.querySelectorAll("tbody tr").length,
            prices: [...document.querySelectorAll("price-tag")].map((element) => element.text),
          };
          """
        )
      )
      #expect(result.violations.isEmpty)
      let lines = try String(contentsOf: folder.appending(path: "rows.jsonl"), encoding: .utf8)
      let count = lines.split(separator: "\n").count
      #expect(count > 3000)
      #expect(result.counts == #"{"rows":\#(count),"identical":\#(count),"different":0,"failed":0}"#)
      #expect(result.rows == 500 && !result.prices.contains(""))
    }
  }
}
