import Synchronization

/// The counts of a histogram's buckets, stored inline: counting allocates no memory.
struct HistogramBuckets: ~Copyable, Sendable {
  /// The maximum number of boundaries. There is one more count, for values above the last boundary.
  static let maximumBoundaryCount = 31

  private let boundaries: [Double]
  private let counts = InlineArray<32, Atomic<UInt64>> { _ in Atomic(0) }

  /// Creates buckets with at most 31 ascending boundaries.
  init(_ boundaries: [Double]) { self.boundaries = boundaries }

  /// Returns valid boundaries: finite, ascending and unique. If there are too many, the lowest ones.
  static func boundaries(_ boundaries: [Double]) -> [Double] {
    var result: [Double] = []
    for boundary in boundaries.filter(\.isFinite).sorted() where boundary != result.last {
      result.append(boundary)
    }
    return Array(result.prefix(maximumBoundaryCount))
  }

  /// Counts a value. A value equal to a boundary belongs to the bucket below.
  func count(_ value: Double) {
    var index = 0
    while index < boundaries.count, value > boundaries[index] { index += 1 }
    counts[index].wrappingAdd(1, ordering: .relaxed)
  }

  /// Writes the cumulative counts of the buckets, and returns the total count.
  func write(_ identity: SeriesIdentity, _ boundaryTexts: [String], to text: inout ExpositionText) -> String {
    var total: UInt64 = 0
    for (index, boundary) in boundaryTexts.enumerated() {
      total = total &+ counts[index].load(ordering: .relaxed)
      text.sample(identity, "_bucket", boundary: boundary, value: String(total))
    }
    total = total &+ counts[boundaryTexts.count].load(ordering: .relaxed)
    text.sample(identity, "_bucket", boundary: "+Inf", value: String(total))
    return String(total)
  }
}
