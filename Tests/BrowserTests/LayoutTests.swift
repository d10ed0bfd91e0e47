import Foundation
import PriceTag
import Testing

/// Tests of the layout of products.
extension SiteTests.InBrowser {
  @Suite struct Layout {
    /// Every row of cards is full, for lists of 1 to 25 products with and without a hero, at every width.
    @Test(arguments: ["store/usa/en-us/", "store/sau/ar/"], Engine.installed)
    func rowsOfCardsAreFull(path: String, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      for width in [320, 400, 560, 561, 768, 832, 833, 1024, 1088, 1089, 1280, 1600] {
        try await browser.open(path, width: width)
        let rows: Rows = try await browser.driver.run(
          """
          const incomplete = [];
          const columns = new Set();
          for (const list of [...document.querySelectorAll(".cards")].slice(0, 2)) {
            const first = list.firstElementChild;
            const heroes = first.matches(".hero") ? [first] : [];
            const card = list.children[heroes.length];
            for (let count = 1; count <= 25; count++) {
              list.replaceChildren(...heroes, ...Array.from({ length: count }, () => card.cloneNode(true)));
              const whole = list.getBoundingClientRect().width;
              const gap = parseFloat(getComputedStyle(list).columnGap);
              const rows = new Map();
              for (const item of list.children) {
                const { top, width } = item.getBoundingClientRect();
                rows.set(top, [...(rows.get(top) ?? []), width]);
              }
              for (const widths of rows.values()) {
                columns.add(widths.length);
                const sum = widths.reduce((total, width) => total + width + gap, -gap);
                if (Math.abs(sum - whole) > 1) incomplete.push(`${count} cards, ${widths.length} in a row: ${sum} of ${whole}`);
              }
              for (const part of list.querySelectorAll(".picture, .words, .sale")) {
                const own = part.getBoundingClientRect(), card = part.parentElement.getBoundingClientRect();
                const isInside = own.left >= card.left + 4 && own.right <= card.right - 4 && own.bottom <= card.bottom - 4;
                if (!isInside) incomplete.push(`${count} cards: ${part.className} extends beyond its card`);
              }
            }
          }
          return { incomplete, columns: Math.max(...columns), heroes: document.querySelectorAll(".hero").length };
          """
        )
        #expect(rows.incomplete.isEmpty, "at \(width) pixels")
        let expected = width <= 560 ? 1 : width <= 832 ? 2 : width <= 1088 ? 3 : 4
        #expect(rows.columns == expected, "at \(width) pixels")
        #expect(rows.heroes == 1)
      }
    }

    private struct Rows: Decodable {
      let incomplete: [String]
      let columns: Int
      let heroes: Int
    }

    /// The choice of a period hides plans of the other one, and the column of savings if no shown plan has a saving.
    @Test(arguments: ["store/usa/en-us/", "store/sau/ar/"], Engine.installed)
    func choiceOfPeriodHidesOtherPlans(path: String, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      for width in [360, 1280] {
        try await browser.open(path, width: width)
        let choices: [Choice] = try await browser.driver.run(
          """
          const comparison = document.getElementById("compare-garage_club");
          return [...comparison.querySelectorAll(".periods input")].map((radio) => {
            radio.click();
            const shown = (selector) => [...comparison.querySelectorAll(selector)].filter((e) => e.checkVisibility());
            return {
              period: radio.value,
              plans: shown("tbody tr").map((row) => row.dataset.period),
              hasSavings: shown(".saving").length > 0,
              hasSavingsColumn: shown("td.savings").length > 0,
            };
          });
          """
        )
        // The quarterly plan is shown with both, and has a saving; so the column is always shown.
        #expect(
          choices == [
            Choice(period: "P1M", plans: ["P1M", "P1M", "P3M"], hasSavings: true, hasSavingsColumn: true),
            Choice(period: "P1Y", plans: ["P3M", "P1Y", "P1Y"], hasSavings: true, hasSavingsColumn: true),
          ],
          "at \(width) pixels"
        )
        let columns: [Bool] = try await browser.driver.run(
          """
          const comparison = document.getElementById("compare-garage_club");
          comparison.querySelector("[data-period=P3M]").remove();
          return [...comparison.querySelectorAll(".periods input")].map((radio) => {
            radio.click();
            return [...comparison.querySelectorAll(".savings")].some((cell) => cell.checkVisibility());
          });
          """
        )
        #expect(columns == [false, true], "at \(width) pixels")
      }
    }

    private struct Choice: Decodable, Equatable {
      let period: String
      let plans: [String]
      let hasSavings: Bool
      let hasSavingsColumn: Bool
    }

    /// The pictures of initials fill their frames, and the letters do not extend beyond the edges.
    @Test(arguments: Engine.installed)
    func patternsFillTheirFrames(engine: Engine) async throws {
      let browser = try Browser.started(engine)
      for width in [360, 1280] {
        try await browser.open("store/usa/en-us/", of: Sites.small, width: width)
        let empty: [String] = try await browser.driver.run(
          """
          const products = [...document.querySelectorAll(".card")];
          return products.filter((card) => {
            const frame = card.querySelector(".picture").getBoundingClientRect();
            const picture = card.querySelector(".pattern")?.getBoundingClientRect();
            return !picture || frame.width < 60 || Math.abs(frame.width - picture.width) > 1
              || Math.abs(frame.height - picture.height) > 1 || [...card.querySelectorAll(".pattern *")].some((shape) => {
                const box = shape.getBBox();
                return Math.min(box.x, box.y) < -1 || box.x + box.width > 401 || box.y + box.height > 301;
              });
          }).map((card) => card.dataset.product);
          """
        )
        #expect(empty.isEmpty, "at \(width) pixels")
      }
    }

    /// In a gallery, at least 32 pixels of the next picture are visible, cut at a straight edge: on a phone, that of the screen.
    /// The last picture can be scrolled into view completely.
    @Test(arguments: ["store/usa/en-us/", "store/sau/ar/"], Engine.installed)
    func nextPictureIsPartlyVisible(path: String, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      for width in [320, 360, 600, 700, 1280] {
        try await browser.open("\(path)products/com.example.rocket_car/", width: width)
        let problems: [String] = try await browser.driver.run(
          """
          const gallery = document.querySelector(".gallery"), frame = gallery.getBoundingClientRect();
          const problems = [];
          const visible = (picture) => {
            const box = picture.getBoundingClientRect();
            return Math.min(box.right, frame.right) - Math.max(box.left, frame.left);
          };
          const pictures = [...gallery.querySelectorAll(".picture")], last = pictures.at(-1);
          if (pictures.length < 2) problems.push("one picture");
          if (visible(pictures[0]) < pictures[0].offsetWidth - 1) problems.push("the first picture is cut");
          if (visible(pictures[1]) < 32 || visible(pictures[1]) > frame.width / 4) problems.push(`${visible(pictures[1])} pixels of the next picture`);
          if (getComputedStyle(gallery).borderRadius !== "0px") problems.push("the edge is round");
          // The screen without the scroll bar that Firefox has.
          const { clientWidth, scrollWidth } = document.documentElement;
          const isPhone = innerWidth <= 672, reachesEdges = frame.left <= 0.5 && frame.right >= clientWidth - 0.5;
          if (isPhone !== reachesEdges) problems.push(`from ${frame.left} to ${frame.right}`);
          if (scrollWidth > clientWidth) problems.push("the page scrolls horizontally");
          gallery.style.scrollBehavior = "auto";
          gallery.scrollLeft = (getComputedStyle(gallery).direction === "rtl" ? -1 : 1) * gallery.scrollWidth;
          if (visible(last) < last.offsetWidth - 1) problems.push(`${visible(last)} of ${last.offsetWidth} pixels of the last picture`);
          return problems;
          """
        )
        #expect(problems.isEmpty, "at \(width) pixels")
      }
    }

    /// A badge on a picture has a ring of another color, because a picture may have the color of the badge.
    @Test(arguments: WebDriver.ColorScheme.allCases, Engine.installed)
    func badgesOnPicturesHaveRings(scheme: WebDriver.ColorScheme, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      try await browser.open("store/usa/en-us/", of: Sites.complete, scheme)
      let found: [Bool] = try await browser.driver.run(
        """
        return [...document.querySelectorAll(".card :is(.offer-label, .sale-badge)")].filter((badge) => {
          const box = badge.getBoundingClientRect(), picture = badge.closest(".card").querySelector(".picture").getBoundingClientRect();
          return box.top < picture.bottom && box.left < picture.right && box.right > picture.left;
        }).map((badge) => {
          const style = getComputedStyle(badge);
          return style.boxShadow !== "none" && !style.boxShadow.includes(style.backgroundColor);
        });
        """
      )
      #expect(!found.isEmpty)
      #expect(!found.contains(false))
    }

    /// Names, offers and buttons break with a hyphen, prices do not.
    @Test(arguments: Engine.installed)
    func longWordsBreakWithHyphens(engine: Engine) async throws {
      let browser = try Browser.started(engine)
      try await browser.open("store/deu/de/", width: 360)
      let hyphens: [String: [String]] = try await browser.driver.run(
        """
        const selectors = ["h1", "h2", ".card h3", ".comparison tbody th", ".offer-label", ".buy", ".price"];
        return Object.fromEntries(selectors.map((selector) => {
          const values = [...document.querySelectorAll(selector)].map((element) => getComputedStyle(element).hyphens);
          return [selector, [...new Set(values)]];
        }));
        """
      )
      #expect(
        hyphens == [
          "h1": ["auto"], "h2": ["auto"], ".card h3": ["auto"], ".comparison tbody th": ["auto"],
          ".offer-label": ["auto"], ".buy": ["auto"], ".price": ["manual"],
        ]
      )
    }

    /// On a phone the button of a product is on the screen from the start, and covers no element that has the focus
    /// (WCAG 2.2, 2.4.11).
    @Test(arguments: ["store/usa/en-us/", "store/sau/ar/"], Engine.installed)
    func buyButtonStaysOnScreen(path: String, engine: Engine) async throws {
      let browser = try Browser.started(engine)
      try await browser.open("\(path)products/com.example.garage_club_monthly/", width: 360)
      try await browser.driver.resize(width: 360, height: 520)
      let problems: [String] = try await browser.driver.run(
        """
        const problems = [];
        const button = document.querySelector(".product .buy");
        document.documentElement.style.scrollBehavior = "auto";
        window.scrollTo(0, 0);
        const box = button.getBoundingClientRect();
        if (box.top < 0 || box.bottom > innerHeight || box.height < 44) problems.push(`at ${box.top} to ${box.bottom}`);
        for (const element of document.querySelectorAll("main a, main button")) {
          if (element === button) continue;
          window.scrollTo(0, 0);
          element.focus();
          const own = element.getBoundingClientRect(), cover = button.getBoundingClientRect();
          if (own.top < cover.bottom && own.bottom > cover.top) problems.push(`covers ${element.textContent.trim()}`);
        }
        return problems;
        """
      )
      #expect(problems.isEmpty)
    }
  }
}
