/// Returns a power of ten from 10⁰ to 10¹⁸.
@inline(__always)
func powerOfTen(_ exponent: Int) -> Int64 {
  // The table has 32 elements, so that no exponent needs a bounds check, which would trap.
  powersOfTen[unchecked: exponent & 31]
}

private let powersOfTen: InlineArray<32, Int64> = [
  1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
  100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
  10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1,
]
