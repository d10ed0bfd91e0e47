import Foundation
import PriceTagCommandLine
import Testing

@testable import PriceTagVerbs

/// Command lines that are rejected before a verb runs.
///
/// The tests of each verb start a process for one of them, which checks the exit code 2 and the form of the message.
@Suite struct UsageErrorTests {
  /// A command line, and what its message contains.
  static let rows: [(line: String, message: String)] = [
    (
      "pack --storefronts JPN --notation compact-short -o a.pack",
      "a pack has no compact notation; use --notation standard"
    ),
    ("pack --storefronts JPN --rounding half-up -o a.pack", "a pack has no rounding mode; remove --rounding"),
    (
      "pack --storefronts JPN --width iso --widths standard,iso -o a.pack",
      "--width and --widths exclude each other"
    ),
    (
      "pack --storefronts JPN --qualifier approximately --sign accounting -o a.pack",
      "an approximate price cannot have"
    ),
    ("pack --storefronts JPN --digits 19 -o a.pack", "19"),
    ("pack --storefronts JPN --numbering roman -o a.pack", "unknown decimal numbering system \"roman\""),
    ("pack -o a.pack --show b.pack", "one of --output and --show is needed"),
    (
      "pack --storefronts JPN --pack b.pack -o a.pack",
      "a pack is written from ICU's output, not from another pack; remove --pack"
    ),
    ("pack --currencies EUR -o a.pack", "--currencies needs --locales"),
    ("pack --show b.pack --storefronts JPN", "--show prints all that a pack has; remove the options"),
    ("pack --show b.pack --width iso", "--show prints all that a pack has; remove the options"),
    ("receipt order.json --rejects r", "--rejects requires a batch"),
    (
      "read --locale de-DE $1",
      "the option --storefront is missing; add it, or add both --locale and --currency"
    ),
    ("read --storefront USA", "Missing expected argument '<text> ...'"),
    (
      "read --storefront USA --notation compact $1",
      "The value 'compact' is invalid for '--notation <notation>'"
    ),
    (
      "products shop.json --storefront NZL --at 2026-11-30T12:00",
      #""2026-11-30T12:00" is not an instant; write a date, a time and an offset, such as 2026-11-30T12:00Z"#
    ),
    (
      "products shop.json --storefront NZL --at 2026-02-30",
      #"the date "2026-02-30" does not exist; correct the date"#
    ),
    (
      "batch prices.csv --map Preis=ammount",
      #"unknown field "ammount" in "Preis=ammount"; did you mean "amount"?"#
    ),
    ("batch prices.csv --map Preis", #""Preis" does not map a column to a field; write it as Preis=amount"#),
  ]

  /// A command line, and its complete message.
  static let completeRows: [(line: String, message: String)] = [
    ("endings - --rules -", "standard input (-) appears twice; use it for one file only"),
    (
      "endings shop.jsonl --rules endings.json --fix up",
      "--fix requires a file for the corrected catalog; add -o FILE"
    ),
    (
      "endings shop.jsonl --rules endings.json -o new.json",
      "-o requires a direction; add --fix up, down or nearest"
    ),
    (
      "batch rows.jsonl --strict-language",
      "--strict-language requires a catalog, but the input is rows; remove it"
    ),
    ("batch shop.json --map Preis=amount", "--map requires rows, but the input is a catalog; remove it"),
    (
      "batch shop.json --decimal-comma",
      "--decimal-comma requires rows, but the input is a catalog; remove it"
    ),
    (
      "endings shop.jsonl --rules endings.json --fix up -o new.csv",
      "the format of \"new.csv\" is unknown; use a file that ends in .json or .jsonl"
    ),
  ]

  /// Returns the message of a command line that ArgumentParser rejects.
  private static func message(_ line: String) throws -> String {
    let arguments = line.split(separator: " ").map { NegativeAmount.marked(String($0)) }
    let error = try #require(throws: (any Error).self) { try PriceTagCommand.parseAsRoot(arguments) }
    // `CommandLineProgram` exits with 2 instead of this code.
    #expect(PriceTagCommand.exitCode(for: error).rawValue == 64, "\(line)")
    return PriceTagCommand.message(for: error)
  }

  @Test(arguments: rows) func rejects(line: String, message: String) throws {
    let found = try Self.message(line)
    #expect(found.contains(message), "\(found)")
  }

  @Test(arguments: completeRows) func rejectsWithMessage(line: String, message: String) throws {
    #expect(try Self.message(line) == message)
  }

  /// A text that starts with a minus and a currency sign is not an option.
  @Test(arguments: ["-$5.00", "-5,00 €", "-€5", "-.5"]) func readsNegativeTexts(text: String) throws {
    let arguments = ["read", "--storefront", "USA", NegativeAmount.marked(text)]
    let command = try #require(try PriceTagCommand.parseAsRoot(arguments) as? ReadCommand)
    #expect(command.texts.map { NegativeAmount.unmarked($0) } == [text])
  }

  /// The contents of a `.json` file, an option that requires rows, and whether the file is an array of rows.
  static let arrays: [(contents: String, option: String, isRows: Bool)] = [
    (#" [{"storefront":"USA","amount":"4.99"}]"#, "--decimal-comma", true),
    ("[\n{\"storefront\":\"USA\",\n\"amountMinor\":499}]", "--overwrite", true),
    (#"[{"Preis":"4.99"}]"#, "--map=Preis=amount", true),
    (#"[{"Preis":"4.99"}]"#, "--overwrite", false),
    ("[]", "--overwrite", false),
    (#"[{"object":"price","amount":"1","currency":"usd"}]"#, "--overwrite", false),
    (#"[{"sku":"a","defaultPrice":{"priceMicros":"1"},"amount":"1"}]"#, "--overwrite", false),
    (#"{"storefront":"USA","amount":"4.99"}"#, "--overwrite", false),
  ]

  @Test(arguments: arrays) func recognizesArrayOfRows(contents: String, option: String, isRows: Bool) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString).json")
      .path
    try contents.write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let command = try? PriceTagCommand.parseAsRoot(["batch", path, option])
    #expect((command != nil) == isRows, "\(contents)")
  }
}
