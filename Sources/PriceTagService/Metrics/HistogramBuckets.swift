import Synchronization

/// How many values fell between which borders. The counts stand in place: counting follows no pointer and takes no
/// memory.
struct HistogramBuckets: ~Copyable, Sendable {
  /// One more is needed for what is above the last border.
  static let mostBorders = 31

  private let borders: [Double]
  private let counts = InlineArray<32, Atomic<UInt64>> { _ in Atomic(0) }

  /// Borders in ascending order, at most 31.
  init(_ borders: [Double]) { self.borders = borders }

  /// Borders as a histogram can have them: finite, ascending, each once, and the lowest of too many.
  static func borders(_ borders: [Double]) -> [Double] {
    var result: [Double] = []
    for border in borders.filter(\.isFinite).sorted() where border != result.last { result.append(border) }
    return Array(result.prefix(mostBorders))
  }

  /// Counts a value; a value on a border belongs to the bucket below.
  func count(_ value: Double) {
    var index = 0
    while index < borders.count, value > borders[index] { index += 1 }
    counts[index].wrappingAdd(1, ordering: .relaxed)
  }

  /// Writes the buckets with all that is below each border, and returns the count of all.
  func write(_ place: MetricPlace, _ borderTexts: [String], to text: inout ExpositionText) -> String {
    var total: UInt64 = 0
    for (index, border) in borderTexts.enumerated() {
      total = total &+ counts[index].load(ordering: .relaxed)
      text.sample(place, "_bucket", border: border, value: String(total))
    }
    total = total &+ counts[borderTexts.count].load(ordering: .relaxed)
    text.sample(place, "_bucket", border: "+Inf", value: String(total))
    return String(total)
  }
}
