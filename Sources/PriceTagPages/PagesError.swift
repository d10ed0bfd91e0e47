import PriceTag

/// Why pages could not be made: the site that was there before is still whole.
///
/// Every failure of this module is one of these. `code` is stable, for programs; `description` is one line, for people:
///
///     do { _ = try Theme(["text": "#999999"]) } catch { print(error) }
///     // the text #999999 on the background #f7f5f1 has a contrast of 2.61: WCAG's AA asks for 4.5, so take a darker or a lighter one
public typealias PagesError = CodedError<PagesErrorCode>

/// The kinds of a ``PagesError``, by their stable names.
public enum PagesErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// A name, an address or another fact of the shop that cannot stand on a page.
  case invalidShop = "invalid-shop"
  /// A colour that is none, or that cannot be read on another.
  case invalidTheme = "invalid-theme"
  /// A template that is broken, includes what is not there, or asks for what no page has.
  case invalidTemplate = "invalid-template"
  /// A file that cannot be read.
  case unreadableFile = "unreadable-file"
  /// A folder that cannot be written.
  case unwritableFolder = "unwritable-folder"
  /// A folder that holds what is not of a site.
  case foreignFolder = "foreign-folder"
  /// Another process is making the same site.
  case busy
  /// A product, a storefront or a language that there is no page of.
  case notFound = "not-found"
  /// A catalogue of which nothing could be shown anywhere: it does not take a site's place.
  case nothingToShow = "nothing-to-show"
  /// A catalogue that cannot be read.
  case catalogFailed = "catalog-failed"
  /// Words that are missing.
  case stringsFailed = "strings-failed"
  /// Work that a host ended because it took or wrote too much.
  case interrupted
}

extension PagesError {
  /// The error of work that its budget has ended.
  static var interrupted: PagesError {
    PagesError(.interrupted, "the work was ended before it was complete", fix: "ask for less at a time")
  }
}
