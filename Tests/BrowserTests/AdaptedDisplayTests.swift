import Foundation
import Testing

/// Tests of pages that a system or a person has adapted: colors with high contrast, zoom, and more space between letters.
extension SiteTests.InBrowser {
  @Suite struct AdaptedDisplay {
    private static let product = "com.example.garage_club_monthly"

    private static let pages = [
      "", "store/usa/en-us/", "store/sau/ar/", "store/usa/en-us/products/\(product)/",
      "store/sau/ar/products/\(product)/",
      "everywhere/products/\(product)/",
    ]

    /// With forced colors, what a background color distinguished has a border, and initials have the color of text.
    @Test(
      arguments: [
        ("store/usa/en-us/", Sites.sale), ("store/sau/ar/", Sites.sale), ("store/usa/en-us/", Sites.small),
      ],
      Engine.installed
    )
    func forcedColorsKeepControls(page: (path: String, site: Sites.Site), engine: Engine) async throws {
      let browser = try Browser.started(engine)
      try await browser.open(page.path, of: page.site)
      try await browser.driver.prefer(.light, forcedColors: true)
      let found: Adapted = try await browser.driver.run(
        """
        const isForced = matchMedia("(forced-colors: active)").matches;
        const problems = [];
        document.body.style.color = "CanvasText";
        const color = getComputedStyle(document.body).color;
        const parts = [...document.querySelectorAll(".buy, .badge, .offer, .likely-store button, .pattern")]
          .filter((part) => part.checkVisibility());
        for (const part of parts) {
          const style = getComputedStyle(part);
          if (part.matches(".pattern")) {
            if (style.color !== color) problems.push(`an initial in ${style.color}`);
            continue;
          }
          const sides = ["top", "right", "bottom", "left"];
          const hasBorder = sides.every((side) => parseFloat(style[`border-${side}-width`]) >= 1 && style[`border-${side}-style`] !== "none");
          if (!hasBorder) problems.push(`${part.className}: ${part.textContent.trim().slice(0, 40)}`);
        }
        return { isForced, count: parts.length, problems };
        """
      )
      try await browser.driver.prefer(.light)
      #expect(found.isForced)
      #expect(found.count > 3)
      #expect(found.problems.isEmpty)
    }

    private struct Adapted: Decodable {
      let isForced: Bool
      let count: Int
      let problems: [String]
    }

    /// What a window of 1280 to 1024 pixels shows at a zoom of 400 percent (WCAG 2.2, 1.4.10 and 2.4.11): no page scrolls
    /// horizontally, what stays on the screen leaves most of it free, and no element that has the focus is hidden by it.
    @Test(arguments: pages, Engine.installed)
    func worksAtZoomOf400Percent(path: String, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      try await browser.open(path, width: 320)
      try await browser.driver.resize(width: 320, height: 256)
      let problems: [String] = try await browser.driver.run(
        """
        const root = document.documentElement, problems = [];
        root.style.scrollBehavior = "auto";
        if (root.scrollWidth > root.clientWidth) problems.push(`${root.scrollWidth} of ${root.clientWidth} pixels`);
        const fixed = [...document.querySelectorAll("body *")].filter((element) => {
          return ["fixed", "sticky"].includes(getComputedStyle(element).position) && element.checkVisibility();
        });
        for (const element of fixed) {
          const { height } = element.getBoundingClientRect();
          if (height > innerHeight / 3) problems.push(`${element.className} takes ${height} of ${innerHeight} pixels`);
        }
        for (const element of document.querySelectorAll("main a[href], main button, main input")) {
          if (!element.checkVisibility()) continue;
          window.scrollTo(0, 0);
          element.focus();
          const own = element.getBoundingClientRect();
          const isOnScreen = own.top < innerHeight && own.bottom > 0;
          const covered = fixed.filter((cover) => cover !== element && !cover.contains(element)).some((cover) => {
            const box = cover.getBoundingClientRect();
            return own.top >= box.top && own.bottom <= box.bottom && own.left >= box.left && own.right <= box.right;
          });
          if (!isOnScreen || covered) problems.push(`${element.localName} ${element.textContent.trim().slice(0, 40)} is hidden`);
        }
        return problems;
        """
      )
      #expect(problems.isEmpty)
    }

    /// With text of 150 and 200 percent on a phone (WCAG 2.2, 1.4.4), names have room for ten letters in a line, the text of a
    /// card has at least half of its width, and no page scrolls horizontally.
    @Test(arguments: largeTextPages, Engine.installed)
    func largeTextIsReadableOnPhone(page: (path: String, site: Sites.Site), engine: Engine) async throws {
      let browser = try Browser.started(engine)
      try await browser.open(page.path, of: page.site, width: 360)
      for percent in [150, 200] {
        let found: LargeText = try await browser.driver.run(
          """
          const root = document.documentElement, problems = [];
          root.style.fontSize = `${arguments[0]}%`;
          const name = (element) => `${element.localName}.${element.className} ${element.textContent.trim().slice(0, 40)}`;
          if (root.scrollWidth > root.clientWidth) problems.push(`${root.scrollWidth} of ${root.clientWidth} pixels`);
          for (const card of document.querySelectorAll(".card")) {
            const words = card.querySelector(".words");
            if (words.clientWidth < card.clientWidth / 2) problems.push(`${words.clientWidth} pixels: ${name(words)}`);
            const badge = card.querySelector(".sale-badge")?.getBoundingClientRect();
            for (const part of badge ? card.querySelectorAll("h3, .description, .amount") : []) {
              const box = part.getBoundingClientRect();
              const isCovered = badge.left < box.right && badge.right > box.left && badge.top < box.bottom && badge.bottom > box.top;
              if (isCovered) problems.push(`a badge covers ${name(part)}`);
            }
          }
          const names = [...document.querySelectorAll("main :is(h1, h2, h3, tbody th)")].filter((part) => part.checkVisibility());
          for (const part of names) {
            const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
              const node = walker.currentNode;
              for (const word of node.data.matchAll(/[\\p{L}\\p{M}]+/gu)) {
                if (word[0].length > 10) continue;
                const range = document.createRange();
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                const lines = new Set([...range.getClientRects()].filter((box) => box.width > 1).map((box) => Math.round(box.top)));
                if (lines.size > 1) problems.push(`${word[0]} breaks: ${name(part)}`);
              }
            }
          }
          return { count: names.length, problems };
          """,
          .number(percent)
        )
        #expect(found.count > 0)
        #expect(found.problems.isEmpty, "at \(percent) percent")
      }
    }

    private struct LargeText: Decodable {
      let count: Int
      let problems: [String]
    }

    private static let largeTextPages =
      (pages
      + [
        "store/deu/de/", "store/deu/de/products/\(product)/", "store/usa/ru/", "store/ind/ml/",
        "store/usa/en-us/products/com.example.rocket_car/",
      ]).map { (path: $0, site: Sites.garage) }
      + ["store/usa/en-us/", "store/sau/ar/"].map { (path: $0, site: Sites.complete) }

    /// No text is cut off when a person sets more space between lines, letters and words (WCAG 2.2, 1.4.12).
    @Test(arguments: pages, Engine.installed)
    func textSpacingCutsNothing(path: String, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      for width in [320, 1280] {
        try await browser.open(path, width: width)
        let problems: [String] = try await browser.driver.run(
          """
          const sheet = new CSSStyleSheet();
          sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }"
            + "p { margin-block-end: 2em !important; }");
          document.adoptedStyleSheets.push(sheet);
          const root = document.documentElement, problems = [];
          if (root.scrollWidth > root.clientWidth) problems.push(`${root.scrollWidth} of ${root.clientWidth} pixels`);
          for (const element of document.querySelectorAll("body *")) {
            const style = getComputedStyle(element);
            const isHidden = element.closest(".spoken, svg") || !element.checkVisibility() || !element.textContent.trim();
            // A heading for screen readers alone has one pixel.
            if (isHidden || !["hidden", "clip"].includes(style.overflowX) || element.clientWidth <= 1) continue;
            if (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1) {
              problems.push(`${element.localName}.${element.className}: ${element.textContent.trim().slice(0, 40)}`);
            }
          }
          return problems;
          """
        )
        #expect(problems.isEmpty, "at \(width) pixels")
      }
    }
  }
}
