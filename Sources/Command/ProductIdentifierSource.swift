import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine

/// A list of product identifiers in a file or at a URL.
///
/// The executable of the server fetches a list at a URL, because the command has no network stack.
struct ProductIdentifierSource {
  /// The file or the URL; `-` for standard input.
  let location: String
  /// The folder of fetched lists; `nil` for the user's cache folder.
  let cache: String?
  /// Whether a malformed identifier is an error.
  let isDevelopment: Bool

  /// Reads the identifiers, and reports rejected entries.
  ///
  /// - Returns: The identifiers, and whether no entry was rejected.
  func read() throws -> (identifiers: [String], isComplete: Bool) {
    if location.contains("://") { return try fetch() }
    let list = try ProductIdentifierList(path: inputPath(location))
    try list.report(isDevelopment: isDevelopment)
    return (list.identifiers, list.rejects.isEmpty)
  }

  private func fetch() throws -> (identifiers: [String], isComplete: Bool) {
    let options = (cache.map { ["--cache=\($0)"] } ?? []) + (isDevelopment ? ["--development"] : [])
    let outcome = try ChildProcess.run(
      ServerExecutable.find().path,
      ["fetch-identifiers"] + options + ["--", NegativeAmount.unmarked(location)],
      // One more for each line's end.
      maximumByteCount: ProductIdentifierList.maximumByteCount + ProductIdentifierList.maximumCount
    )
    switch outcome.end {
    case .exit(0), .exit(3):
      // The child has checked the identifiers, so none is rejected here.
      let lines = outcome.output.split(separator: UInt8(ascii: "\n")).map {
        String(decoding: $0, as: UTF8.self)
      }
      return (ProductIdentifierList(identifiers: lines).identifiers, outcome.end == .exit(0))
    case .exit(let code) where code == 1 || code == 2:
      // The child has printed the error.
      throw ExitCode(code)
    case let end:
      throw CatalogError(
        .fetchFailed,
        "\(ServerExecutable.name) failed to fetch the list (\(end))",
        fix: "try again"
      )
    }
  }
}
