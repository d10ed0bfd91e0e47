import Foundation
import Testing

@testable import PriceTagPages

/// Tests of the generated pictures as PNG.
@Suite struct PatternRasterTests {
  static let identifiers =
    (0..<16).map { "com.example.product\($0)" } + [
      "", "<script>", "\u{1F680}", String(repeating: "x", count: 10_000),
    ]

  private static func file(_ identifier: String, _ width: Int, _ height: Int) throws -> [UInt8] {
    let pattern = ProductPattern(identifier)
    let colors = Theme.standard.patternColors(hue: pattern.hue, dark: false)
    return try #require(PatternRaster(pattern, width: width, height: height).png(colors))
  }

  /// The files of the identifiers in the size of link previews, decoded.
  private static let previews: Result<[(file: [UInt8], image: PNGImage)], any Error> = Result {
    try identifiers.map { identifier in
      let file = try Self.file(identifier, 1200, 630)
      return (file, try PNGImage(file))
    }
  }

  /// Returns the tone at a point in the units of the pattern, and `nil` close to the edge of a shape.
  private static func tone(_ pattern: ProductPattern, _ x: Double, _ y: Double) -> Int? {
    var tone: Int? = ProductPattern.Tone.sky.rawValue
    for layer in pattern.layers {
      // How far inside the shape the point is; negative outside.
      let depth: Double
      switch layer.shape {
      case .ellipse(let center, let horizontal, let vertical):
        let distance = hypot(
          (x - Double(center.x)) / Double(horizontal),
          (y - Double(center.y)) / Double(vertical)
        )
        depth = (1 - distance) * Double(min(horizontal, vertical))
      case .ring(let center, let radius):
        depth = 0.5 - abs(hypot(x - Double(center.x), y - Double(center.y)) - Double(radius))
      case .polygons(let polygons):
        var isInside = false
        var distance = Double.infinity
        for polygon in polygons {
          for (start, end) in zip(polygon, polygon.dropFirst() + polygon.prefix(1)) {
            let (startX, startY) = (Double(start.x), Double(start.y))
            let (width, height) = (Double(end.x) - startX, Double(end.y) - startY)
            if (startY > y) != (startY + height > y), x < startX + (y - startY) * width / height {
              isInside.toggle()
            }
            let along = ((x - startX) * width + (y - startY) * height) / (width * width + height * height)
            let part = min(max(along, 0), 1)
            distance = min(distance, hypot(x - startX - part * width, y - startY - part * height))
          }
        }
        depth = isInside ? distance : -distance
      }
      if abs(depth) < 0.1 { tone = nil } else if depth > 0 { tone = layer.tone.rawValue }
    }
    return tone
  }

  static let sizes: [(width: Int, height: Int)] = [
    (1200, 630), (600, 450), (32, 32), (301, 301), (33, 17), (1, 1),
  ]

  /// Away from the edges of shapes, each pixel has the color of the shape that the picture has there.
  @Test(arguments: sizes) func drawsShapes(width: Int, height: Int) throws {
    for (index, identifier) in Self.identifiers.enumerated() {
      let image =
        try (width, height) == (1200, 630)
        ? Self.previews.get()[index].image : PNGImage(Self.file(identifier, width, height))
      try #require(image.width == width && image.height == height)
      let pattern = ProductPattern(identifier)
      let scale = max(Double(width) / 40, Double(height) / 30)
      var checked = 0
      for number in 0..<2000 {
        let (pixelX, pixelY) = (number * 7919 % width, number * 104_729 % height)
        let x = (Double(pixelX) + 0.5 - Double(width) / 2) / scale + 20
        let y = (Double(pixelY) + 0.5 - Double(height) / 2) / scale + 15
        // A pixel of a small picture is larger than the distance to an edge that is not compared.
        guard scale >= 10, let tone = Self.tone(pattern, x, y) else { continue }
        checked += 1
        let pixel = Int(image.pixels[pixelY * width + pixelX])
        guard pixel == tone else {
          Issue.record("\(identifier.prefix(40)): \(x), \(y): \(pixel) instead of \(tone)")
          return
        }
      }
      #expect(scale < 10 || checked > 1000, "\(identifier.prefix(40)): \(checked)")
    }
  }

  /// Edges are smooth, files are small, and the same picture has the same bytes.
  @Test func isSmallAndRepeatable() throws {
    var count = 0
    for (identifier, (file, image)) in try zip(Self.identifiers, Self.previews.get()) {
      #expect(try file == Self.file(identifier, 1200, 630))
      #expect(file.count < 12_000, "\(identifier.prefix(40)): \(file.count)")
      count += file.count
      #expect(image.pixels.contains { $0 >= ProductPattern.Tone.allCases.count })
    }
    #expect(count / Self.identifiers.count < 8_000)
  }

  /// The colors are those of the theme, also where many are equal or far apart.
  @Test func hasColorsOfTheTheme() throws {
    for colors in [
      ["accent": "#000000"], ["accent": "#333333"], ["accent": "#0000ff"],
      ["background": "#000", "surface": "#111", "text": "#fff", "muted": "#ccc", "accent": "#39ff14"],
      ["background": "#fff", "surface": "#fff", "text": "#000", "muted": "#000", "border": "#000"],
    ] {
      let theme = try Theme(colors)
      for identifier in Self.identifiers.prefix(8) {
        let pattern = ProductPattern(identifier)
        let tones = theme.patternColors(hue: pattern.hue, dark: false)
        let raster = PatternRaster(pattern, width: 120, height: 90)
        let image = try PNGImage(try #require(raster.png(tones)))
        #expect(image.palette.prefix(6) == tones.map { [$0.red, $0.green, $0.blue] }[...])
        for mixture in image.palette.dropFirst(6) {
          for (channel, value) in mixture.enumerated() {
            let values = image.palette.prefix(6).map { $0[channel] }
            #expect(((values.min() ?? 0)...(values.max() ?? 0)).contains(value))
          }
        }
      }
    }
  }

  @Test func needsAllColors() {
    #expect(PatternRaster(ProductPattern("a"), width: 8, height: 8).png([]) == nil)
  }
}
