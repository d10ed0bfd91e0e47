import Foundation
import PriceTag
import Testing

/// Tests of the scripts that help with choosing a store.
extension SiteTests.InBrowser {
  @Suite struct ChoosingStore {
    private static func isSold(_ product: String, in store: String) throws -> Bool {
      try Sites.generated().files(of: Sites.garage).contains {
        $0.hasPrefix("store/\(store.lowercased())/") && $0.hasSuffix("/products/\(product)/index.html")
      }
    }

    /// The switch of a product page leads to the same product in each store that has it.
    @Test(arguments: Engine.installed)
    func switchKeepsProduct(engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let driver = browser.driver
      let files = try Sites.generated().files(of: Sites.garage)
      let product = try #require(
        files.compactMap { $0.firstMatch(of: #/^choose\/products\/([^\/]+)\//#)?.1 }.first.map(String.init)
      )
      try await browser.open("store/usa/en-us/products/\(product)/")
      let _: WebDriver.Ignored = try await driver.run(Browser.storingAddress)
      try await driver.click(driver.find("a.choice"))
      let address: String = try await driver.run("return window.address;")
      try await driver.open(#require(URL(string: address)))
      let links: [String: String] = try await driver.run(
        Browser.waiting + """
          return until(() => document.querySelector(".panel p bdi")).then(() =>
            Object.fromEntries([...document.querySelectorAll(".store-list [data-storefront]")].map((row) =>
              [row.dataset.storefront, row.querySelector("a").getAttribute("href")])));
          """
      )
      #expect(links.count > 4)
      for (store, link) in links {
        #expect(
          try link.hasSuffix("/products/\(product)/") == Self.isSold(product, in: store),
          "\(store): \(link)"
        )
      }
    }

    /// The field finds a store by parts of its name, without marks, by its own name, its code and its currency.
    @Test(arguments: Engine.installed)
    func filtersStores(engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let driver = browser.driver
      try await browser.open("choose/en-us/")
      for (entered, store) in [
        ("germ", "DEU"), ("deutschl", "DEU"), ("jpn", "JPN"), ("  INR ", "IND"),
      ] {
        let shown: [String] = try await driver.run(
          """
          const input = document.querySelector("#filter");
          input.value = "\(entered)";
          input.dispatchEvent(new Event("input"));
          return [...document.querySelectorAll(".store-list li")].filter((row) => row.checkVisibility()).map((row) => row.dataset.storefront);
          """
        )
        #expect(shown == [store], "\(entered): \(shown)")
      }
      let nothing: String = try await driver.run(
        """
        const input = document.querySelector("#filter");
        input.value = "zzz";
        input.dispatchEvent(new Event("input"));
        return document.querySelector(".filter output").textContent;
        """
      )
      #expect(nothing == "No matches")
    }

    /// A page offers the store of the browser's region, and a closed offer does not come back.
    @Test func offersStoreOfRegion() async throws {
      let browser = try Browser.started()
      let driver = browser.driver
      let region: String = try await driver.run(
        "return navigator.languages.map((tag) => new Intl.Locale(tag).region).find((region) => region) ?? '';"
      )
      try #require(region == "US", "the browser's languages have the region \(region)")
      let offered = "return document.querySelector('.likely-store:not([hidden]) a')?.href ?? '';"
      let offeredAtLast =
        Browser.waiting
        + "return until(() => !document.querySelector('.likely-store').hidden).then(() => { \(offered) });"
      // Runs the page's script again and waits for it, because a page does not show that it will offer no store.
      let offeredAgain =
        "return offerLikelyStore(document.querySelector('.likely-store')).then(() => { \(offered) });"
      // Each page of a suite may share its storage with others.
      try await browser.open("store/sau/ar/")
      let _: Bool = try await driver.run("localStorage.clear(); return true;")
      try await browser.open("store/sau/ar/")
      let address: String = try await driver.run(offeredAtLast)
      #expect(address.hasSuffix("/store/usa/ar/"))
      try await browser.open("store/usa/ar/")
      let own: String = try await driver.run(offeredAgain)
      #expect(own.isEmpty)
      try await browser.open("store/sau/ar/")
      let _: String = try await driver.run(offeredAtLast)
      try await driver.click(driver.find(".likely-store button"))
      let closed: String = try await driver.run(offered)
      #expect(closed.isEmpty)
      try await browser.open("store/sau/ar/")
      let again: String = try await driver.run(offeredAgain)
      #expect(again.isEmpty)
      let _: Bool = try await driver.run("localStorage.clear(); return true;")
    }
  }
}
