import PriceTagText
import Testing

/// Tests quoting values for messages, and escaping for HTML.
@Suite struct QuotingTests {
  static let values: [(value: String, quoted: String)] = [
    ("", #""""#),
    ("USD", #""USD""#),
    ("a\"b\\c", #""a\"b\\c""#),
    ("日本", #""日本""#),
    ("a\nb", #""a\u{A}b""#),
    ("\u{202E}abc", #""\u{202E}abc""#),
    ("1\u{A0}000", #""1\u{A0}000""#),
    ("e\u{301}", "\"e\u{301}\""),
    (String(repeating: "x", count: 48), "\"" + String(repeating: "x", count: 48) + "\""),
    (String(repeating: "x", count: 49), "\"" + String(repeating: "x", count: 48) + "…\""),
    (String(repeating: "\u{7}", count: 60), "\"" + String(repeating: "\\u{7}", count: 48) + "…\""),
  ]

  @Test(arguments: values)
  func quotesValue(value: String, quoted expected: String) {
    #expect(quoted(value) == expected)
    #expect(quoted(value[...]) == expected)
  }

  @Test func escapesTextForOneLine() {
    #expect(printable("shop \"a\".json\u{1B}[31m") == "shop \"a\".json\\u{1B}[31m")
    #expect(printable(String(repeating: "x", count: 241)) == String(repeating: "x", count: 240) + "…")
  }

  @Test func usesPluralOfCount() {
    #expect([0, 1, 2].map { counted($0, "file") } == ["0 files", "1 file", "2 files"])
  }

  static let html: [(text: String, escaped: String)] = [
    ("", ""), ("$4.99", "$4.99"), ("a & b", "a &amp; b"), ("&amp;", "&amp;amp;"),
    ("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"),
    ("\"5\u{20AC}\"", "&quot;5\u{20AC}&quot;"), ("\u{2068}5\u{A0}kr\u{2069}", "\u{2068}5\u{A0}kr\u{2069}"),
    // A combining mark after < must not prevent escaping.
    ("<\u{338}b>", "&lt;\u{338}b&gt;"),
  ]

  @Test(arguments: html)
  func escapesHTML(text: String, escaped: String) {
    #expect(Array(escapedForHTML(text).unicodeScalars) == Array(escaped.unicodeScalars))
  }
}
