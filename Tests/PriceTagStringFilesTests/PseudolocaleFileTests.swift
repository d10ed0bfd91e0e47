import PriceTagStringFiles
import PriceTagStrings
import Testing

@Suite struct PseudolocaleFileTests {
  @Test func convertsFileToPseudoLocale() throws {
    let file = try StringsFile(
      Array(#"{"a": "{n, plural, one {# car} other {# '{'cars'}'}}"}"#.utf8),
      format: .formatJS,
      language: "en"
    )
    let pseudo = try Pseudolocale(.accentedPseudo).file(file)
    #expect(pseudo.language == "en-XA")
    #expect(
      pseudo.entries.first?.localizations["en-XA"]?.value
        == .text("[{n, plural, one {# çåŕ} other {# '{'çåŕš'}'}} one two three four]")
    )
  }
}
