import FoundationEssentials
import PriceTag
import PriceTagCatalog

/// Fetches lists of product identifiers that a server publishes, and caches the last valid list of each address.
///
///     let fetcher = ProductIdentifierFetcher()
///     let fetched = try await fetcher.fetch("https://example.com/products_v1.json")
///     fetched.list.identifiers
///
/// Requests are conditional (`If-None-Match`, `If-Modified-Since`), so an unchanged list is not sent again. If a fetch
/// fails, the result is the cached list with the reason of the failure: no network, an error status, a timeout, a
/// response that is too large, or a malformed list. An empty list is valid.
public struct ProductIdentifierFetcher: Sendable {
  private let cache: ProductIdentifierCache?
  private let read: ListReader
  private let timeout: Duration
  private let maximumByteCount: Int

  /// A closure that reads a list from the body of a response.
  ///
  /// - Parameters:
  ///   - bytes: The body.
  ///   - name: The last path component of the address, whose extension helps to detect the format.
  public typealias ListReader =
    @Sendable (_ bytes: [UInt8], _ name: String) throws(CatalogError) -> ProductIdentifierList

  /// The default cache folder: `$XDG_CACHE_HOME/pricetag`, else `~/.cache/pricetag`; `nil` if neither variable is set.
  public static var defaultCacheFolder: String? { cacheFolder(in: ProcessInfo.processInfo.environment) }

  package static func cacheFolder(in environment: [String: String]) -> String? {
    // The XDG specification says to ignore relative paths.
    if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/pricetag" }
    if let folder = environment["HOME"], folder.hasPrefix("/") { return folder + "/.cache/pricetag" }
    return nil
  }

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - cacheFolder: The folder of the cache, with one file per address; `nil` disables the cache. Several processes
  ///     may share a folder.
  ///   - timeout: The maximum time of a fetch, including redirects; at most one hour. Connecting may take at most ten
  ///     seconds.
  ///   - maximumByteCount: The maximum size of a decompressed response; at most 8 MB.
  ///   - read: Reads the body of a response. The default reads JSON. To read property lists and text, pass
  ///     `ProductIdentifierList.init(_:name:)` of `PriceTagCatalogFormats`.
  public init(
    cacheFolder: String? = defaultCacheFolder,
    timeout: Duration = .seconds(10),
    maximumByteCount: Int = ProductIdentifierList.maximumByteCount,
    read: @escaping ListReader = { (bytes, _) throws(CatalogError) in try ProductIdentifierList(json: bytes) }
  ) {
    self.read = read
    cache = cacheFolder.map { ProductIdentifierCache(folder: $0) }
    self.timeout = min(timeout, .seconds(3600))
    self.maximumByteCount = min(max(0, maximumByteCount), ProductIdentifierList.maximumByteCount)
  }

  /// Fetches a list.
  ///
  /// - Parameter url: An http or https address. A user name and password are sent to its own host as basic
  ///   authentication. Errors include neither them nor the query.
  /// - Returns: The list and its source.
  /// - Throws: `.invalidRequest` if the address is invalid; `.fetchFailed` if the fetch failed and no list is cached, or
  ///   if the task is canceled.
  public func fetch(_ url: String) async throws(CatalogError) -> FetchedProductIdentifiers {
    let address = try FetchAddress(url)
    let stored = cache?.list(of: address).flatMap { ValidList($0, address, read) }
    let failure: CatalogError
    do throws(CatalogError) {
      switch try await response(
        ProductIdentifierRequest(
          address: address,
          validators: stored?.stored.validators,
          maximumByteCount: maximumByteCount
        )
      ) {
      case .list(let bytes, let validators):
        let fetched = try ValidList(
          validating: StoredList(bytes: bytes, validators: validators, date: .now),
          address,
          read
        )
        return store(fetched, .fetched, address)
      case .notModified(let validators):
        // Cannot happen: without a cached list, the request is not conditional.
        guard let stored else { throw address.failure("the server returned no list", fix: "try again later") }
        return store(stored.confirmed(validators), .notModified, address)
      }
    } catch { failure = error }
    guard let stored, !Task.isCancelled else { throw failure }
    let date = stored.stored.date
    let reason = CatalogError(
      failure.code,
      failure.problem,
      fix: "\(failure.fix) (the list of \(date.formatted(.iso8601)) is used until then)",
      place: failure.place
    )
    return FetchedProductIdentifiers(
      list: stored.list,
      source: .lastGood(reason: reason, since: date),
      cacheError: nil
    )
  }

  /// Writes a valid list to the cache, and returns it.
  private func store(
    _ valid: ValidList,
    _ source: FetchedProductIdentifiers.Source,
    _ address: FetchAddress
  ) -> FetchedProductIdentifiers {
    var cacheError: CatalogError?
    do throws(CatalogError) { try cache?.store(valid.stored, of: address) } catch { cacheError = error }
    return FetchedProductIdentifiers(list: valid.list, source: source, cacheError: cacheError)
  }

  /// Returns the response to a request within the timeout.
  private func response(_ request: ProductIdentifierRequest) async throws(CatalogError) -> ListResponse {
    let timeout = timeout
    let outcome = await withTaskGroup(of: Result<ListResponse, CatalogError>?.self) { tasks in
      tasks.addTask {
        do throws(CatalogError) { return .success(try await request.response()) } catch {
          return .failure(error)
        }
      }
      tasks.addTask {
        try? await Task.sleep(for: timeout)
        return nil
      }
      let first = await tasks.next() ?? nil
      tasks.cancelAll()
      return first
    }
    if Task.isCancelled {
      throw request.address.failure("the fetch was canceled", fix: "fetch the list again")
    }
    guard let outcome else {
      throw request.address.failure(
        "the server did not respond within \(timeout)",
        fix: "try again later, or increase the timeout"
      )
    }
    return try outcome.get()
  }
}

/// A cached or fetched list that was read successfully.
private struct ValidList {
  let stored: StoredList
  let list: ProductIdentifierList

  /// Reads a cached list. Returns `nil` if it cannot be read, for example because another version stored it.
  init?(_ stored: StoredList, _ address: FetchAddress, _ read: ProductIdentifierFetcher.ListReader) {
    do throws(CatalogError) { try self.init(validating: stored, address, read) } catch { return nil }
  }

  /// Reads a list. A list that is not empty must have at least one valid entry.
  ///
  /// - Throws: `.fetchFailed`.
  init(
    validating stored: StoredList,
    _ address: FetchAddress,
    _ read: ProductIdentifierFetcher.ListReader
  ) throws(CatalogError) {
    do throws(CatalogError) {
      list = try read(stored.bytes, address.name).at(address.redacted)
    } catch { throw CatalogError(.fetchFailed, error.at(address.redacted)) }
    if list.identifiers.isEmpty, let first = list.rejects.first { throw CatalogError(.fetchFailed, first) }
    self.stored = stored
  }

  private init(stored: StoredList, list: ProductIdentifierList) {
    (self.stored, self.list) = (stored, list)
  }

  /// Returns the list with updated validators, after the server confirmed it.
  func confirmed(_ validators: ListValidators) -> ValidList {
    let confirmed = ListValidators(
      origin: validators.origin,
      entityTag: validators.entityTag ?? stored.validators.entityTag,
      lastModified: validators.lastModified ?? stored.validators.lastModified
    )
    return ValidList(stored: StoredList(bytes: stored.bytes, validators: confirmed, date: .now), list: list)
  }
}
