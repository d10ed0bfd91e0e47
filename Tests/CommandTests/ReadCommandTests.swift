import CommandLineTools
import Foundation
import Testing

/// Runs `pricetag read`.
@Suite struct ReadCommandTests {
  /// A command line, its exit code, its output, and a part of its errors.
  static let runs: [(line: String, status: Int32, output: String, errors: String)] = [
    ("pricetag read --storefront USA '$1,234.50' '-$5.00'", 0, "1234.50 USD\n-5.00 USD\n", ""),
    ("pricetag read --locale de-CH --currency CHF 'CHF\u{A0}234.50'", 0, "234.50 CHF\n", ""),
    (
      "pricetag read --storefront USA --width iso -- 'USD\u{A0}5.00' '-USD\u{A0}5.00'", 0,
      "5.00 USD\n-5.00 USD\n", ""
    ),
    ("pricetag read --storefront DEU --lenient '49,99 EUR'", 0, "49.99 EUR\n", ""),
    ("pricetag read --storefront CHE --lenient 'USD 4.99'", 0, "4.99 USD\n", ""),
    ("pricetag read --storefront BGR --at 2025-12-31 'BGN\u{A0}5.00'", 0, "5.00 BGN\n", ""),
    (
      "pricetag read --storefront DEU '4.99 €' '4,99\u{A0}€'", 3, "4.99 EUR\n",
      #"pricetag: "4.99 €" is not how de-DE writes 4.99 EUR: it differs at character 2 (U+002E FULL STOP); write "4,99\u{A0}€""#
    ),
    ("pricetag read --storefront USA Free", 3, "", "pricetag: \"Free\" has no digits: "),
    (
      "printf '$4.99\\r\\n\\n$5.00' | pricetag read --storefront USA -", 3, "4.99 USD\n5.00 USD\n",
      "pricetag: standard input, line 2: "
    ),
    (
      "head -c 3000000 /dev/zero | tr '\\0' 9 | pricetag read --storefront USA --lenient --json - | grep -c text-too-long",
      0, "1\n", ""
    ),
    (
      "pricetag read --storefront DEU --json --lenient '49,99 €' Free", 3,
      #"{"text":"49,99 €","amount":"49.99","currency":"EUR","difference":5}"# + "\n"
        + #"{"text":"Free","error":{"code":"not-a-price","message":"\"Free\" has no digits: it differs at character 1 (U+0046 LATIN CAPITAL LETTER F); write the price as de-DE does, such as \"1,00\\u{A0}€\"","difference":0}}"#
        + "\n", ""
    ),
    ("pricetag read --storefront USB '$1'", 1, "", "unknown storefront \"USB\"; did you mean \"USA\"?"),
    ("pricetag read --currency EUR '$1'", 2, "", "the option --storefront is missing"),
    ("pricetag read --storefront USA", 2, "", "Missing expected argument '<text> ...'"),
    (
      "pricetag pack --storefronts USA -o p.pack 2>/dev/null; pricetag read --storefront USA --pack p.pack --lenient 'USD 5.00'",
      0, "5.00 USD\n", ""
    ),
  ]

  @Test(arguments: runs) func reads(line: String, status: Int32, output: String, errors: String) throws {
    let outcome = try CommandLineTool.inFolder { try CommandLineTool.shell("cd '\($0.path)'\n\(line)") }
    #expect(outcome.status == status, "\(outcome.report)")
    #expect(outcome.output == output, "\(outcome.report)")
    let isExpected = errors.isEmpty ? outcome.errors.isEmpty : outcome.errors.contains(errors)
    #expect(isExpected, "\(outcome.report)")
  }
}
