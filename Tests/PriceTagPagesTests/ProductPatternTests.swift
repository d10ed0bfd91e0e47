import Foundation
import PriceTag
import Testing

@testable import PriceTagPages

/// Tests of the generated pictures of products without one.
@Suite struct ProductPatternTests {
  /// Identifiers of shops, and hostile ones.
  static let identifiers =
    (0..<400).map { "com.example.product\($0)" } + [
      "", "a", "<script>", "\u{0}", "\u{1F680}", String(repeating: "x", count: 10_000),
    ]

  @Test func dependsOnTheIdentifierOnly() {
    #expect(ProductPattern("com.example.level3") == ProductPattern("com.example.level3"))
    #expect(Set(Self.identifiers.map { ProductPattern($0).svg }).count > 300)
    #expect(
      Set(Self.identifiers.map { ProductPattern($0).scene }).count == ProductPattern.Scene.allCases.count
    )
    #expect(Set(Self.identifiers.map { ProductPattern($0).hue }) == Set(0..<ProductPattern.hueCount))
  }

  /// Pins one picture, because a release should not change the pictures of a shop.
  @Test func writesTheSamePictureInEveryRelease() {
    #expect(ProductPattern("com.example.paint_comet").svg == Self.hills)
    // Of every scene.
    #expect(fingerprint(of: Self.identifiers.map { ProductPattern($0).svg }.joined()) == "6ebfa72959752954")
  }

  private static let hills =
    #"<svg class="pattern hue-4" viewBox="0 0 40 30" preserveAspectRatio="xMidYMid slice" aria-hidden="true">"#
    + #"<circle class="tone-4" cx="26" cy="9" r="6"/>"#
    + #"<path class="tone-1" d="M33.7 30H0V18.6A21 12 0 0 1 33.7 30z"/>"#
    + #"<path class="tone-2" d="M11 30A19 11 0 0 1 40 20.6V30H11z"/>"#
    + #"<path class="tone-3" d="M0 25.9A29 10 0 0 1 37.1 30H0V25.9z"/>"#
    + #"</svg>"#

  /// Elements with numbers in their attributes, which a product's identifier cannot reach.
  private static var grammar: Regex<Substring> {
    #/<svg class="pattern hue-[0-5]" viewBox="0 0 40 30" [ a-zA-Z="-]+>(?:<(?:circle|ellipse) class="tone-[0-5]"(?: [crxy]{1,2}="-?[0-9]+")+/>|<path class="(?:tone|line)-[0-5]" d="[AHMVhlvz0-9. -]+"/>)+</svg>/#
  }

  @Test func writesAtMost600Bytes() throws {
    let grammar = Self.grammar
    for identifier in Self.identifiers {
      let svg = ProductPattern(identifier).svg
      #expect(svg.utf8.count <= 600, "\(identifier.prefix(30)): \(svg)")
      #expect(svg.contains(" aria-hidden=\"true\">"))
      #expect(svg.wholeMatch(of: grammar) != nil, "\(svg)")
    }
  }

  /// A picture has a few shapes, and each one is at least partly inside.
  @Test func paintsFewVisibleShapes() {
    for identifier in Self.identifiers {
      let pattern = ProductPattern(identifier)
      #expect((3...20).contains(pattern.layers.count), "\(pattern.scene)")
      for layer in pattern.layers {
        let (x, y) = Self.extent(of: layer.shape)
        #expect(x.overlaps(0...ProductPattern.width) && y.overlaps(0...ProductPattern.height), "\(layer)")
      }
    }
  }

  private static func extent(of shape: ProductPattern.Shape) -> (x: ClosedRange<Int>, y: ClosedRange<Int>) {
    switch shape {
    case .ellipse(let center, let horizontal, let vertical):
      (center.x - horizontal...center.x + horizontal, center.y - vertical...center.y + vertical)
    case .ring(let center, let radius):
      (center.x - radius...center.x + radius, center.y - radius...center.y + radius)
    case .polygons(let polygons):
      polygons.joined().reduce((20...20, 15...15)) { extent, point in
        (
          min(extent.0.lowerBound, point.x)...max(extent.0.upperBound, point.x),
          min(extent.1.lowerBound, point.y)...max(extent.1.upperBound, point.y)
        )
      }
    }
  }

  /// Neighbors in the sample shop differ in scene and color, with and without its pictures.
  @Test func neighborsInTheSampleShopDiffer() throws {
    struct Shop: Decodable {
      struct Product: Decodable {
        let productIdentifier: String
        let image: String?
      }

      let products: [Product]
    }
    let path = PageShop.examples.appending(path: "rocket-garage.json")
    let products = try JSONDecoder().decode(Shop.self, from: Data(contentsOf: path)).products
    #expect(products.count > 20)
    for shown in [products, products.filter { $0.image == nil }] {
      let patterns = shown.map { ProductPattern($0.productIdentifier) }
      for (one, next) in zip(patterns, patterns.dropFirst()) {
        #expect(one.scene != next.scene && one.svg != next.svg)
      }
    }
    let patterns = products.map { ProductPattern($0.productIdentifier) }
    for (one, next) in zip(patterns, patterns.dropFirst()) { #expect(one.hue != next.hue) }
  }

  // MARK: Colors

  static let accents = ["#0b6b5e", "#8a2be2", "#000000", "#b00020", "#004bff", "#595959", "#7a4b00"]

  /// The shapes of a scene are recognizable: near is dark enough beside the sky, and layers that touch differ.
  @Test(arguments: accents)
  func tonesDiffer(accent: String) throws {
    let theme = try Theme(["accent": accent])
    let css = theme.css
    for hue in 0..<ProductPattern.hueCount {
      for dark in [false, true] {
        let colors = theme.patternColors(hue: hue, dark: dark)
        #expect(colors.count == ProductPattern.Tone.allCases.count)
        func contrast(_ one: ProductPattern.Tone, _ other: ProductPattern.Tone) -> Double {
          colors[one.rawValue].contrast(on: colors[other.rawValue])
        }
        #expect(contrast(.near, .sky) >= 3, "\(colors)")
        #expect(contrast(.light, .night) >= 4.5, "\(colors)")
        for (one, other) in [
          (ProductPattern.Tone.sky, ProductPattern.Tone.far), (.far, .middle), (.middle, .near),
          (.light, .middle),
          (.near, .night),
        ] {
          #expect(contrast(one, other) >= 1.2, "\(one), \(other): \(colors)")
        }
        for (index, color) in colors.enumerated() {
          #expect(css.contains("--tone-\(index):\(color)"))
        }
      }
    }
  }

  @Test func grayAccentHasGrayPictures() throws {
    let theme = try Theme(["accent": "#333333", "dark-accent": "#cccccc"])
    for hue in 0..<ProductPattern.hueCount {
      for color in theme.patternColors(hue: hue, dark: false) + theme.patternColors(hue: hue, dark: true) {
        #expect(color.red == color.green && color.green == color.blue)
      }
    }
  }

  @Test func darkShopHasDarkPictures() throws {
    let theme = try Theme([
      "background": "#000", "surface": "#111", "text": "#fff", "muted": "#ccc", "accent": "#39ff14",
    ])
    for hue in 0..<ProductPattern.hueCount {
      #expect(theme.patternColors(hue: hue, dark: false) == theme.patternColors(hue: hue, dark: true))
    }
    let standard = Theme.standard
    #expect(standard.patternColors(hue: 0, dark: false) != standard.patternColors(hue: 0, dark: true))
  }

  // MARK: Pages

  /// A product without a picture has the same generated one in its store and on its own page. One with a picture has none.
  @Test func pagesShowPatterns() throws {
    let store = try PageShop().store("USA", "en-US")
    let pages = StorePages(shop: try .init(name: "Shop"))
    let svg = ProductPattern("kit").svg
    #expect(try pages.storePage(store).contains("<div class=\"picture\">\(svg)</div>"))
    #expect(try pages.productPage("kit", in: store).contains("<div class=\"picture\">\(svg)</div>"))
    let article = try pages.productPage("car", in: store).components(separatedBy: "</article>")[0]
    #expect(!article.contains("<svg"))
    let without = StorePages(shop: try .init(name: "Shop")) { _ in false }
    #expect(try without.productPage("car", in: store).contains(ProductPattern("car").svg))
  }
}
