import SeededNumbers

/// Random rows, valid and invalid. The same seed gives the same rows.
struct RandomRows {
  var numbers: SeededNumbers

  private static let stores = ["USA", "JPN", "DEU", "EGY", "CHE", "IND", "KWT", "BGR", "USX", "us"]
  private static let amounts = [
    "1", "0", "4.99", "1200", "-3", "1234567.5", "0.1", "99999999999", "1e3", "", "x", "7.00",
  ]
  private static let pieces = [
    "a", "Level", " ", ",", ":", "{", "}", "[", "]", "\\\"", "\\\\", "\\n", "\\u00e9", "\\ud83d\\ude00",
    "\u{E9}",
    "\u{1F600}", "\u{2028}", "/", "\\/", "0", "\u{FEFF}", "漢字", "\u{7F}",
  ]
  private static let keys = [
    "id", "n", "display ", "price", "", "\\u0061", "a b", "\u{E9}", "k1", "k2", "k3", "currency name",
    "spokem",
  ]

  init(seed: UInt64) {
    numbers = SeededNumbers(seed: seed)
  }

  private mutating func space() -> String {
    numbers.isOne(in: 6) ? numbers.pick([" ", "\t", "  ", "\r"]) : ""
  }

  private mutating func string() -> String {
    "\"" + (0..<numbers.number(0...6)).map { _ in numbers.pick(Self.pieces) }.joined() + "\""
  }

  private mutating func value(_ depth: Int) -> String {
    switch numbers.number(0...(depth > 3 ? 4 : 7)) {
    case 0, 1: string()
    case 2: numbers.pick(["0", "-1.5e+10", "12345678901234567890", "0.10"])
    case 3: numbers.pick(["true", "false", "null"])
    case 4: numbers.pick(["{}", "[]", "[[]]"])
    case 5:
      "["
        + (0..<numbers.number(1...4)).map { _ in space() + value(depth + 1) + space() }.joined(separator: ",")
        + "]"
    case 6: "{" + members(depth + 1) + "}"
    default: string()
    }
  }

  private mutating func members(_ depth: Int) -> String {
    let count = numbers.isOne(in: 20) ? 13 : numbers.number(1...4)
    return Self.keys.shuffled(using: &numbers).prefix(count).map { key in
      "\(space())\"\(key)\"\(space()):\(space())\(value(depth))\(space())"
    }.joined(separator: ",")
  }

  /// Returns a JSON row, which may be invalid.
  mutating func json() -> String {
    if numbers.isOne(in: 40) {
      return numbers.pick(["", " ", "nope", "[1]", "{", "{\"a\":1,\"a\":2}", "\"", "{}}", "\\"])
    }
    var fields = [
      "\"storefront\":\(space())\"\(numbers.pick(Self.stores))\"",
      "\"amount\"\(space()):\"\(numbers.pick(Self.amounts))\"",
    ]
    if numbers.isOne(in: 4) { fields.append("\"currency\":\(numbers.pick(["\"USD\"", "null", "\"JPY\""]))") }
    if numbers.isOne(in: 8) { fields[1] = "\"amountMinor\":\(numbers.number(0...1_000_000))" }
    if numbers.isOne(in: 3) { fields.append(members(0)) }
    if numbers.isOne(in: 3) { fields.shuffle(using: &numbers) }
    if numbers.isOne(in: 1000) {
      fields.append(
        "\"long\":\"\(String(repeating: numbers.pick(["x", "\\n", "é"]), count: numbers.number(1000...200_000)))\""
      )
    }
    return space() + "{" + space() + fields.joined(separator: "\(space()),") + space() + "}" + space()
  }

  /// Returns a CSV record with the columns of `csvHeader`, which may be invalid.
  mutating func csv() -> String {
    let texts = ["a", "", "\"\"", "\"a,b\"", "\"x\ny\"", "\"\"\"q\"\"\"", "\u{E9}", " a ", "\"\r\n\"", "漢字"]
    if numbers.isOne(in: 40) { return numbers.pick(["", "a", "a\"b,1,2,3", "\"a\"b,1,2,3", ",,,", ",,,,"]) }
    let amount = numbers.pick(Self.amounts)
    let last =
      numbers.isOne(in: 1000)
      ? "\"\(String(repeating: "x,\n", count: numbers.number(1000...70_000)))\"" : numbers.pick(texts)
    return
      "\(numbers.pick(texts)),\(numbers.isOne(in: 3) ? "\"\(amount)\"" : amount),\(numbers.pick(Self.stores)),\(last)"
  }

  static let csvHeader = "n,amount,storefront,\"long one\""

  /// Returns rows with line ends.
  mutating func lines(_ count: Int, _ row: (inout RandomRows) -> String) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<count {
      bytes += row(&self).utf8
      bytes += numbers.isOne(in: 4) ? [0x0D, 0x0A] : [0x0A]
    }
    return bytes
  }
}
