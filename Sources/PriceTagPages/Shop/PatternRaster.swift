import PriceTagText

/// A generated picture as PNG, for search engines, link previews and home screens, which do not accept SVG.
///
///     PatternRaster(ProductPattern("com.example.level3"), width: 1200, height: 630).png(colors)
///
/// The shapes fill the frame as `preserveAspectRatio="xMidYMid slice"` does in SVG. Each pixel has two samples, and the
/// mixture of their colors, so that edges look smooth.
struct PatternRaster {
  private let width, height: Int
  private let layers: [Layer]

  /// A shape, in pixels.
  private struct Layer {
    enum Shape {
      /// A filled ellipse.
      case ellipse(Double, Double, Double, Double)
      /// The area between two circles with the same center.
      case ring(Double, Double, outer: Double, inner: Double)
      case polygons([Edge])
    }

    /// An edge of a polygon that is not horizontal, from its top to its bottom.
    struct Edge {
      let top, bottom, x, slope: Double
    }

    let tone: UInt8
    let shape: Shape
    /// The rows that it may touch.
    let top, bottom: Double
  }

  /// - Parameters:
  ///   - pattern: The picture.
  ///   - width: The number of pixels in a row, at most 4096.
  ///   - height: The number of rows, at most 4096.
  init(_ pattern: ProductPattern, width: Int, height: Int) {
    self.width = min(max(width, 1), PNGWriter.maximumSize)
    self.height = min(max(height, 1), PNGWriter.maximumSize)
    let (frameWidth, frameHeight) = (Double(ProductPattern.width), Double(ProductPattern.height))
    let (width, height) = (Double(self.width), Double(self.height))
    let scale = max(width / frameWidth, height / frameHeight)
    let (left, top) = ((width - frameWidth * scale) / 2, (height - frameHeight * scale) / 2)
    func x(_ point: ProductPattern.Point) -> Double { Double(point.x) * scale + left }
    func y(_ point: ProductPattern.Point) -> Double { Double(point.y) * scale + top }
    layers = pattern.layers.map { layer in
      let tone = UInt8(layer.tone.rawValue)
      switch layer.shape {
      case .ellipse(let center, let horizontal, let vertical):
        let (x, y, radius) = (x(center), y(center), Double(vertical) * scale)
        return Layer(
          tone: tone,
          shape: .ellipse(x, y, Double(horizontal) * scale, radius),
          top: y - radius,
          bottom: y + radius
        )
      case .ring(let center, let radius):
        let (x, y, outer) = (x(center), y(center), (Double(radius) + 0.5) * scale)
        return Layer(
          tone: tone,
          shape: .ring(x, y, outer: outer, inner: (Double(radius) - 0.5) * scale),
          top: y - outer,
          bottom: y + outer
        )
      case .polygons(let polygons):
        var edges: [Layer.Edge] = []
        for polygon in polygons {
          for (start, end) in zip(polygon, polygon.dropFirst() + polygon.prefix(1)) where start.y != end.y {
            let (upper, lower) = start.y < end.y ? (start, end) : (end, start)
            let slope = Double(lower.x - upper.x) / Double(lower.y - upper.y)
            edges.append(Layer.Edge(top: y(upper), bottom: y(lower), x: x(upper), slope: slope))
          }
        }
        let (top, bottom) = (edges.map(\.top).min() ?? 0, edges.map(\.bottom).max() ?? 0)
        return Layer(tone: tone, shape: .polygons(edges), top: top, bottom: bottom)
      }
    }
  }

  /// Returns the file; `nil` if there are too few colors, or memory runs out.
  ///
  /// - Parameter colors: The colors in the order of the tones, as ``Theme/patternColors(hue:dark:)`` returns them.
  func png(_ colors: [Color]) -> [UInt8]? {
    guard colors.count >= ProductPattern.Tone.allCases.count, let writer = PNGWriter(width: width) else {
      return nil
    }
    var palette = Palette(colors)
    // Rows are packed by eight pixels.
    let paddedWidth = (width + 7) / 8 * 8
    withUnsafeTemporaryAllocation(byteCount: 2 * paddedWidth + 1 + paddedWidth / 2, alignment: 8) { memory in
      let upper = UnsafeMutableRawBufferPointer(rebasing: memory[..<paddedWidth])
      let lower = UnsafeMutableRawBufferPointer(rebasing: memory[paddedWidth..<2 * paddedWidth])
      let row = UnsafeMutableRawBufferPointer(rebasing: memory[(2 * paddedWidth)...])
      // The filter of every row: none.
      row[0] = 0
      var crossings: [Double] = []
      for y in 0..<height {
        // The samples are not on a line that edges often have, such as a diagonal.
        paint(upper, at: Double(y) + 0.25, offset: 0.375, &crossings)
        paint(lower, at: Double(y) + 0.75, offset: 0.625, &crossings)
        palette.mix(upper, lower, into: UnsafeMutableRawBufferPointer(rebasing: row[1...]))
        writer.append(UnsafeRawBufferPointer(rebasing: row[..<writer.rowByteCount]))
      }
    }
    return writer.finish(palette: palette.colors.map { ($0.red, $0.green, $0.blue) })
  }

  /// Writes the tones of the samples of a row.
  private func paint(
    _ row: UnsafeMutableRawBufferPointer,
    at y: Double,
    offset: Double,
    _ crossings: inout [Double]
  ) {
    let limit = Double(width)
    func fill(_ start: Double, _ end: Double, _ tone: UInt8) {
      let first = Int(min(max(start - offset, 0), limit).rounded(.up))
      let end = Int(min(max(end - offset, 0), limit).rounded(.up))
      if first < end {
        UnsafeMutableRawBufferPointer(rebasing: row[first..<end]).initializeMemory(
          as: UInt8.self,
          repeating: tone
        )
      }
    }
    row.initializeMemory(as: UInt8.self, repeating: UInt8(ProductPattern.Tone.sky.rawValue))
    for layer in layers where layer.top < y && y < layer.bottom {
      switch layer.shape {
      case .ellipse(let centerX, let centerY, let horizontal, let vertical):
        let distance = (y - centerY) / vertical
        let half = horizontal * max(0, 1 - distance * distance).squareRoot()
        fill(centerX - half, centerX + half, layer.tone)
      case .ring(let centerX, let centerY, let outer, let inner):
        let distance = y - centerY
        let half = max(0, outer * outer - distance * distance).squareRoot()
        guard abs(distance) < inner else {
          fill(centerX - half, centerX + half, layer.tone)
          continue
        }
        let hole = (inner * inner - distance * distance).squareRoot()
        fill(centerX - half, centerX - hole, layer.tone)
        fill(centerX + hole, centerX + half, layer.tone)
      case .polygons(let edges):
        crossings.removeAll(keepingCapacity: true)
        for edge in edges where edge.top <= y && y < edge.bottom {
          crossings.append(edge.x + (y - edge.top) * edge.slope)
        }
        // The polygons of a layer do not overlap, so every second gap is outside.
        crossings.sort()
        for index in stride(from: 0, to: crossings.count - 1, by: 2) {
          fill(crossings[index], crossings[index + 1], layer.tone)
        }
      }
    }
  }
}

/// The colors of a picture: those of the tones, and mixtures of two as the picture needs them.
private struct Palette {
  private(set) var colors: [Color]
  /// The index of the mixture of two tones, at 8 × the one + the other; 0 before it is computed.
  private var mixtures = [UInt8](repeating: 0, count: 64)

  init(_ colors: [Color]) {
    self.colors = Array(colors.prefix(ProductPattern.Tone.allCases.count))
  }

  /// Writes the pixels of a row from the tones of their samples, two in a byte. The width is a multiple of eight.
  mutating func mix(
    _ upper: UnsafeMutableRawBufferPointer,
    _ lower: UnsafeMutableRawBufferPointer,
    into row: UnsafeMutableRawBufferPointer
  ) {
    for start in stride(from: 0, to: upper.count, by: 8) {
      var pixels = UInt64(littleEndian: upper.loadUnaligned(fromByteOffset: start, as: UInt64.self))
      let others = UInt64(littleEndian: lower.loadUnaligned(fromByteOffset: start, as: UInt64.self))
      if pixels != others {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
          let (one, other) = (UInt8(pixels >> shift & 0xFF), UInt8(others >> shift & 0xFF))
          if one != other { pixels ^= UInt64(one ^ mixture(one, other)) << shift }
        }
      }
      // The first of two pixels is the high half of their byte.
      var packed = (pixels & 0x00FF_00FF_00FF_00FF) << 4 | (pixels >> 8 & 0x00FF_00FF_00FF_00FF)
      packed = (packed | packed >> 8) & 0x0000_FFFF_0000_FFFF
      packed = packed | packed >> 16
      row.storeBytes(
        of: UInt32(truncatingIfNeeded: packed).littleEndian,
        toByteOffset: start / 2,
        as: UInt32.self
      )
    }
  }

  private mutating func mixture(_ one: UInt8, _ other: UInt8) -> UInt8 {
    let key = Int(min(one, other)) << 3 | Int(max(one, other))
    if mixtures[key] != 0 { return mixtures[key] }
    // Without room for another color, the edge is not smooth.
    guard colors.count < PNGWriter.maximumColorCount else { return one }
    mixtures[key] = UInt8(colors.count)
    colors.append(colors[Int(one)].mixed(percent: 50, into: colors[Int(other)]))
    return mixtures[key]
  }
}
