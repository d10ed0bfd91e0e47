/// Returns a power of ten from 10⁰ to 10¹⁸.
///
/// The compiler turns the switch into a constant table. An array would need a bounds check, which traps. The function is not
/// inlined, because the compiler would then write each division by a power as 19 divisions by constants.
@inline(never)
func powerOfTen(_ exponent: Int) -> Int64 {
  switch exponent {
  case 0: 1
  case 1: 10
  case 2: 100
  case 3: 1_000
  case 4: 10_000
  case 5: 100_000
  case 6: 1_000_000
  case 7: 10_000_000
  case 8: 100_000_000
  case 9: 1_000_000_000
  case 10: 10_000_000_000
  case 11: 100_000_000_000
  case 12: 1_000_000_000_000
  case 13: 10_000_000_000_000
  case 14: 100_000_000_000_000
  case 15: 1_000_000_000_000_000
  case 16: 10_000_000_000_000_000
  case 17: 100_000_000_000_000_000
  default: 1_000_000_000_000_000_000
  }
}
