import PriceTag
import PriceTagCatalog

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Fetches lists of product identifiers that a server publishes, and keeps the last good one of each address for when
/// the server is down.
///
///     let fetcher = ProductIdentifierFetcher()
///     let fetched = try await fetcher.fetch("https://example.com/products_v1.json")
///     fetched.list.identifiers
///
/// A server is asked for a list only if it changed (`If-None-Match`, `If-Modified-Since`). Whatever keeps it from
/// answering a good one, the last good list is answered, and the answer says so: no network, an error status, too
/// long a time, too many bytes, a list that is malformed. An empty list is a good one.
public struct ProductIdentifierFetcher: Sendable {
  private let cache: ProductIdentifierCache?
  private let read: ReadList
  private let timeout: Duration
  private let maximumByteCount: Int

  /// Reads a list from the bytes of an answer.
  ///
  /// - Parameter name: The last part of the address, whose ending helps to tell the format.
  public typealias ReadList =
    @Sendable (_ bytes: [UInt8], _ name: String) throws(CatalogError) -> ProductIdentifierList

  /// `$XDG_CACHE_HOME/pricetag`, or `~/.cache/pricetag`; `nil` where neither is known.
  public static var defaultCacheFolder: String? { cacheFolder(in: ProcessInfo.processInfo.environment) }

  static func cacheFolder(in environment: [String: String]) -> String? {
    // As its specification has it, a path that is not absolute is none.
    if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/pricetag" }
    if let folder = environment["HOME"], folder.hasPrefix("/") { return folder + "/.cache/pricetag" }
    return nil
  }

  /// A fetcher that keeps lists in a folder.
  ///
  /// - Parameters:
  ///   - cacheFolder: Where lists are kept, a file each; `nil` keeps none. Several processes may share it.
  ///   - timeout: How long a fetch may take as a whole, redirects and all; at most an hour. To connect it has no more
  ///     than ten seconds.
  ///   - maximumByteCount: The most bytes of an answer, unpacked; at most 8 MB.
  ///   - read: Reads an answer's bytes, as JSON where it is left out. For lists that are property lists or text, give
  ///     `ProductIdentifierList.init(_:name:)` of `PriceTagCatalogFormats`.
  public init(
    cacheFolder: String? = defaultCacheFolder,
    timeout: Duration = .seconds(10),
    maximumByteCount: Int = ProductIdentifierList.maximumByteCount,
    read: @escaping ReadList = { (bytes, _) throws(CatalogError) in try ProductIdentifierList(json: bytes) }
  ) {
    self.read = read
    cache = cacheFolder.map { ProductIdentifierCache(folder: $0) }
    self.timeout = min(timeout, .seconds(3600))
    self.maximumByteCount = min(max(0, maximumByteCount), ProductIdentifierList.maximumByteCount)
  }

  /// Fetches a list.
  ///
  /// - Parameter url: An address of http or https. A user's name and password in it are sent to its own host as basic
  ///   authentication; errors show neither them nor the query.
  /// - Throws: `.invalidRequest` for what is no such address; `.fetchFailed` where the server gave no good list and
  ///   none is kept, and where the task is cancelled.
  public func fetch(_ url: String) async throws(CatalogError) -> FetchedProductIdentifiers {
    let address = try FetchAddress(url)
    let kept = cache?.list(of: address).flatMap { GoodList($0, address, read) }
    let failure: CatalogError
    do throws(CatalogError) {
      switch try await answer(
        ProductIdentifierRequest(
          address: address,
          validators: kept?.kept.validators,
          maximumByteCount: maximumByteCount
        )
      ) {
      case .list(let bytes, let validators):
        let fetched = try GoodList(
          validating: KeptList(bytes: bytes, validators: validators, date: .now),
          address,
          read
        )
        return answer(fetched, .fetched, address)
      case .notModified(let validators):
        // Nobody was asked whether a list changed where there was none.
        guard let kept else { throw address.failure("the server sends no list", fix: "try again later") }
        return answer(kept.confirmed(validators), .notModified, address)
      }
    } catch { failure = error }
    guard let kept, !Task.isCancelled else { throw failure }
    let date = kept.kept.date
    let reason = CatalogError(
      failure.code,
      failure.problem,
      fix: "\(failure.fix); until then it is the list of \(date.formatted(.iso8601))",
      place: failure.place
    )
    return FetchedProductIdentifiers(
      list: kept.list,
      source: .lastGood(reason: reason, since: date),
      note: nil
    )
  }

  private func answer(
    _ good: GoodList,
    _ source: FetchedProductIdentifiers.Source,
    _ address: FetchAddress
  ) -> FetchedProductIdentifiers {
    var note: CatalogError?
    do throws(CatalogError) { try cache?.keep(good.kept, of: address) } catch { note = error }
    return FetchedProductIdentifiers(list: good.list, source: source, note: note)
  }

  /// The answer to a request, within the time that it has.
  private func answer(_ request: ProductIdentifierRequest) async throws(CatalogError) -> ListAnswer {
    let timeout = timeout
    let outcome = await withTaskGroup(of: Result<ListAnswer, CatalogError>?.self) { tasks in
      tasks.addTask {
        do throws(CatalogError) { return .success(try await request.answer()) } catch {
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
      throw request.address.failure("the fetch was cancelled", fix: "fetch the list again")
    }
    guard let outcome else {
      throw request.address.failure(
        "the server has not answered within \(timeout)",
        fix: "try again later, or allow more time"
      )
    }
    return try outcome.get()
  }
}

/// A list that was kept or fetched, and read.
private struct GoodList {
  let kept: KeptList
  let list: ProductIdentifierList

  /// `nil` for what cannot be read: another version may have kept it.
  init?(_ kept: KeptList, _ address: FetchAddress, _ read: ProductIdentifierFetcher.ReadList) {
    do throws(CatalogError) { try self.init(validating: kept, address, read) } catch { return nil }
  }

  /// - Throws: What is wrong with the list. One of which nothing could be read, and is not empty, is none.
  init(
    validating kept: KeptList,
    _ address: FetchAddress,
    _ read: ProductIdentifierFetcher.ReadList
  ) throws(CatalogError) {
    do throws(CatalogError) {
      list = try read(kept.bytes, address.name).at(address.shown)
    } catch { throw CatalogError(.fetchFailed, error.at(address.shown)) }
    if list.identifiers.isEmpty, let first = list.setAside.first { throw CatalogError(.fetchFailed, first) }
    self.kept = kept
  }

  private init(kept: KeptList, list: ProductIdentifierList) {
    (self.kept, self.list) = (kept, list)
  }

  /// The list with what the server says of it now.
  func confirmed(_ validators: ListValidators) -> GoodList {
    let confirmed = ListValidators(
      origin: validators.origin,
      entityTag: validators.entityTag ?? kept.validators.entityTag,
      lastModified: validators.lastModified ?? kept.validators.lastModified
    )
    return GoodList(kept: KeptList(bytes: kept.bytes, validators: confirmed, date: .now), list: list)
  }
}
