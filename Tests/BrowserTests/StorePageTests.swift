import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

/// Tests of the prices and texts that a browser displays on store pages.
extension SiteTests.InBrowser {
  @Suite struct StorePage {
    // MARK: Prices

    /// A displayed price.
    private struct DisplayedPrice: Decodable {
      /// The product whose element contains it; empty if there is none.
      let product: String
      let text: String
      /// The spoken form, inside the element or in the text before it.
      let spoken: String
      let lang: String
      /// The computed direction.
      let direction: String
      let isVisible: Bool
      let isSpokenVisible: Bool
    }

    private struct DisplayedPage: Decodable {
      let lang: String
      let direction: String
      let products: [String]
      let prices: [DisplayedPrice]
    }

    /// Shows the plans of all periods.
    private static let showAllPlans =
      "for (const choice of document.querySelectorAll('.periods input')) choice.checked = false;"

    private static let displayedPage = """
      \(showAllPlans)
      const isVisible = (element) => {
        const box = element.getBoundingClientRect();
        return box.width > 2 && box.height > 2;
      };
      const direction = (element) => getComputedStyle(element).direction;
      const price = (bdi) => {
        const own = bdi.querySelector(".spoken");
        // A reduced price has its spoken form in the text before it, a struck-out one in the words below it.
        const product = bdi.closest("[data-product]");
        const before = (bdi.closest(".amount > span[aria-hidden=true]") ?? bdi).previousElementSibling;
        const spoken = own ?? (bdi.closest("s") ? product.querySelector(".lowest-price .spoken") : before?.querySelector("span[lang]"));
        const text = bdi.querySelector("span[aria-hidden=true]");
        return {
          product: bdi.closest("[data-product]")?.dataset.product ?? "",
          text: text.textContent, spoken: spoken?.textContent ?? "", lang: bdi.lang, direction: direction(bdi),
          isVisible: isVisible(text), isSpokenVisible: [...document.querySelectorAll(".spoken")].some(isVisible),
        };
      };
      return {
        lang: document.documentElement.lang, direction: direction(document.documentElement),
        products: [...document.querySelectorAll("[data-product]")].map((element) => element.dataset.product),
        prices: [...document.querySelectorAll("bdi.price")].map(price),
      };
      """

    /// Returns the prices that may be displayed for a product: its own, those of its offers, and the monthly price.
    private static func prices(of product: Product) -> [FormattedPrice] {
      var prices = [product.price] + product.offers.compactMap(\.price)
      if let before = product.priceBeforeReduction { prices.append(before) }
      if let period = product.subscription?.period,
        let monthly = try? product.price.per(.month, of: period, rounding: .up)
      {
        prices.append(monthly)
      }
      return prices
    }

    /// Returns a description of a displayed price with all characters escaped.
    private static func line(_ text: String, _ spoken: String, _ lang: String, _ direction: String) -> String
    {
      "\(visible(text)) (\(visible(spoken))) in \(lang), \(direction)"
    }

    @Test(arguments: StoreRow.all, Engine.installed)
    func displaysPrices(row: StoreRow, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let response = try row.response()
      try await browser.open(row.path)
      let page: DisplayedPage = try await browser.driver.run(Self.displayedPage)
      #expect(page.lang == row.language)
      #expect(try page.direction == row.uiLanguage().direction.rawValue)
      #expect(Set(page.products) == Set(response.products.map(\.identifier)))
      #expect(page.prices.allSatisfy { !$0.product.isEmpty })
      #expect(page.prices.filter { !$0.isVisible }.map(\.text) == [])
      #expect(!page.prices.contains { $0.isSpokenVisible })
      let shown = Dictionary(grouping: page.prices, by: \.product).mapValues { prices in
        prices.map { Self.line($0.text, $0.spoken, $0.lang, $0.direction) }
      }
      for product in response.products {
        let expected = Self.prices(of: product).map {
          Self.line($0.text, $0.spoken, $0.locale.identifier, $0.direction.rawValue)
        }
        let lines = shown[product.identifier] ?? []
        if product.price.amount == .zero, product.subscription == nil {
          // A free product shows the word "Free" instead of a price.
          #expect(lines.isEmpty, "\(product.identifier)")
          continue
        }
        #expect(lines.contains(expected[0]), "\(product.identifier) shows \(lines) and not \(expected[0])")
        #expect(Set(lines).subtracting(expected).isEmpty, "\(product.identifier) shows more than \(expected)")
      }
    }

    /// A product page shows the price of the product and those of its offers.
    @Test(arguments: StoreRow.all, Engine.installed)
    func displaysPricesOnProductPage(row: StoreRow, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let products = try row.response().products.filter { $0.subscription?.group != nil }
      let product = try #require(products.first { !$0.offers.isEmpty })
      try await browser.open("\(row.path)products/\(product.identifier)/")
      let page: DisplayedPage = try await browser.driver.run(Self.displayedPage)
      #expect(try page.direction == row.uiLanguage().direction.rawValue)
      let shown = Dictionary(grouping: page.prices, by: \.product).mapValues { prices in
        prices.map { Self.line($0.text, $0.spoken, $0.lang, $0.direction) }
      }
      // The page compares the other subscriptions of the group.
      for other in products where other.subscription?.group == product.subscription?.group {
        let expected = Self.prices(of: other).map {
          Self.line($0.text, $0.spoken, $0.locale.identifier, $0.direction.rawValue)
        }
        let lines = shown[other.identifier] ?? []
        #expect(lines.contains(expected[0]), "\(other.identifier) shows \(lines) and not \(expected[0])")
        #expect(Set(lines).subtracting(expected).isEmpty, "\(other.identifier) shows more than \(expected)")
      }
      // All offers except those that require a code.
      let offered = product.offers.filter { $0.kind == .introductory }.compactMap(\.price)
      for price in offered {
        #expect(
          shown[product.identifier]?.contains { $0.hasPrefix("\(visible(price.text)) ") } == true,
          "\(price)"
        )
      }
    }

    /// The price before a reduction is struck through, and screen readers announce it as such.
    @Test(arguments: reducedRows, Engine.installed)
    func strikesThroughPriceBeforeReduction(row: StoreRow, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      struct Amount: Decodable {
        let product: String
        let struck: [String]
        let isStruck: Bool
        let spoken: String
        let lowest: String
      }
      try await browser.open(row.path, of: Sites.sale)
      let page: DisplayedPage = try await browser.driver.run(Self.displayedPage)
      let amounts: [Amount] = try await browser.driver.run(
        """
        const text = (element) => element.textContent;
        return [...document.querySelectorAll(".card")].map((card) => ({
          product: card.dataset.product,
          struck: [...card.querySelectorAll("s span[aria-hidden=true]")].map(text),
          isStruck: getComputedStyle(card.querySelector("s")).textDecorationLine === "line-through",
          spoken: [...card.querySelectorAll(".amount .spoken")].map(text).join(" "),
          lowest: [...card.querySelectorAll(".lowest-price")].map((words) => {
            const copy = words.cloneNode(true);
            for (const hidden of copy.querySelectorAll("[aria-hidden=true]")) hidden.remove();
            return copy.textContent;
          }).join(" "),
        }));
        """
      )
      let products = try row.response(of: .sale).products
      try #require(
        amounts.map(\.product).sorted() == products.map(\.identifier).sorted() && products.count == 3
      )
      #expect(!page.prices.contains { $0.isSpokenVisible })
      for product in products {
        let amount = try #require(amounts.first { $0.product == product.identifier })
        let before = try #require(product.priceBeforeReduction)
        #expect(amount.struck.map(visible) == [visible(before.text)])
        #expect(amount.isStruck)
        let was = try StoreStrings.embedded.format(
          "lowest_price_in_30_days",
          in: row.uiLanguage(),
          ["price": .price(before)]
        )
        #expect(audible(amount.lowest) == audible(was.spoken))
        #expect(audible(amount.spoken).contains(audible(product.price.spoken)))
        let lines = page.prices.filter { $0.product == product.identifier }.map {
          Self.line($0.text, $0.spoken, $0.lang, $0.direction)
        }
        let expected = [before, product.price].map {
          Self.line($0.text, $0.spoken, $0.locale.identifier, $0.direction.rawValue)
        }
        #expect(lines.first == expected[0])
        #expect(Set(lines) == Set(expected))
      }
    }

    private static let reducedRows: [StoreRow] = [
      StoreRow(language: "en-US", storefront: "USA"),
      StoreRow(language: "ar", storefront: "USA"),
      StoreRow(language: "ar", storefront: "SAU"),
    ]

    // MARK: Order

    /// The text and the price of a button in logical order, with their positions.
    private struct Button: Decodable {
      struct Extent: Decodable {
        let left: Double
        let right: Double
      }

      let product: String
      let before: String
      let price: String
      let after: String
      let beforeExtent: Extent?
      let priceExtent: Extent
      let afterExtent: Extent?
    }

    private static let buttons = """
      const extent = (nodes) => {
        const boxes = nodes.flatMap((node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          return [...range.getClientRects()].filter((box) => box.width > 0);
        });
        if (boxes.length === 0) return null;
        return { left: Math.min(...boxes.map((box) => box.left)), right: Math.max(...boxes.map((box) => box.right)) };
      };
      const words = (nodes) => nodes.map((node) => node.data).join("").replace(/[ \\n]+/g, " ").replace(/^ | $/g, "");
      return [...document.querySelectorAll(".card .buy")].filter((buy) => buy.querySelector("bdi.price")).map((buy) => {
        // On one line, horizontal positions give the visual order.
        buy.style.whiteSpace = "nowrap";
        const price = buy.querySelector("bdi.price");
        const walker = document.createTreeWalker(buy, NodeFilter.SHOW_TEXT);
        const nodes = [];
        while (walker.nextNode()) {
          if (!walker.currentNode.parentElement.closest(".spoken")) nodes.push(walker.currentNode);
        }
        const [before, own, after] = [1, 0, -1].map((side) => nodes.filter((node) => {
          if (price.contains(node)) return side === 0;
          const isAfter = price.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
          return side === (isAfter ? -1 : 1);
        }));
        return {
          product: buy.dataset.product, before: words(before), price: words(own), after: words(after),
          beforeExtent: extent(before), priceExtent: extent(own), afterExtent: extent(after),
        };
      });
      """

    /// The text before the price in the message is on the start side of the price, the text after it on the end side.
    @Test(arguments: StoreRow.all, Engine.installed)
    func ordersTextAroundPrice(row: StoreRow, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let language = try row.uiLanguage()
      let products = try Dictionary(
        uniqueKeysWithValues: row.response().products.map { ($0.identifier, $0) }
      )
      try await browser.open(row.path)
      let buttons: [Button] = try await browser.driver.run(Self.buttons)
      #expect(buttons.count >= 15)
      for button in buttons {
        let product = try #require(products[button.product])
        let key = product.kind == .autoRenewable ? "subscribe_for_price" : "buy_for_price"
        let message = try StoreStrings.embedded.format(key, in: language, ["price": .price(product.price)])
          .isolated
        let pieces = message.split(separator: #/[\u{2068}\u{2069}]/#, omittingEmptySubsequences: false).map(
          String.init
        )
        try #require(pieces.count == 3)
        #expect(button.before == pieces[0].trimmingCharacters(in: .whitespaces), "\(button.product)")
        #expect(visible(button.price) == visible(product.price.text))
        #expect(button.after == pieces[2].trimmingCharacters(in: .whitespaces), "\(button.product)")
        let isLeftToRight = language.direction == .leftToRight
        if let before = button.beforeExtent {
          #expect(Self.isOrdered(before, isLeftToRight, before: button.priceExtent), "\(button)")
        }
        if let after = button.afterExtent {
          #expect(Self.isOrdered(button.priceExtent, isLeftToRight, before: after), "\(button)")
        }
        #expect(
          (button.beforeExtent == nil) == button.before.isEmpty
            && (button.afterExtent == nil) == button.after.isEmpty
        )
      }
    }

    /// Returns whether the first extent precedes the second one. Half a pixel is tolerated for rounding.
    private static func isOrdered(_ first: Button.Extent, _ isLeftToRight: Bool, before second: Button.Extent)
      -> Bool
    {
      isLeftToRight ? first.right <= second.left + 0.5 : first.left >= second.right - 0.5
    }

    /// The horizontal positions of the digits and the symbol of a price.
    private struct Digits: Decodable {
      let product: String
      let text: String
      let digits: [Double]
      let symbols: [Double]
    }

    static let digits = """
      \(showAllPlans)
      const middles = (node, pattern) => [...node.data.matchAll(pattern)].map((match) => {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const box = range.getBoundingClientRect();
        return (box.left + box.right) / 2;
      });
      return [...document.querySelectorAll("bdi.price span[aria-hidden=true]")].map((span) => ({
        product: span.closest("[data-product]").dataset.product, text: span.textContent,
        digits: middles(span.firstChild, /\\p{Nd}/gu), symbols: middles(span.firstChild, /[\\p{L}\\p{Sc}]/gu),
      }));
      """

    /// Digits run from left to right, including Arabic-Indic ones, and the symbol is on the side that the price's own
    /// direction requires, on pages of either direction.
    @Test(arguments: StoreRow.all, Engine.installed)
    func ordersDigitsAndSymbol(row: StoreRow, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let product = try #require(try row.response().products.last { $0.price.amount > .zero }).price
      let isSymbolFirst = product.parts.first { $0.type == .symbol || $0.type == .integer }?.type == .symbol
      let isSymbolLeft = isSymbolFirst == (product.direction == .leftToRight)
      try await browser.open(row.path)
      let prices: [Digits] = try await browser.driver.run(Self.digits)
      #expect(prices.count >= 20)
      for price in prices {
        #expect(zip(price.digits, price.digits.dropFirst()).allSatisfy { $0 < $1 }, "\(price)")
        let (first, last) = try (#require(price.digits.first), #require(price.digits.last))
        #expect(
          !price.symbols.isEmpty && price.symbols.allSatisfy { isSymbolLeft ? $0 < first : $0 > last },
          "\(price)"
        )
      }
    }

    // MARK: Language

    private struct Labels: Decodable, Equatable {
      let prices: [String]
      let buttons: [String]
      let direction: String
    }

    private static let labels = """
      const text = (element) => element.textContent;
      return {
        prices: [...document.querySelectorAll("bdi.price span[aria-hidden=true]")].map(text),
        buttons: [...document.querySelectorAll(".buy")].map((buy) =>
          [...buy.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map(text).join("").trim()),
        direction: getComputedStyle(document.querySelector("main")).direction,
      };
      """

    /// Another language changes all labels, the address, and the direction, but no price.
    @Test(arguments: [Sites.small, Sites.garage], Engine.installed)
    func languageChangesLabelsButNotPrices(site: Sites.Site, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let driver = browser.driver
      let start = StoreRow(language: "en-US", storefront: "USA")
      try await browser.open(start.path, of: site)
      let original: Labels = try await driver.run(Self.labels)
      let languages: [String] = try await driver.run(
        "return [...document.querySelectorAll('.languages a[hreflang]')].map((link) => link.hreflang);"
      )
      #expect(languages.contains("ar") && languages.count >= 2)
      for language in languages where language != start.language {
        try await driver.click(driver.find(".languages summary"))
        try await driver.click(driver.find(".languages a[hreflang='\(language)']"))
        let path = StoreRow(language: language, storefront: start.storefront).path
        #expect(try await driver.address().hasSuffix("/\(site.name)/\(path)"))
        let labels: Labels = try await driver.run(Self.labels)
        #expect(labels.prices.map(visible) == original.prices.map(visible), "\(language)")
        #expect(labels.direction == (try UILanguage(language).direction.rawValue), "\(language)")
        for (label, before) in zip(labels.buttons, original.buttons) {
          #expect(label != before, "\(language)")
        }
      }
    }

    /// On the entry page, language and store are separate choices. A store is linked in the chosen language if it supports
    /// that language.
    @Test(arguments: Engine.installed)
    func entryPageSeparatesLanguageAndStore(engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let driver = browser.driver
      try await browser.open("")
      let languages: [String] = try await driver.run(
        "return [...document.querySelectorAll('.language-list a')].map((link) => link.hreflang);"
      )
      let folders = try Sites.generated().files(of: Sites.garage).filter {
        $0.hasPrefix("choose/") && !$0.hasPrefix("choose/products/")
      }
      #expect(Set(languages.map { "choose/\($0.lowercased())/index.html" }) == Set(folders))
      try await driver.click(driver.find(".language-list a[hreflang='ar']"))
      #expect(try await driver.address().hasSuffix("/choose/ar/"))
      let direction: String = try await driver.run("return getComputedStyle(document.body).direction;")
      #expect(direction == "rtl")
      try await driver.click(driver.find(".store-list [data-storefront='SAU'] a"))
      #expect(try await driver.address().hasSuffix("/store/sau/ar/"))
    }

    // MARK: Hostile texts

    /// Texts of products never become markup and do not reorder prices.
    @Test(arguments: SampleCatalog.hostileNames.map(\.identifier), Engine.installed)
    func displaysHostileNameAsText(identifier: String, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let driver = browser.driver
      let name = try #require(SampleCatalog.hostileNames.first { $0.identifier == identifier }).name
      for path in [
        "store/usa/en-us/", "store/usa/en-us/products/\(identifier)/", "store/sau/ar/products/\(identifier)/",
      ] {
        try await browser.open(path, of: Sites.hostile)
        #expect(try await driver.alert() == nil, "\(path)")
        let shown: [String] = try await driver.run(
          """
          return [...document.querySelectorAll(`[data-product="${arguments[0]}"] :is(h1, h3) bdi`)]
            .map((element) => element.textContent);
          """,
          .text(identifier)
        )
        // Closing bidi controls may be appended.
        #expect(
          shown.map { visible($0).replacing(#/(\\u\{20(2c|69)\})+$/#, with: "") } == [visible(name)],
          "\(path)"
        )
        // The name must not create elements or event handlers.
        let injected: [String] = try await driver.run(
          """
          const acts = (element) => element.getAttributeNames().some((name) => name.startsWith("on") || name === "autofocus");
          return [...document.querySelectorAll("*")]
            .filter((element) => element.matches("main script, main img, svg:not(.picture > .pattern), iframe, object") || acts(element))
            .map((element) => element.outerHTML);
          """
        )
        #expect(injected.isEmpty, "\(path)")
        let prices: [Digits] = try await driver.run(Self.digits)
        #expect(!prices.isEmpty)
        for price in prices {
          #expect(zip(price.digits, price.digits.dropFirst()).allSatisfy { $0 < $1 }, "\(path): \(price)")
        }
      }
    }
  }
}
