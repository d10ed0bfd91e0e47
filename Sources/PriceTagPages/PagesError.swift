import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// An error from writing pages. An existing site is left unchanged.
///
/// Every error that this module throws has this type. `code` is stable, for programs; `description` is one line, for
/// people:
///
///     do { _ = try Theme(["text": "#999999"]) } catch { print(error) }
///     // the text #999999 on the background #f7f5f1 has a contrast of 2.61, WCAG AA requires 4.5; choose a darker or lighter color
public typealias PagesError = CodedError<PagesErrorCode>

/// The codes of a ``PagesError``.
public enum PagesErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// The shop's name, address, or another of its values cannot be used on a page.
  case invalidShop = "invalid-shop"
  /// A color is malformed, or its contrast is too low.
  case invalidTheme = "invalid-theme"
  /// A template is malformed, includes a missing file, or uses an unknown name.
  case invalidTemplate = "invalid-template"
  /// A file cannot be read.
  case unreadableFile = "unreadable-file"
  /// A file of the kernel for browsers is not the kernel.
  case invalidKernel = "invalid-kernel"
  /// A folder cannot be written.
  case unwritableFolder = "unwritable-folder"
  /// A folder contains files that do not belong to a site.
  case foreignFolder = "foreign-folder"
  /// Another process is writing the same site.
  case busy
  /// There is no page for a product, a storefront, or a language.
  case notFound = "not-found"
  /// No storefront can show any product of the catalog, so the site is not replaced.
  case nothingToShow = "nothing-to-show"
  /// A catalog cannot be read.
  case catalogFailed = "catalog-failed"
  /// UI strings are missing.
  case stringsFailed = "strings-failed"
  /// A host ended the work because it exceeded its time or size budget.
  case interrupted
}

extension PagesError {
  /// The error of work that exceeded its budget.
  static var interrupted: PagesError {
    PagesError(.interrupted, "the work exceeded its time or size limit", fix: "request less at a time")
  }

  /// Returns the error of an invalid template.
  static func invalidTemplate(_ problem: String, fix: String, place: String = "") -> PagesError {
    PagesError(.invalidTemplate, problem, fix: fix, place: place)
  }

  /// Returns the error of a shop with an invalid value.
  static func invalidShop(_ problem: String, fix: String, place: String = "") -> PagesError {
    PagesError(.invalidShop, problem, fix: fix, place: place)
  }

  /// The error of a page for a product that the store does not have.
  package static func unknownProduct(_ identifier: String, in storefront: Storefront) -> PagesError {
    PagesError(
      .notFound,
      "the store of \(storefront) has no product \(quoted(identifier))",
      fix: "use the identifier of a product for sale there"
    )
  }

  /// Creates the error of a catalog that cannot be read.
  init(readingCatalog error: any Error) {
    self =
      (error as? CatalogError).map { PagesError(.catalogFailed, $0) }
      ?? PagesError(.catalogFailed, "\(error)", fix: "import the catalog again")
  }
}

/// Returns what a closure returns. Errors of the catalog become errors of this module.
func readingCatalog<Value>(_ read: () throws(CatalogError) -> Value) throws(PagesError) -> Value {
  do throws(CatalogError) { return try read() } catch { throw PagesError(.catalogFailed, error) }
}

/// Returns what a closure returns. Errors of the UI strings become errors of this module.
func readingStrings<Value>(_ read: () throws(StringsError) -> Value) throws(PagesError) -> Value {
  do throws(StringsError) { return try read() } catch { throw PagesError(.stringsFailed, error) }
}
