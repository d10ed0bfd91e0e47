import Foundation
import Testing

/// Tests of what a page loads, and of what it does while it loads.
extension SiteTests.InBrowser {
  @Suite struct Loading {
    private static let product = "com.example.garage_club_monthly"

    /// A page of each kind. The browser's language is en-US, so that the German store offers the American one.
    private static let pages = [
      "", "choose/ar/", "choose/de/#product=\(product)", "choose/products/\(product)/", "store/usa/en-us/",
      "store/sau/ar/",
      "store/deu/de/", "store/deu/de/products/\(product)/", "store/sau/ar/products/\(product)/",
      "everywhere/",
      "everywhere/products/\(product)/",
    ]

    private struct Shift: Decodable, CustomStringConvertible {
      let value: Double
      let elements: [String]

      var description: String { "\(value) of \(elements.joined(separator: ", "))" }
    }

    /// Nothing moves while a page loads and its scripts run, on any width: not even 0.01 of cumulative layout shift.
    /// The Core Web Vitals call up to 0.1 good.
    @Test(arguments: pages)
    func pagesDoNotShift(path: String) async throws {
      let browser = try Browser.started()
      for width in [320, 768, 1280] {
        try await browser.open(path, width: width)
        let shifts: [Shift] = try await browser.driver.run(
          """
          return (async () => {
            \(Browser.waiting)
            await isSettled();
            const observer = new PerformanceObserver(() => {});
            observer.observe({ type: "layout-shift", buffered: true });
            return observer.takeRecords().map(({ value, sources }) =>
              ({ value, elements: sources.map(({ node }) => `${node?.nodeName} ${node?.className ?? ""}`) }));
          })();
          """
        )
        // The name of the product that the address names moves the stores.
        let limit = path.contains("#") ? 0.1 : 0.01
        #expect(shifts.reduce(0) { $0 + $1.value } < limit, "at \(width) pixels: \(shifts)")
      }
    }

    private struct Paint: Decodable {
      let element: String
      let loading: String
    }

    /// The largest element of a page is painted at once: it is not a picture that the browser loads late.
    @Test(arguments: pages)
    func largestElementIsNotLoadedLate(path: String) async throws {
      let browser = try Browser.started()
      for width in [320, 1280] {
        try await browser.open(path, width: width)
        let paints: [Paint] = try await browser.driver.run(
          """
          return (async () => {
            \(Browser.waiting)
            await isSettled();
            const paints = [], cover = document.createElement("p");
            cover.style = "position: fixed; inset: 0; margin: 0; overflow-wrap: anywhere; font: 60px/1 sans-serif";
            cover.textContent = "M".repeat(1000);
            // Paints are reported in order: those of the page are complete when that of a larger text is reported.
            await new Promise((done) => {
              new PerformanceObserver((list) => {
                for (const { element } of list.getEntries()) {
                  if (element === cover) return done();
                  paints.push({ element: element?.outerHTML.slice(0, 200) ?? "", loading: element?.loading ?? "" });
                }
              }).observe({ type: "largest-contentful-paint", buffered: true });
              document.body.append(cover);
            });
            return paints;
          })();
          """
        )
        let last = try #require(paints.last, "no paint at \(width) pixels")
        #expect(last.loading != "lazy", "at \(width) pixels: \(last.element)")
      }
    }

    /// A kind of files, and how many bytes the largest of them may have after compression with gzip.
    struct Budget: CustomTestStringConvertible {
      let kind: String
      /// A pattern of paths.
      let files: String
      let bytes: Int
      /// The minimum number of files.
      var count = 1

      var testDescription: String { kind }

      static let all = [
        Budget(kind: "style sheet", files: "assets/store\\.css", bytes: 8_192),
        Budget(kind: "scripts", files: "assets/[a-z]+\\.js", bytes: 4_096, count: 2),
        Budget(kind: "entry pages", files: "(choose/[a-z-]+/)?index\\.html", bytes: 4_096, count: 15),
        Budget(
          kind: "stores of a product",
          files: "choose/products/[^/]+/index\\.html",
          bytes: 4_096,
          count: 20
        ),
        Budget(kind: "unknown address", files: "404\\.html", bytes: 8_192),
        Budget(kind: "store pages", files: "store/[a-z]+/[a-z-]+/index\\.html", bytes: 9_216, count: 20),
        Budget(
          kind: "product pages",
          files: "store/[a-z]+/[a-z-]+/products/[^/]+/index\\.html",
          bytes: 6_144,
          count: 400
        ),
        Budget(
          kind: "prices everywhere",
          files: "everywhere/(products/[^/]+/)?index\\.html",
          bytes: 4_096,
          count: 20
        ),
      ]
    }

    /// The files of the sample site stay light.
    @Test(arguments: Budget.all)
    func filesAreLight(budget: Budget) throws {
      let sites = try Sites.generated()
      let pattern = try Regex(budget.files)
      let files = try sites.files(of: Sites.garage).filter { $0.wholeMatch(of: pattern) != nil }
      #expect(files.count >= budget.count)
      let folder = sites.folder(of: Sites.garage)
      let sizes = try Programs.run(
        URL(filePath: "/bin/sh"),
        ["-c", "for file do gzip -9 -c \"$file\" | wc -c; done", "sh"]
          + files.map { folder.appending(path: $0).path }
      ).output.split(separator: "\n").compactMap { Int($0) }
      #expect(sizes.count == files.count)
      for (file, size) in zip(files, sizes) {
        #expect(size <= budget.bytes, "\(file)")
      }
    }
  }
}
