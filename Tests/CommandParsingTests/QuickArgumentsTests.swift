import PriceTag
import PriceTagCommandLine
import SeededNumbers
import Testing

@testable import PriceTagVerbs

/// Compares the quick reader with ArgumentParser.
@Suite struct QuickArgumentsTests {
  /// Returns the request that ArgumentParser reads; `nil` for invalid arguments and other verbs.
  private func parsed(_ arguments: [String]) -> QuickArguments? {
    switch try? PriceTagCommand.parseAsRoot(arguments) {
    case let command as FormatCommand: .format(command.request)
    case let command as VersionCommand: .version(isJSON: command.json)
    default: nil
    }
  }

  private func marked(_ line: String) -> [String] {
    line.split(separator: " ").map { NegativeAmount.marked(String($0)) }
  }

  @Test(arguments: [
    "format 1200 --storefront JPN", "format --storefront JPN 1200", "format --storefront=JPN 1200 1 2",
    "format 1 --storefront USA 2 --json 3", "format --locale de-CH --currency CHF 1234.50",
    "format --locale=de-CH --currency=CHF 1", "format --storefront USA -5",
    "format --storefront USA -.5 -0 -٣",
    "format --storefront USA --width name --zeros trim --sign accounting --digits 3 --rounding half-even 1",
    "format --storefront=USA --width=iso --zeros=keep --sign=never --digits=cash --rounding=exact 1",
    "format --storefront BGR --at 2025-12-31 5", "format --storefront BGR --at today 5",
    "format --storefront BGR --at 2025-12-31T22:00Z 5",
    "format --storefront BGR --at=2026-01-01T00:00:00+02:00 5",
    "format --storefront USA --width hidden --sign except-zero --digits 0-2 --grouping never --numbering arab 1",
    "format --storefront USA --width=unambiguous --sign=accounting-always --grouping=min2 --numbering=latn 1",
    "format --storefront USA 0.99 --to 4.99", "format --to=4.99 --storefront USA --json -5",
    "format --storefront USA -5 --to -4.99",
    "format --storefront DEU --content 0.75L 5.25",
    "format 1 --storefront=DEU --content=6x330ml --per=100ml 2",
    "format --storefront USA --installments 4 --language de 100",
    "format --storefront USA --installments=007 1",
    "format --locale de-DE --currency EUR --content 12 --language en --json 1",
    "format --storefront USA --locale-data ./data 5", "format --storefront USA --locale-data=a=b 5",
    "format --storefront JPN --pack store.pack 5", "format --pack=a=b --storefront=JPN --json 5",
    "format --storefront nowhere help", "format --storefront USA version --json",
    "format format --storefront USA",
    "version", "version --json",
  ])
  func readsPlainArguments(line: String) throws {
    let arguments = marked(line)
    let quick = try #require(QuickArguments(arguments), "\(line)")
    #expect(quick == parsed(arguments), "\(line)")
  }

  /// Arguments that need a message, or are unusual, are left to ArgumentParser.
  @Test(arguments: [
    [], [""], ["help"], ["--help"], ["--version"], ["Format"], ["form", "1"], ["format"], ["format", "1"],
    ["help", "format"], ["format", "help"], ["format", "--help"], ["format", "-h"],
    ["format", "1", "--storefront", "USA", "--help"], ["format", "1", "--storefront", "USA", "-h"],
    ["format", "1", "--storefront"], ["format", "1", "--storefront="], ["format", "1", "--storefront", ""],
    ["format", "1", "--storefront", "--json"], ["format", "1", "--storefront", "-x"],
    ["format", "1", "--store", "USA"],
    ["format", "1", "--storefront", "USA", "--storefront", "JPN"],
    ["format", "1", "--storefront", "USA", "--json=1"],
    ["format", "1", "--storefront", "USA", "--json", "--json"], ["format", "1", "--storefront", "USA", "--"],
    ["format", "--storefront", "USA", "--", "-5"], ["format", "1", "--storefront", "USA", "-"],
    ["format", "1", "-storefront", "USA"], ["format", "1", "--storefront", "USA", "--no-json"],
    ["format", "1", "--storefront", "USA", "--width", "wide"],
    ["format", "1", "--storefront", "USA", "--width", "ISO"],
    ["format", "1", "--storefront", "USA", "--digits", "19"],
    ["format", "1", "--storefront", "USA", "--at", "tomorrow"],
    ["format", "1", "--storefront", "USA", "--at", "2026-11-30T12:00"],
    ["format", "1", "--storefront", "USA", "--at", "Today"],
    ["format", "1", "--storefront", "USA", "--digits", "2-0"],
    ["format", "1", "--storefront", "USA", "--grouping", "Never"],
    ["format", "1", "--storefront", "USA", "--numbering", "latin"],
    ["format", "1", "--storefront", "USA", "--numbering", "roman"],
    ["format", "1", "--storefront", "USA", "--sign", "exceptZero"],
    ["format", "1", "2", "--storefront", "USA", "--to", "3"], ["format", "--storefront", "USA", "--to", "3"],
    ["format", "1", "--storefront", "USA", "--to", "3", "--to", "4"],
    ["format", "1", "--storefront", "USA", "--to"],
    ["format", "1", "--storefront", "USA", "--per", "kg"],
    ["format", "1", "--storefront", "USA", "--content", "1kg", "--to", "2"],
    ["format", "1", "--storefront", "USA", "--content", "1kg", "--installments", "2"],
    ["format", "1", "--storefront", "USA", "--installments", "2", "--to", "2"],
    ["format", "1", "--storefront", "USA", "--installments", "two"],
    ["format", "1", "--storefront", "USA", "--installments", "-2"],
    ["format", "1", "--storefront", "USA", "--installments", "2", "--installments", "3"],
    ["format", "1", "--storefront", "USA", "--language", "de"],
    ["format", "1", "--locale", "de-DE", "--currency", "EUR", "--installments", "2"],
    ["format", "1", "--storefront", "USA", "--rounding", "Exact"], ["format", "--storefront", "USA"],
    ["format", "1", "--locale", "de-DE"], ["format", "1", "--currency", "EUR"],
    ["format", "", "--storefront", "USA"],
    ["format", "1", "--storefront", "USA", "--nothing"], ["format", "1", "--STOREFRONT", "USA"],
    ["format", "1", "--storefront=\u{301}USA"], ["version", "1"], ["version", "--json", "--json"],
    ["version", "--help"], ["version", "--jso"],
    ["--json", "version"], ["storefronts"], ["strings", "format"],
  ])
  func ignoresOtherArguments(arguments: [String]) {
    #expect(QuickArguments(arguments.map(NegativeAmount.marked)) == nil)
  }

  /// ArgumentParser reads all random arguments that the quick reader accepts, with the same result.
  @Test func agreesWithArgumentParser() throws {
    let options = [
      "storefront", "locale", "currency", "width", "zeros", "sign", "digits", "rounding", "locale-data", "at",
      "grouping", "numbering", "notation", "qualifier", "to", "content", "per", "installments", "language",
      "pack", "written-as",
    ]
    let values = [
      "JPN", "usa", "de-CH", "CHF", "standard", "narrow", "iso", "name", "keep", "trim", "auto", "accounting",
      "always",
      "never", "cash", "0", "18", "19", "007", "exact", "half-even", "half-up", "floor", "today",
      "2025-12-31",
      "2025-02-30", "", "-", "--", "-5", "=", "a=b", "a b", "\u{1}-5", "\u{301}", "é", "\u{0}x",
    ]
    // Valid values are more frequent. With random values only, nearly all lines would be invalid.
    let validValues = [
      "storefront": ["JPN", "USA", "xx"], "locale": ["de-CH", "ja-JP"], "currency": ["CHF", "usd"],
      "width": PriceStyle.Width.allCases.map(\.rawValue), "zeros": ["keep", "trim"],
      "sign": PriceStyle.Sign.allCases.map(\.rawValue),
      "digits": ["standard", "cash", "minor-units", "0", "2", "18", "0-2", "3-3"],
      "grouping": PriceStyle.Grouping.allCases.map(\.rawValue), "numbering": ["latn", "arab", "deva"],
      "notation": PriceStyle.Notation.allCases.map(\.rawValue),
      "qualifier": PriceStyle.Qualifier.allCases.map(\.rawValue),
      "written-as": ["icu", "store-web", "store-web:en", "store-web:"], "to": ["5", "4.99", "-٣"],
      "content": ["1kg", "x"], "per": ["kg", "y"],
      "installments": ["2", "+3", "007", "99999999999999999999"], "language": ["de", "xx"],
      "rounding": ["exact", "half-even", "half-up", "half-down", "up", "down", "ceiling", "floor"],
      "locale-data": ["data", "./a=b"], "pack": ["store.pack"], "at": ["today", "2025-12-31"],
    ]
    let amounts = [
      "1200", "1", "-5", "-.5", "-٣", "0.00", "x", "help", "version", "format", "12=3", "\u{1}1", " ",
    ]
    let oddities = [
      "--", "-", "", "--help", "-h", "--version", "--json", "--json=", "--json=1", "-j", "--store",
      "--storefrontUSA",
      "--=", "---", "--=x", "-5x", "-storefront", "--generate-completion-script", "--\u{301}json", "–json",
    ]
    var numbers = SeededNumbers(seed: 18)
    var quickCount = 0
    var parsedCount = 0
    for _ in 0..<(ComparisonShare.isFull ? 800 : 250) {
      var arguments = [numbers.isOne(in: 12) ? numbers.pick(["version", "Format", "", "formats"]) : "format"]
      if !numbers.isOne(in: 5) { arguments += ["--storefront", numbers.pick(["JPN", "USA"])] }
      if !numbers.isOne(in: 5) { arguments.append(numbers.pick(amounts)) }
      for _ in 0..<numbers.number(0...4) {
        switch numbers.number(0...9) {
        case 0...5:
          let option = numbers.pick(options)
          let value =
            numbers.isOne(in: 6) ? numbers.pick(values) : numbers.pick(validValues[option] ?? values)
          arguments += numbers.isOne(in: 2) ? ["--\(option)=\(value)"] : ["--\(option)", value]
        case 6, 7: arguments.append(numbers.pick(amounts))
        case 8: arguments.append("--json")
        default: arguments.append(numbers.pick(numbers.isOne(in: 2) ? oddities : values))
        }
      }
      let marked = arguments.map(NegativeAmount.marked)
      let expected = parsed(marked)
      if expected != nil { parsedCount += 1 }
      guard let quick = QuickArguments(marked) else { continue }
      quickCount += 1
      #expect(quick == expected, "\(arguments)")
    }
    // The quick reader accepts most lines that ArgumentParser accepts.
    #expect(quickCount > (ComparisonShare.isFull ? 200 : 60), "of \(parsedCount) that ArgumentParser accepts")
    #expect(parsedCount < 2 * quickCount)
  }
}
