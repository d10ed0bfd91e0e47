import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

/// Tests of accessibility: keyboard, screen reader, narrow screens, dark mode, and right-to-left languages.
extension SiteTests.InBrowser {
  @Suite struct Accessibility {
    private static let product = "com.example.garage_club_monthly"

    /// A page of each kind and direction.
    private static let pages: [String] = [
      "", "choose/ar/", "store/usa/en-us/", "store/sau/ar/", "store/usa/en-us/products/\(product)/",
      "store/sau/ar/products/\(product)/", "everywhere/", "everywhere/products/\(product)/",
    ]

    // MARK: Keyboard

    /// The focusable elements, and those that received the focus, in order.
    private struct FocusOrder: Decodable {
      let focusable: [String]
      let focused: [String]
    }

    /// The focus goes to the selected button of a group of radio buttons.
    private static let focusable = """
      const focusable = () => [...document.querySelectorAll("a[href], button, summary, input:not([type=radio]:not(:checked)), select, [tabindex]")]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }));
      const name = (element) => {
        const index = [...document.querySelectorAll("*")].indexOf(element);
        return `${element.localName} ${index} ${element.textContent.trim().replace(/\\s+/g, " ").slice(0, 40)}`;
      };
      """

    @Test(arguments: pages, Engine.installed)
    func keyboardReachesAllElementsInOrder(path: String, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let driver = browser.driver
      try await browser.open(path)
      // Another test may have closed the offer of a store.
      let _: WebDriver.Ignored = try await driver.run("localStorage.clear();")
      try await browser.open(path)
      let count: Int = try await driver.run(
        Self.focusable + Browser.waiting + """
          window.focused = [];
          document.addEventListener("focusin", (event) => window.focused.push(name(event.target)));
          return offerIsDecided().then(() => focusable().length);
          """
      )
      try #require(count > 3)
      try await driver.press(Array(repeating: .tab, count: count))
      let order: FocusOrder = try await driver.run(
        Self.focusable + "return { focusable: focusable().map(name), focused: window.focused };"
      )
      #expect(order.focused == order.focusable)
      let skip: Bool = try await driver.run(
        Self.focusable + "return focusable()[0].matches('a[href^=\"#\"]');"
      )
      #expect(skip, "the first focusable element is not the skip link")
    }

    /// The skip link is visible while it has the focus, and leads to the content.
    @Test(arguments: ["store/usa/en-us/", "store/sau/ar/"], Engine.installed)
    func firstLinkSkipsNavigation(path: String, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let driver = browser.driver
      try await browser.open(path)
      try await driver.press([.tab])
      let isVisible: Bool = try await driver.run(
        """
        const box = document.activeElement.getBoundingClientRect();
        return box.width > 10 && box.height > 10 && box.top >= 0 && box.left >= 0 && box.right <= innerWidth;
        """
      )
      #expect(isVisible)
      try await driver.press([.enter, .tab])
      let isInContent: Bool = try await driver.run(
        "return document.querySelector('main').contains(document.activeElement);"
      )
      #expect(isInContent)
    }

    /// The language list can be opened, closed, and used with the keyboard.
    @Test(arguments: Engine.installed)
    func keyboardChoosesLanguage(engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let driver = browser.driver
      try await browser.open("store/usa/en-us/")
      let _: WebDriver.Ignored = try await driver.run("document.querySelector('.languages summary').focus();")
      let isOpen = "return document.querySelector('.languages').open;"
      try await driver.press([.enter])
      #expect(try await driver.run(isOpen) == true)
      try await driver.press([.tab, .escape])
      #expect(try await driver.run(isOpen) == false)
      try await driver.press([.enter, .tab, .tab])
      let chosen: String = try await driver.run(
        Browser.storingAddress + "return document.activeElement.hreflang;"
      )
      try await driver.press([.enter])
      let address: String = try await driver.run("return window.address;")
      #expect(address.hasSuffix("/store/usa/\(chosen.lowercased())/"))
    }

    /// The open language list closes when the focus leaves it, so that it hides nothing that has the focus.
    @Test(arguments: Engine.installed)
    func languageListClosesBehindFocus(engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let driver = browser.driver
      try await browser.open("store/usa/en-us/", width: 360)
      let count: Int = try await driver.run(
        "document.querySelector('.languages summary').focus(); return document.querySelectorAll('.languages a').length;"
      )
      try await driver.press([.enter] + Array(repeating: .tab, count: count))
      let isOpen = "return document.querySelector('.languages').open;"
      #expect(try await driver.run(isOpen) == true)
      try await driver.press([.tab])
      #expect(try await driver.run(isOpen) == false)
    }

    // MARK: Names

    /// All links and buttons have accessible names. A buy button reads its message with the spoken price, then the product.
    @Test(arguments: StoreRow.all)
    func controlsHaveNames(row: StoreRow) async throws {
      let browser = try Browser.started()
      let driver = browser.driver
      let language = try row.uiLanguage()
      try await browser.open(row.path)
      let _: WebDriver.Ignored = try await driver.run("document.querySelector('.languages').open = true;")
      let names = try await driver.accessibleNames()
      let roles: Set = ["link", "button", "radio", "DisclosureTriangle"]
      #expect(roles.isSubset(of: names.map(\.role)))
      #expect(names.filter { roles.contains($0.role) && $0.name.isEmpty }.isEmpty)
      let products = try Dictionary(
        uniqueKeysWithValues: row.response().products.map { ($0.identifier, $0) }
      )
      let buttons: [String] = try await driver.run(
        """
        const shown = [...document.querySelectorAll(".buy")].filter((button) => button.checkVisibility());
        return shown.map((button) => button.dataset.product);
        """
      )
      let expected = try buttons.map { identifier in
        let product = try #require(products[identifier])
        if let trial = product.offers.first(where: { $0.kind == .introductory && $0.price == nil }) {
          let button = try StoreStrings.embedded.freeTrialButton(trial.period, in: language)
          return audible("\(button.spoken) \(product.displayName)")
        }
        // A button names no price beside that of an offer.
        if product.offers.contains(where: { $0.kind == .introductory }) {
          let subscribe = try StoreStrings.embedded.format("subscribe", in: language).plain
          return audible("\(subscribe) \(product.displayName)")
        }
        let key = product.kind == .autoRenewable ? "subscribe_for_price" : "buy_for_price"
        let spoken =
          product.price.amount == .zero && product.subscription == nil
          ? try StoreStrings.embedded.format("get", in: language).plain
          : try StoreStrings.embedded.format(key, in: language, ["price": .price(product.price)]).spoken
        return audible("\(spoken) \(product.displayName)")
      }
      // The offer of another store can be closed.
      let close = try StoreStrings.embedded.format("close", in: language).plain
      let shown = names.filter { $0.role == "button" && $0.name != close }
      #expect(shown.map { audible($0.name) } == expected)
    }

    // MARK: Layout

    /// The first product of a row is at the start side of the page.
    @Test(arguments: StoreRow.all, Engine.installed)
    func firstProductIsAtStartSide(row: StoreRow, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      try await browser.open(row.path)
      struct Box: Decodable {
        let left: Double
        let top: Double
      }
      let cards: [Box] = try await browser.driver.run(
        """
        const lists = [...document.querySelectorAll(".cards")].map((list) => [...list.querySelectorAll(".card:not(.hero)")]);
        return lists.find((cards) => cards.length > 1).slice(0, 2).map((card) => card.getBoundingClientRect());
        """
      )
      try #require(cards.count == 2)
      #expect(cards[0].top == cards[1].top)
      let isLeftToRight = try row.uiLanguage().direction == .leftToRight
      #expect((cards[0].left < cards[1].left) == isLeftToRight)
    }

    /// Pages do not scroll horizontally at a width of 320 pixels (WCAG 2.2, 1.4.10).
    @Test(arguments: narrowPages, Engine.installed)
    func fitsNarrowScreen(path: String, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      try await browser.open(path, width: 320)
      let wide: [String] = try await browser.driver.run(
        """
        const root = document.documentElement;
        if (root.scrollWidth <= root.clientWidth) return [];
        const sticksOut = (element) => {
          const box = element.getBoundingClientRect();
          return box.right > root.clientWidth + 0.5 || box.left < -0.5;
        };
        return [`${root.scrollWidth} of ${root.clientWidth}`].concat([...document.querySelectorAll("body *")].filter(sticksOut)
          .map((element) => `${element.localName}.${element.className}: ${element.textContent.trim().slice(0, 60)}`));
        """
      )
      #expect(wide.isEmpty)
    }

    private static let narrowPages: [String] =
      pages
      + [
        "usa/vi", "usa/ru", "usa/zh-hans", "deu/de", "isr/he", "jpn/ja", "ind/ta", "ind/ml", "ind/hi",
        "tha/th",
      ].flatMap {
        ["store/\($0)/", "store/\($0)/products/\(product)/", "store/\($0)/products/com.example.nitro_kit/"]
      } + ["choose/ta/", "choose/de/", "choose/ml/"]

    // MARK: axe

    /// Pages with words, offers and a footer of the shop.
    private static let completePages = [
      "store/usa/en-us/", "store/sau/ar/products/com.example.desert_falcon/",
      "store/jpn/ja/products/com.example.garage_club_monthly/",
    ].map { (path: $0, site: Sites.complete) }

    /// axe finds no violations in light and dark mode, on wide and narrow screens.
    @Test(
      .enabled(if: Programs.axe != nil, "needs axe: Scripts/setup/setup-browser"),
      arguments: pages.map { (path: $0, site: Sites.garage) } + completePages,
      Engine.installed
    )
    func passesAxe(page: (path: String, site: Sites.Site), engine: Engine) async throws {
      let browser = try Browser.started(engine)
      let axe = try String(contentsOf: #require(Programs.axe), encoding: .utf8)
      for scheme in WebDriver.ColorScheme.allCases {
        for width in [360, 1280] {
          try await browser.open(page.path, of: page.site, width: width, scheme)
          let isDark: Bool = try await browser.driver.run(
            "return matchMedia('(prefers-color-scheme: dark)').matches;"
          )
          #expect(isDark == (scheme == .dark))
          // In Firefox, axe finds some texts partly covered by the boxes around them, and does not decide.
          let contrast = engine == .chromium ? "color-contrast" : ""
          // Dark mode changes only colors.
          let rules = scheme == .dark ? "{ runOnly: ['color-contrast'] }" : "{ resultTypes: ['violations'] }"
          let found: [String] = try await browser.driver.run(
            axe + """

              // axe does not decide about texts below the banner, which is fixed to the end of the window.
              const banner = document.querySelector(".likely-store");
              if (banner) banner.style.position = "static";
              return axe.run(document, \(rules)).then((result) => {
                const line = (rule) =>
                  `${rule.id}: ${rule.help}: ${rule.nodes.map((node) => node.target.join(" ")).slice(0, 5).join(", ")}`;
                // A rule that could not run has no nodes.
                // The boxes of some glyphs extend beyond those of their elements, and axe does not decide. Nor does it decide
                // about a single letter, which the initials of products are.
                const undecided = ["elmPartiallyObscuring", "shortTextContent"];
                const mustBeDecided = (node) => node.any.every((check) => !undecided.includes(check.data?.messageKey));
                const broken = result.incomplete.filter((rule) =>
                  rule.nodes.length === 0 || (rule.id === "\(contrast)" && rule.nodes.some(mustBeDecided)));
                return result.violations.concat(broken).map(line);
              });
              """
          )
          #expect(found.isEmpty, "\(scheme) at \(width) pixels")
        }
      }
    }

    // MARK: Screenshots

    /// Writes screenshots of store pages to `.build/screenshots` for manual review.
    @Test(arguments: StoreRow.all)
    func takesScreenshots(row: StoreRow) async throws {
      let browser = try Browser.started()
      let folder = Programs.package.appending(path: ".build/screenshots")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for width in [360, 1280] {
        try await browser.open(row.path, width: width)
        // Images further down would otherwise load only when scrolled into view.
        let _: WebDriver.Ignored = try await browser.driver.run(
          """
          for (const image of document.images) image.loading = "eager";
          return Promise.all([...document.images].map((image) => image.decode())).then(() => null);
          """
        )
        let picture = try await browser.driver.screenshot()
        // Bytes 16 to 19 of a PNG are its width.
        let size = picture.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        #expect(size == width)
        try picture.write(to: folder.appending(path: "\(row.storefront)-\(row.language)-\(width).png"))
      }
    }
  }
}
