import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

/// Prices and words as a store page shows them: the prices are the library's own, and stand where the words put them.
extension SiteTests.InBrowser {
  @Suite struct StorePage {
    // MARK: Prices

    /// A price that is shown.
    private struct ShownPrice: Decodable {
      /// The product it stands in; empty for one that stands in none.
      let product: String
      let text: String
      /// What is said of it: beside it, or in the words before it.
      let spoken: String
      let lang: String
      /// As the browser computes it.
      let direction: String
      let isSeen: Bool
      let isSpokenSeen: Bool
    }

    private struct ShownPage: Decodable {
      let lang: String
      let direction: String
      let products: [String]
      let prices: [ShownPrice]
    }

    private static let shownPage = """
      const seen = (element) => {
        const box = element.getBoundingClientRect();
        return box.width > 2 && box.height > 2;
      };
      const direction = (element) => getComputedStyle(element).direction;
      const price = (bdi) => {
        const own = bdi.querySelector(".spoken");
        // Where it is compared with another one, a sentence before it says both.
        const before = (bdi.closest("s") ?? bdi).previousElementSibling;
        const spoken = own ?? before?.querySelector("span[lang]");
        const text = bdi.querySelector("span[aria-hidden=true]");
        return {
          product: bdi.closest("[data-product]")?.dataset.product ?? "",
          text: text.textContent, spoken: spoken?.textContent ?? "", lang: bdi.lang, direction: direction(bdi),
          isSeen: seen(text), isSpokenSeen: [...document.querySelectorAll(".spoken")].some(seen),
        };
      };
      return {
        lang: document.documentElement.lang, direction: direction(document.documentElement),
        products: [...document.querySelectorAll("[data-product]")].map((element) => element.dataset.product),
        prices: [...document.querySelectorAll("bdi.price")].map(price),
      };
      """

    /// The prices that may stand in a product: its own, those of its offers, and what it costs by the month.
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

    /// A price as it is seen and heard, each character visible.
    private static func line(_ text: String, _ spoken: String, _ lang: String, _ direction: String) -> String
    {
      "\(visible(text)) (\(visible(spoken))) in \(lang), \(direction)"
    }

    @Test(arguments: StoreRow.all)
    func everyPriceIsTheLibrarysOwn(row: StoreRow) async throws {
      let browser = try Browser.started()
      let response = try row.response()
      try await browser.open(row.path)
      let page: ShownPage = try await browser.driver.run(Self.shownPage)
      #expect(page.lang == row.language)
      #expect(try page.direction == row.words().direction.rawValue)
      #expect(Set(page.products) == Set(response.products.map(\.identifier)))
      #expect(page.prices.allSatisfy { !$0.product.isEmpty })
      #expect(page.prices.filter { !$0.isSeen }.map(\.text) == [])
      #expect(!page.prices.contains { $0.isSpokenSeen })
      let shown = Dictionary(grouping: page.prices, by: \.product).mapValues { prices in
        prices.map { Self.line($0.text, $0.spoken, $0.lang, $0.direction) }
      }
      for product in response.products {
        let expected = Self.prices(of: product).map {
          Self.line($0.text, $0.spoken, $0.locale.identifier, $0.direction.rawValue)
        }
        let lines = shown[product.identifier] ?? []
        if product.price.amount == .zero, product.subscription == nil {
          // Its word stands there in place of a price.
          #expect(lines.isEmpty, "\(product.identifier)")
          continue
        }
        #expect(lines.contains(expected[0]), "\(product.identifier) shows \(lines) and not \(expected[0])")
        #expect(Set(lines).subtracting(expected).isEmpty, "\(product.identifier) shows more than \(expected)")
      }
    }

    /// A product's own page shows its price, and those of its offers.
    @Test(arguments: StoreRow.all)
    func aProductsPageShowsItsPrices(row: StoreRow) async throws {
      let browser = try Browser.started()
      let products = try row.response().products.filter { $0.subscription?.group != nil }
      let product = try #require(products.first { !$0.offers.isEmpty })
      try await browser.open("\(row.path)products/\(product.identifier)/")
      let page: ShownPage = try await browser.driver.run(Self.shownPage)
      #expect(try page.direction == row.words().direction.rawValue)
      let shown = Dictionary(grouping: page.prices, by: \.product).mapValues { prices in
        prices.map { Self.line($0.text, $0.spoken, $0.lang, $0.direction) }
      }
      // The others of its group stand beside it.
      for other in products where other.subscription?.group == product.subscription?.group {
        let expected = Self.prices(of: other).map {
          Self.line($0.text, $0.spoken, $0.locale.identifier, $0.direction.rawValue)
        }
        let lines = shown[other.identifier] ?? []
        #expect(lines.contains(expected[0]), "\(other.identifier) shows \(lines) and not \(expected[0])")
        #expect(Set(lines).subtracting(expected).isEmpty, "\(other.identifier) shows more than \(expected)")
      }
      // All offers but those that ask for a code.
      let offered = product.offers.filter { $0.kind != .code }.compactMap(\.price)
      for price in offered {
        #expect(
          shown[product.identifier]?.contains { $0.hasPrefix("\(visible(price.text)) ") } == true,
          "\(price)"
        )
      }
    }

    /// A reduced price is struck out for the eye, and said to be one for the ear.
    @Test(arguments: reducedRows)
    func aReducedPriceIsStruckOut(row: StoreRow) async throws {
      let browser = try Browser.started()
      struct Amount: Decodable {
        let product: String
        let struck: [String]
        let isStruck: Bool
        let spoken: String
      }
      try await browser.open(row.path, of: Sites.sale)
      let page: ShownPage = try await browser.driver.run(Self.shownPage)
      let amounts: [Amount] = try await browser.driver.run(
        """
        const text = (element) => element.textContent;
        return [...document.querySelectorAll(".card")].map((card) => ({
          product: card.dataset.product,
          struck: [...card.querySelectorAll("s span[aria-hidden=true]")].map(text),
          isStruck: getComputedStyle(card.querySelector("s")).textDecorationLine === "line-through",
          spoken: [...card.querySelectorAll(".amount .spoken")].map(text).join(" "),
        }));
        """
      )
      let products = try row.response(of: .sale).products
      try #require(
        amounts.map(\.product).sorted() == products.map(\.identifier).sorted() && products.count == 2
      )
      #expect(!page.prices.contains { $0.isSpokenSeen })
      for product in products {
        let amount = try #require(amounts.first { $0.product == product.identifier })
        let before = try #require(product.priceBeforeReduction)
        #expect(amount.struck.map(visible) == [visible(before.text)])
        #expect(amount.isStruck)
        let was = try StoreStrings.embedded.format(
          "price_was_spoken",
          in: row.words(),
          ["price": .price(before)]
        )
        #expect(heard(amount.spoken).hasPrefix(heard(was.spoken)))
        #expect(heard(amount.spoken).contains(heard(product.price.spoken)))
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

    /// The words and the price of a button: the texts in logical order, and where each is seen.
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
        // In one line, left and right say what comes first.
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

    /// The words before a price in the message stand at the page's start side of it, those behind it at the end side.
    @Test(arguments: StoreRow.all)
    func wordsStandAroundThePriceAsTheMessageHasThem(row: StoreRow) async throws {
      let browser = try Browser.started()
      let words = try row.words()
      let products = try Dictionary(
        uniqueKeysWithValues: row.response().products.map { ($0.identifier, $0) }
      )
      try await browser.open(row.path)
      let buttons: [Button] = try await browser.driver.run(Self.buttons)
      #expect(buttons.count >= 15)
      for button in buttons {
        let product = try #require(products[button.product])
        let key = product.kind == .autoRenewable ? "subscribe_for_price" : "buy_for_price"
        let message = try StoreStrings.embedded.format(key, in: words, ["price": .price(product.price)])
          .isolated
        let pieces = message.split(separator: #/[\u{2068}\u{2069}]/#, omittingEmptySubsequences: false).map(
          String.init
        )
        try #require(pieces.count == 3)
        #expect(button.before == pieces[0].trimmingCharacters(in: .whitespaces), "\(button.product)")
        #expect(visible(button.price) == visible(product.price.text))
        #expect(button.after == pieces[2].trimmingCharacters(in: .whitespaces), "\(button.product)")
        let isLeftToRight = words.direction == .leftToRight
        if let before = button.beforeExtent {
          #expect(Self.stands(before, isLeftToRight, before: button.priceExtent), "\(button)")
        }
        if let after = button.afterExtent {
          #expect(Self.stands(button.priceExtent, isLeftToRight, before: after), "\(button)")
        }
        #expect(
          (button.beforeExtent == nil) == button.before.isEmpty
            && (button.afterExtent == nil) == button.after.isEmpty
        )
      }
    }

    /// Whether one is read first; half a pixel is a rounding.
    private static func stands(_ first: Button.Extent, _ isLeftToRight: Bool, before second: Button.Extent)
      -> Bool
    {
      isLeftToRight ? first.right <= second.left + 0.5 : first.left >= second.right - 0.5
    }

    /// Where the digits of a price and its currency's symbol are seen.
    private struct Digits: Decodable {
      let product: String
      let text: String
      let digits: [Double]
      let symbols: [Double]
    }

    static let digits = """
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

    /// Digits run from left to right, Arabic-Indic ones too, and the symbol stands on the side where the price's own
    /// direction puts it: in words of either direction.
    @Test(arguments: StoreRow.all)
    func aPriceReadsInItsOwnOrder(row: StoreRow) async throws {
      let browser = try Browser.started()
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

    /// Another language changes every label, the address and the direction, and no price.
    @Test(arguments: [Sites.small, Sites.garage])
    func aLanguageChangesEveryLabelAndNoPrice(site: Sites.Site) async throws {
      let browser = try Browser.started()
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

    /// The entry page asks for language and store apart: the language changes its labels, a store leads to its page in
    /// that language where it has one.
    @Test func theEntryPageAsksForLanguageAndStoreApart() async throws {
      let browser = try Browser.started()
      let driver = browser.driver
      try await browser.open("")
      let languages: [String] = try await driver.run(
        "return [...document.querySelectorAll('.language-list a')].map((link) => link.hreflang);"
      )
      let folders = try Sites.made().files(of: Sites.garage).filter { $0.hasPrefix("choose/") }
      #expect(Set(languages.map { "choose/\($0.lowercased())/index.html" }) == Set(folders))
      try await driver.click(driver.find(".language-list a[hreflang='ar']"))
      #expect(try await driver.address().hasSuffix("/choose/ar/"))
      let direction: String = try await driver.run("return getComputedStyle(document.body).direction;")
      #expect(direction == "rtl")
      try await driver.click(driver.find(".store-list [data-storefront='SAU'] a"))
      #expect(try await driver.address().hasSuffix("/store/sau/ar/"))
    }

    // MARK: A hostile catalogue

    /// A product's texts are text, whatever they look like, and turn no price.
    @Test(arguments: SampleCatalog.hostileNames.map(\.identifier))
    func aHostileNameIsText(identifier: String) async throws {
      let browser = try Browser.started()
      let driver = browser.driver
      let name = try #require(SampleCatalog.hostileNames.first { $0.identifier == identifier }).name
      for path in [
        "store/usa/en-us/", "store/usa/en-us/products/\(identifier)/", "store/sau/ar/products/\(identifier)/",
      ] {
        try await browser.open(path, of: Sites.hostile)
        #expect(try await driver.alert() == nil, "\(path)")
        let shown: [String] = try await driver.run(
          """
          return [...document.querySelectorAll(`[data-product="${arguments[0]}"] :is(h1, h4) bdi`)]
            .map((element) => element.textContent);
          """,
          .text(identifier)
        )
        // What a name leaves open may be closed behind it.
        #expect(
          shown.map { visible($0).replacing(#/(\\u\{20(2c|69)\})+$/#, with: "") } == [visible(name)],
          "\(path)"
        )
        // Nothing was made of it: no element that pages do not have, no attribute that acts.
        let made: [String] = try await driver.run(
          """
          const acts = (element) => element.getAttributeNames().some((name) => name.startsWith("on") || name === "autofocus");
          return [...document.querySelectorAll("*")]
            .filter((element) => element.matches("main script, main img, svg, iframe, object") || acts(element))
            .map((element) => element.outerHTML);
          """
        )
        #expect(made.isEmpty, "\(path)")
        let prices: [Digits] = try await driver.run(Self.digits)
        #expect(!prices.isEmpty)
        for price in prices {
          #expect(zip(price.digits, price.digits.dropFirst()).allSatisfy { $0 < $1 }, "\(path): \(price)")
        }
      }
    }
  }
}
