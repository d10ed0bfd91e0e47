import CommandLineTools
import Foundation
import Testing

/// Programs that the types must reject, each with a similar valid program.
@Suite struct CompilerTests {
  typealias Program = (name: String, wrong: String, error: String, right: String)

  /// Prices and UI languages never mix, and no amount is a binary fraction.
  static let programs: [Program] = [
    (
      "a UI language is not a price locale of a formatter",
      #"_ = try PriceFormatter(locale: UILanguage("ja"), currency: Currency("JPY"))"#,
      "cannot convert value of type 'UILanguage' to expected argument type 'PriceLocale'",
      #"_ = try PriceFormatter(locale: PriceLocale("ja-JP"), currency: Currency("JPY"))"#
    ),
    (
      "a UI language cannot be converted to a price locale", #"_ = try PriceLocale(UILanguage("ja"))"#,
      "cannot convert value of type 'UILanguage' to expected argument type 'String'",
      #"_ = try PriceLocale("ja-JP")"#
    ),
    (
      "an amount is not the price argument of a message", #"_ = MessageArgument.price(Amount("4.99"))"#,
      "cannot convert value of type 'Amount' to expected argument type 'FormattedPrice'",
      #"_ = try MessageArgument.price(PriceFormatter(storefront: Storefront("USA")).format("4.99"))"#
    ),
    (
      "a number is not the price argument of a message",
      #"let arguments: MessageArguments = ["price": 4.99]; _ = arguments"#,
      "cannot convert value of type 'Double' to expected dictionary value type 'MessageArgument'",
      #"let arguments: MessageArguments = ["count": .count(3)]; _ = arguments"#
    ),
    (
      "a Double is not an amount", "let amount: Amount = 4.99; _ = amount",
      "cannot convert value of type 'Double' to specified type 'Amount'",
      #"let amount: Amount = "4.99"; _ = amount"#
    ),
    (
      "a float literal is not formatted", "_ = try formatter().format(4.99)", inexact,
      #"_ = try formatter().format("4.99").text + formatter().format(5).text"#
    ),
    (
      "a Double is not formatted", "let amount = 4.99; _ = try formatter().string(for: amount)", inexact,
      #"let (text, number) = ("4.99", 5); _ = try formatter().format(text).text + formatter().string(for: number)"#
    ),
    (
      "a float literal is not a decimal", "_ = try Amount(4.99)", inexact,
      "let decimal: Decimal = 5; _ = try (Amount(decimal), formatter().format(decimal))"
    ),
  ]

  private static let inexact =
    "conformance of 'Double' to 'AmountConvertible' is unavailable: a Double may not be exact; pass decimal text, an integer or a Decimal"

  /// What every program has: the modules, and a formatter.
  private static let imports =
    "import FoundationEssentials; import PriceTag; import PriceTagStrings; "
    + #"func formatter() throws -> PriceFormatter { try PriceFormatter(storefront: Storefront("USA")) }"#

  /// A program that needs the module of UI languages.
  private static let language = #"_ = try UILanguage("ja")"#

  /// What the compiler prints for the valid programs, the invalid programs, and a program without the module that it needs.
  ///
  /// The three runs share a module cache, which costs more than compiling the programs.
  private static let outcomes: Result<(valid: String, invalid: String, core: String), any Error> = Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Each program is a function on one line.
    let files: [(name: String, imports: String, lines: [String])] = [
      ("valid", imports, programs.map(\.right) + [language]), ("invalid", imports, programs.map(\.wrong)),
      ("core", "import PriceTag", [language]),
    ]
    for (name, imports, lines) in files {
      let program = lines.enumerated().map { "func program\($0)() throws { \($1) }" }
      try ("\(imports)\n" + program.joined(separator: "\n") + "\n").write(
        to: folder.appending(path: "\(name).swift"),
        atomically: true,
        encoding: .utf8
      )
    }
    let outcome = try CommandLineTool.shell(
      """
      cd '\(folder.path)'
      for map in '\(CommandLineTool.products.path)'/*.build/module.modulemap \
        '\(StructureTests.root.path)'/Sources/*/module.modulemap; do maps+=(-Xcc "-fmodule-map-file=$map"); done
      for program in valid invalid core; do
        "${SWIFT:-swift}c" -typecheck -swift-version 6 -module-cache-path modules \
          -I '\(CommandLineTool.products.path)/Modules' "${maps[@]}" $program.swift 2>&1
        printf 'status %d\\036' $?
      done
      """,
      environment: ProcessInfo.processInfo.environment.filter { ["PATH", "SWIFT", "HOME"].contains($0.key) }
    )
    let outputs = outcome.output.split(separator: "\u{1E}").map(String.init)
    try #require(outputs.count == 3, "\(outcome.report)")
    return (outputs[0], outputs[1], outputs[2])
  }

  @Test func compilesValidPrograms() throws {
    let output = try Self.outcomes.get().valid
    #expect(output.hasSuffix("status 0") && !output.contains("error:"), "\(output)")
  }

  @Test func rejectsInvalidPrograms() throws {
    let output = try Self.outcomes.get().invalid
    #expect(output.hasSuffix("status 1"), "\(output)")
    for (index, program) in Self.programs.enumerated() {
      // The first line has the imports.
      let errors = output.matches(of: /invalid.swift:(\d+):\d+: error: (.*)/).filter {
        Int($0.1) == index + 2
      }
      #expect(errors.map { String($0.2) } == [program.error], "\(program.name): \(output)")
    }
  }

  /// The module `PriceTag` has no UI languages. With the module that has them, the program is one of the valid ones.
  @Test func coreHasNoUILanguage() throws {
    let output = try Self.outcomes.get().core
    #expect(
      output.hasSuffix("status 1") && output.contains("error: cannot find 'UILanguage' in scope"),
      "\(output)"
    )
  }
}
