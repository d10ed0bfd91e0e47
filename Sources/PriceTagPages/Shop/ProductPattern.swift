import PriceTagText

/// A generated picture for a product without one: a scene of few flat shapes, from the product's identifier alone, so that
/// a product has the same picture on every page.
///
///     ProductPattern("com.example.level3").svg    // "<svg class=\"pattern hue-3\" viewBox=\"0 0 40 30\" …"
///
/// Shapes have tones instead of colors. A theme has the colors of the tones, by hue, in light and dark mode:
/// ``Theme/patternColors(hue:dark:)``. To draw the picture elsewhere, fill it with the color of `.sky`, then draw the
/// layers in order, clipped to the picture.
struct ProductPattern: Hashable, Sendable {
  /// The use of a color in a scene. The raw value is the index of the color, and that of its variable in the style sheet.
  enum Tone: Int, Hashable, Sendable, CaseIterable {
    /// The background of the picture.
    case sky
    /// What is far away, in the middle, and near.
    case far, middle, near
    /// What shines, such as a sun.
    case light
    /// A dark sky, which covers the background.
    case night
  }

  /// A point. A picture is 40 wide and 30 high; the origin is at the top left, and shapes may extend beyond the edges.
  struct Point: Hashable, Sendable {
    let x, y: Int
  }

  enum Shape: Hashable, Sendable {
    /// A filled ellipse with horizontal and vertical radii.
    case ellipse(Point, Int, Int)
    /// The line of a circle, one unit wide.
    case ring(Point, Int)
    /// Filled, convex or concave polygons, without overlap.
    case polygons([[Point]])
  }

  struct Layer: Hashable, Sendable {
    let tone: Tone
    let shape: Shape
  }

  enum Scene: Int, Hashable, Sendable, CaseIterable {
    case hills, peaks, orbits, skyline, quilt, rays, cubes, arches
  }

  static let width = 40
  static let height = 30
  /// The number of hues. Hue 0 is that of the theme's accent.
  static let hueCount = 6

  let scene: Scene
  let hue: Int
  /// The shapes from back to front.
  let layers: [Layer]

  /// Creates the picture of a product.
  init(_ identifier: String) {
    var painter = Painter(identifier)
    scene = Scene.allCases[painter.number(0, Scene.allCases.count - 1)]
    hue = painter.number(0, Self.hueCount - 1)
    painter.isMirrored = painter.number(0, 1) == 1
    switch scene {
    case .hills: painter.paintHills()
    case .peaks: painter.paintPeaks()
    case .orbits: painter.paintOrbits()
    case .skyline: painter.paintSkyline()
    case .quilt: painter.paintQuilt()
    case .rays: painter.paintRays()
    case .cubes: painter.paintCubes()
    case .arches: painter.paintArches()
    }
    layers = painter.layers
  }
}

// MARK: Scenes

/// Paints a scene with numbers that follow from an identifier.
private struct Painter {
  typealias Tone = ProductPattern.Tone
  typealias Point = ProductPattern.Point

  private var state: UInt64
  var isMirrored = false
  private(set) var layers: [ProductPattern.Layer] = []

  /// Starts with a hash of the identifier (FNV-1a). Its initial value makes neighbors in the sample shop differ.
  init(_ identifier: String) {
    state = identifier.utf8.reduce(0xCBF2_9CE4_8422_38B4) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Returns the next number of a range (SplitMix64).
  mutating func number(_ minimum: Int, _ maximum: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return minimum + Int(mixed % UInt64(maximum - minimum + 1))
  }

  private func point(_ x: Int, _ y: Int) -> Point {
    Point(x: isMirrored ? ProductPattern.width - x : x, y: y)
  }

  private mutating func ellipse(_ tone: Tone, _ x: Int, _ y: Int, _ horizontal: Int, _ vertical: Int) {
    layers.append(.init(tone: tone, shape: .ellipse(point(x, y), horizontal, vertical)))
  }

  private mutating func circle(_ tone: Tone, _ x: Int, _ y: Int, _ radius: Int) {
    ellipse(tone, x, y, radius, radius)
  }

  private mutating func ring(_ tone: Tone, _ x: Int, _ y: Int, _ radius: Int) {
    layers.append(.init(tone: tone, shape: .ring(point(x, y), radius)))
  }

  private mutating func polygons(_ tone: Tone, _ polygons: [[(x: Int, y: Int)]]) {
    guard !polygons.isEmpty else { return }
    layers.append(.init(tone: tone, shape: .polygons(polygons.map { $0.map { point($0.x, $0.y) } })))
  }

  mutating func paintHills() {
    circle(.light, number(24, 30), number(8, 11), number(4, 6))
    ellipse(.far, number(8, 13), number(27, 29), number(17, 21), number(11, 14))
    ellipse(.middle, number(29, 34), number(29, 31), number(19, 23), number(10, 13))
    ellipse(.near, number(10, 15), number(34, 36), number(24, 29), number(10, 12))
  }

  mutating func paintPeaks() {
    circle(.light, number(25, 31), number(6, 9), number(3, 4))
    let (back, backTop) = (number(27, 31), number(11, 14))
    polygons(.far, [[(back, backTop), (40, 30), (back - 18, 30)]])
    polygons(.middle, [[(back, backTop), (40, 30), (back + 2, 30)]])
    let (front, top) = (number(12, 16), number(4, 7))
    let foot = front + (30 - top) * 3 / 4
    polygons(.middle, [[(front, top), (front + 3, 30), (0, 30)]])
    polygons(.near, [[(front, top), (foot, 30), (front + 3, 30)]])
    let snow = [(0, 0), (3, 4), (1, 6), (0, 4), (-2, 4)]
    polygons(.light, [snow.map { (front + $0.0, top + $0.1) }])
  }

  mutating func paintOrbits() {
    polygons(.night, [[(0, 0), (40, 0), (40, 30), (0, 30)]])
    let (x, y) = (number(8, 13), number(19, 23))
    // A planet is on its orbit: its offsets and the radius are Pythagorean triples.
    ring(.near, x, y, 20)
    ring(.middle, x, y, 15)
    circle(.light, x, y, number(7, 8))
    let far = [(16, 12), (12, 16), (20, 0)][number(0, 2)]
    circle(.middle, x + far.0, y - far.1, number(2, 3))
    let near = [(9, 12), (12, 9), (15, 0)][number(0, 2)]
    circle(.far, x + near.0, y - near.1, 2)
    circle(.light, number(33, 37), number(3, 9), 1)
    circle(.far, number(33, 37), number(19, 27), 1)
  }

  mutating func paintSkyline() {
    circle(.light, number(26, 31), number(7, 9), number(4, 5))
    for (tone, highest, lowest, start) in [
      (Tone.far, 9, 14, 0), (.middle, 15, 19, -3), (.near, 21, 25, -1),
    ] {
      var outline = [(0, 30)]
      var x = start
      while x < ProductPattern.width {
        let (width, top) = (number(5, 8), number(highest, lowest))
        outline += [(max(x, 0), top), (min(x + width, 40), top)]
        x += width
      }
      polygons(tone, [outline + [(40, 30)]])
    }
  }

  mutating func paintQuilt() {
    var patches: [Tone: [[(x: Int, y: Int)]]] = [:]
    var dots: [(Tone, Int, Int, Int)] = []
    for y in stride(from: 0, to: 30, by: 10) {
      for x in stride(from: 0, to: 40, by: 10) {
        var form = number(0, 5)
        // More dots would make the picture too large.
        if dots.count == 4 { form %= 4 }
        let tone = [Tone.far, .middle, .near][number(0, 2)]
        var corners = [(x: x, y: y), (x + 10, y), (x + 10, y + 10), (x, y + 10)]
        switch form {
        case 0..<4:
          corners.remove(at: form)
          patches[tone, default: []].append(corners)
        case 4: dots.append((tone, x + 5, y + 5, 5))
        default:
          patches[tone, default: []].append(corners)
          dots.append((.light, x + 5, y + 5, 3))
        }
      }
    }
    for tone in Tone.allCases { polygons(tone, patches[tone] ?? []) }
    for (tone, x, y, radius) in dots { circle(tone, x, y, radius) }
  }

  mutating func paintRays() {
    let (x, y) = (number(14, 26), number(19, 22))
    let ends = [
      [(0, y), (0, y - 11)], [(x - 14, 0), (x - 5, 0)], [(x + 4, 0), (x + 13, 0)],
      [(40, y - 13), (40, y - 2)],
    ]
    polygons(.far, ends.map { [(x, y)] + $0 })
    circle(.light, x, y, number(7, 9))
    ellipse(.middle, number(28, 34), number(32, 34), number(20, 24), 10)
    ellipse(.near, number(6, 12), number(34, 36), number(24, 28), 11)
  }

  mutating func paintCubes() {
    circle(.light, number(31, 34), number(5, 8), number(3, 4))
    let spots = [(20, 6), (14, 15), (26, 15), (8, 24), (20, 24), (32, 24)]
    let missing = [[], [0], [3], [0, 5]][number(0, 3)]
    let shown = spots.indices.filter { !missing.contains($0) }.map { spots[$0] }
    for (tone, side) in [
      (Tone.far, [(0, -6), (6, -3), (0, 0), (-6, -3)]), (.middle, [(-6, -3), (0, 0), (0, 6), (-6, 3)]),
      (.near, [(6, -3), (0, 0), (0, 6), (6, 3)]),
    ] {
      polygons(tone, shown.map { spot in side.map { (spot.0 + $0.0, spot.1 + $0.1) } })
    }
  }

  mutating func paintArches() {
    let (back, front) = (number(26, 30), number(10, 15))
    for (tone, radius) in [(Tone.far, 13), (.light, 9), (.middle, 5)] { circle(tone, back, 30, radius) }
    for (tone, radius) in [(Tone.near, 17), (.middle, 13), (.far, 9), (.light, 5)] {
      circle(tone, front, 30, radius)
    }
    circle(.light, number(29, 33), number(6, 8), number(3, 4))
  }
}

// MARK: SVG

extension ProductPattern {
  /// The picture as an element for a page. The style sheet has the colors of its classes. It is decoration, so screen
  /// readers omit it. No shape extends beyond the frame: checkers of contrast would see it behind the text around.
  var svg: String {
    var text = "<svg class=\"pattern hue-\(hue)\" viewBox=\"0 0 \(Self.width) \(Self.height)\""
    text += " preserveAspectRatio=\"xMidYMid slice\" aria-hidden=\"true\">"
    for layer in layers {
      switch layer.shape {
      case .ellipse(let center, let horizontal, let vertical):
        let ellipse = Ellipse(center, horizontal, vertical)
        if !ellipse.isInside {
          text += "<path class=\"tone-\(layer.tone.rawValue)\" d=\"\(ellipse.visiblePart(isFilled: true))\"/>"
        } else if horizontal == vertical {
          text += "<circle class=\"tone-\(layer.tone.rawValue)\" cx=\"\(center.x)\" cy=\"\(center.y)\""
          text += " r=\"\(vertical)\"/>"
        } else {
          text += "<ellipse class=\"tone-\(layer.tone.rawValue)\" cx=\"\(center.x)\" cy=\"\(center.y)\""
          text += " rx=\"\(horizontal)\" ry=\"\(vertical)\"/>"
        }
      case .ring(let center, let radius):
        let ellipse = Ellipse(center, radius, radius)
        text += "<path class=\"line-\(layer.tone.rawValue)\" d=\"\(ellipse.visiblePart(isFilled: false))\"/>"
      case .polygons(let polygons):
        text += "<path class=\"tone-\(layer.tone.rawValue)\" d=\""
        for polygon in polygons { Self.write(polygon, to: &text) }
        text += "\"/>"
      }
    }
    return text + "</svg>"
  }

  /// Writes a closed outline as path commands. Relative coordinates are shorter, and repeat for equal polygons.
  private static func write(_ polygon: [Point], to text: inout String) {
    guard var last = polygon.first else { return }
    text += "M\(last.x) \(last.y)"
    var isLine = false
    for point in polygon.dropFirst() {
      let (x, y) = (point.x - last.x, point.y - last.y)
      switch (x, y) {
      case (_, 0): text += "h\(x)"
      case (0, _): text += "v\(y)"
      default:
        // A minus sign separates numbers, and a command repeats.
        text += "\(isLine ? (x < 0 ? "" : " ") : "l")\(x)\(y < 0 ? "" : " ")\(y)"
      }
      isLine = x != 0 && y != 0
      last = point
    }
    text += "z"
  }
}

/// An ellipse, and the part of it inside the frame.
private struct Ellipse {
  private let x, y, horizontal, vertical: Double
  private static let width = Double(ProductPattern.width)
  private static let height = Double(ProductPattern.height)

  init(_ center: ProductPattern.Point, _ horizontal: Int, _ vertical: Int) {
    (x, y) = (Double(center.x), Double(center.y))
    (self.horizontal, self.vertical) = (Double(horizontal), Double(vertical))
  }

  var isInside: Bool {
    x >= horizontal && x + horizontal <= Self.width && y >= vertical && y + vertical <= Self.height
  }

  /// Returns the path of the visible part: its arcs, and if it is filled, the edges between them.
  func visiblePart(isFilled: Bool) -> String {
    let angles = crossings
    // The whole ellipse is visible, as two arcs.
    guard let first = angles.first else {
      return "M\(text(at: .pi))\(arc(to: 0, isLarge: false))\(arc(to: .pi, isLarge: false))z"
    }
    var path = "M\(text(at: first))"
    for (angle, next) in zip(angles, angles.dropFirst() + [first + 2 * .pi]) {
      if Self.contains(point(at: (angle + next) / 2)) {
        path += arc(to: next, isLarge: next - angle > .pi)
      } else if isFilled {
        path += Self.edges(from: point(at: angle), to: point(at: next))
      } else if next < first + 2 * .pi {
        path += "M\(text(at: next))"
      }
    }
    return path + (isFilled ? "z" : "")
  }

  /// The angles at which it crosses an edge, clockwise.
  private var crossings: [Double] {
    var angles: [Double] = []
    for edge in [0, Self.width] where abs(edge - x) < horizontal {
      let angle = acos((edge - x) / horizontal)
      angles += [angle, 2 * .pi - angle]
    }
    for edge in [0, Self.height] where abs(edge - y) < vertical {
      let angle = asin((edge - y) / vertical)
      angles += [angle < 0 ? angle + 2 * .pi : angle, .pi - angle]
    }
    return angles.filter { Self.contains(point(at: $0)) }.sorted()
  }

  private func point(at angle: Double) -> (x: Double, y: Double) {
    (x + horizontal * cos(angle), y + vertical * sin(angle))
  }

  private static func contains(_ point: (x: Double, y: Double)) -> Bool {
    (-0.001...width + 0.001).contains(point.x) && (-0.001...height + 0.001).contains(point.y)
  }

  private func arc(to angle: Double, isLarge: Bool) -> String {
    "A\(Int(horizontal)) \(Int(vertical)) 0 \(isLarge ? 1 : 0) 1 \(text(at: angle))"
  }

  private func text(at angle: Double) -> String {
    let point = point(at: angle)
    return "\(Self.text(point.x)) \(Self.text(point.y))"
  }

  /// Returns a coordinate in the frame with at most one decimal.
  private static func text(_ value: Double) -> String {
    let tenths = Int((max(value, 0) * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns the way along the edges between two points on them, clockwise.
  private static func edges(from start: (x: Double, y: Double), to end: (x: Double, y: Double)) -> String {
    let length: Double = 2 * (width + height)
    func position(_ point: (x: Double, y: Double)) -> Double {
      if point.y < 0.01 { return point.x }
      if point.x > width - 0.01 { return width + point.y }
      if point.y > height - 0.01 { return length - height - point.x }
      return length - point.y
    }
    let first = position(start)
    var last = position(end)
    if last < first { last += length }
    var path = ""
    var previous = start
    func draw(to point: (x: Double, y: Double)) {
      path += abs(point.y - previous.y) < 0.01 ? "H\(text(point.x))" : "V\(text(point.y))"
      previous = point
    }
    let corners: [(x: Double, y: Double)] = [(width, 0), (width, height), (0, height), (0, 0)]
    for lap in [0, length] {
      for corner in corners {
        let corner = (point: corner, position: position(corner) + lap)
        if corner.position > first + 0.01, corner.position < last - 0.01 { draw(to: corner.point) }
      }
    }
    draw(to: end)
    return path
  }
}
