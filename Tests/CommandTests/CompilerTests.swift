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
  ]

  /// Compiles programs, each as a function on one line.
  private static func compile(_ lines: [String], imports: String) throws -> CommandLineTool.Outcome {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = lines.enumerated().map { "func program\($0)() throws { \($1) }" }
    try ("\(imports)\n" + program.joined(separator: "\n") + "\n").write(
      to: folder.appending(path: "program.swift"),
      atomically: true,
      encoding: .utf8
    )
    return try CommandLineTool.shell(
      """
      cd '\(folder.path)'
      for map in '\(CommandLineTool.products.path)'/*.build/module.modulemap \
        '\(StructureTests.root.path)'/Sources/*/module.modulemap; do maps+=(-Xcc "-fmodule-map-file=$map"); done
      "${SWIFT:-swift}c" -typecheck -swift-version 6 -module-cache-path modules \
        -I '\(CommandLineTool.products.path)/Modules' "${maps[@]}" program.swift 2>&1
      """,
      environment: ProcessInfo.processInfo.environment.filter { ["PATH", "SWIFT", "HOME"].contains($0.key) }
    )
  }

  private static let imports = "import PriceTag; import PriceTagStrings"

  @Test func compilesValidPrograms() throws {
    let outcome = try Self.compile(Self.programs.map(\.right), imports: Self.imports)
    #expect(outcome.status == 0 && !outcome.output.contains("error:"), "\(outcome.report)")
  }

  @Test func rejectsInvalidPrograms() throws {
    let outcome = try Self.compile(Self.programs.map(\.wrong), imports: Self.imports)
    #expect(outcome.status == 1, "\(outcome.report)")
    for (index, program) in Self.programs.enumerated() {
      // The first line has the imports.
      let errors = outcome.output.matches(of: /program.swift:(\d+):\d+: error: (.*)/).filter {
        Int($0.1) == index + 2
      }
      #expect(errors.map { String($0.2) } == [program.error], "\(program.name): \(outcome.output)")
    }
  }

  /// The module `PriceTag` has no UI languages.
  @Test func coreHasNoUILanguage() throws {
    let line = #"_ = try UILanguage("ja")"#
    let without = try Self.compile([line], imports: "import PriceTag")
    #expect(
      without.status == 1 && without.output.contains("error: cannot find 'UILanguage' in scope"),
      "\(without.report)"
    )
    #expect(try Self.compile([line], imports: Self.imports).status == 0)
  }
}
