import Dispatch
import PriceTag
import PriceTagCatalog
import Synchronization

/// Rejects work that the process has not enough threads or file descriptors for.
///
/// - Throws: `.outOfResources`.
func requireResources(threads: Int, descriptors: Int) throws(CatalogError) {
  guard let shortage = ProcessResources.shortage(threads: threads, descriptors: descriptors) else { return }
  throw CatalogError(.outOfResources, shortage.problem, fix: shortage.fix)
}

/// Where a list of product identifiers is: a file or a URL.
struct ProductIdentifierSource {
  private let location: String
  private let cache: String?

  init(_ location: String, cache: String?) {
    (self.location, self.cache) = (location, cache)
  }

  /// Reads the list; what is not as it should be is told.
  func read() throws(CatalogError) -> ProductIdentifierList {
    let list: ProductIdentifierList
    if location.contains("://") {
      let fetched = try fetch()
      if case .lastGood(let reason, _) = fetched.source {
        StandardError.write("pricetag: note: the last good list is used: \(reason)\n")
      }
      if let note = fetched.note { StandardError.write("pricetag: note: \(note)\n") }
      list = fetched.list
    } else {
      list = try ProductIdentifierList(path: inputPath(location))
    }
    for error in list.setAside { StandardError.write("pricetag: set aside: \(error)\n") }
    return list
  }

  /// Waits for the list: the command has nothing else to do.
  private func fetch() throws(CatalogError) -> FetchedProductIdentifiers {
    try requireResources(threads: 8, descriptors: 16)
    let (location, folder) = (location, cache ?? ProductIdentifierFetcher.defaultCacheFolder)
    let answer = Mutex<Result<FetchedProductIdentifiers, CatalogError>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      let fetcher = ProductIdentifierFetcher(cacheFolder: folder)
      let result: Result<FetchedProductIdentifiers, CatalogError>
      do throws(CatalogError) { result = .success(try await fetcher.fetch(location)) } catch {
        result = .failure(error)
      }
      answer.withLock { $0 = result }
      isDone.signal()
    }
    isDone.wait()
    guard let result = answer.withLock({ $0 }) else {
      throw CatalogError(.fetchFailed, "the list was not fetched", fix: "try again")
    }
    return try result.get()
  }
}
