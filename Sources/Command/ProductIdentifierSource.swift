import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine

/// Where a list of product identifiers is: a file or a URL.
///
/// A list behind a URL is fetched by the server's executable: the command has no network stack.
struct ProductIdentifierSource {
  private let location: String
  private let cache: String?
  private let isDevelopment: Bool

  /// - Parameters:
  ///   - location: The file or the URL; `-` is standard input.
  ///   - cache: Where fetched lists are stored; `nil` for the user's cache folder.
  ///   - isDevelopment: Whether a malformed identifier is an error.
  init(_ location: String, cache: String?, isDevelopment: Bool) {
    (self.location, self.cache, self.isDevelopment) = (location, cache, isDevelopment)
  }

  /// Reads the identifiers, and whether all of them could be read; rejected ones are reported.
  func read() throws -> (identifiers: [String], isComplete: Bool) {
    if location.contains("://") { return try fetch() }
    let list = try ProductIdentifierList(path: inputPath(location))
    try list.report(isDevelopment: isDevelopment)
    return (list.identifiers, list.setAside.isEmpty)
  }

  private func fetch() throws -> (identifiers: [String], isComplete: Bool) {
    let options = (cache.map { ["--cache=\($0)"] } ?? []) + (isDevelopment ? ["--development"] : [])
    let outcome = try ServerExecutable.find().run(
      ["fetch-identifiers"] + options + ["--", NegativeAmount.unmarked(location)],
      // One more for each line's end.
      maximumByteCount: ProductIdentifierList.maximumByteCount + ProductIdentifierList.maximumCount
    )
    switch outcome.end {
    case .exit(0), .exit(3):
      // The child writes only identifiers that it has checked: none is rejected here.
      let lines = outcome.output.split(separator: UInt8(ascii: "\n")).map {
        String(decoding: $0, as: UTF8.self)
      }
      return (ProductIdentifierList(identifiers: lines).identifiers, outcome.end == .exit(0))
    case .exit(let code) where code == 1 || code == 2:
      // It has said why.
      throw ExitCode(code)
    case let end:
      throw CatalogError(
        .fetchFailed,
        "\(ServerExecutable.name) did not fetch the list (\(end))",
        fix: "try again"
      )
    }
  }
}
