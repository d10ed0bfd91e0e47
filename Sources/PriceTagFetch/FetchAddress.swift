import PriceTag
import PriceTagCatalog
import PriceTagText

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An http or https address that a list is fetched from.
struct FetchAddress: Hashable, Sendable {
  /// A user's name and password, as an address may hold them before its host.
  struct Credentials: Hashable, Sendable {
    let user: String
    let password: String
  }

  /// What is requested, without credentials.
  let url: URL
  /// Sent to the address's own host alone.
  let credentials: Credentials?
  /// What a list of it is kept under. A password is never kept.
  let key: String
  /// What errors call it: without credentials, and without a query, which may hold some.
  let shown: String

  private static let maximumByteCount = 8 << 10

  /// - Throws: `.invalidRequest`.
  init(_ text: String) throws(CatalogError) {
    guard text.utf8.count <= Self.maximumByteCount, let url = URL(string: text) else {
      throw Self.invalid(
        "the address of the list is no URL",
        "give one such as https://example.com/products_v1.json"
      )
    }
    try self.init(url)
  }

  private init(_ url: URL) throws(CatalogError) {
    let scheme = url.scheme?.lowercased() ?? ""
    guard scheme == "https" || scheme == "http" else {
      throw Self.invalid(
        scheme.isEmpty
          ? "the address of the list has no scheme"
          : "a list is not fetched by \(printable(scheme, limit: 48))",
        "give an address that begins with https://, or a file"
      )
    }
    guard let host = url.host(), !host.isEmpty, !host.contains("%"), isASCII(host) else {
      throw Self.invalid(
        "the address of the list has no valid host",
        "give its name, in Punycode if it is not ASCII"
      )
    }
    guard (1...65535).contains(url.port ?? 443) else {
      throw Self.invalid("the port of the address is no port", "give 1 to 65535")
    }
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      throw Self.invalid(
        "the address of the list is no URL",
        "give one such as https://example.com/products_v1.json"
      )
    }
    credentials = parts.user.map { Credentials(user: $0, password: parts.password ?? "") }
    parts.password = nil
    parts.fragment = nil
    key = parts.string ?? ""
    parts.user = nil
    self.url = parts.url ?? url
    let hasQuery = parts.query != nil
    parts.query = nil
    shown = printable(parts.string ?? host) + (hasQuery ? "?…" : "")
  }

  /// What the list is called: its ending helps to tell its format.
  var name: String { url.path().hasSuffix("/") ? "" : url.lastPathComponent }

  /// Where an answer sends the request on to.
  ///
  /// - Throws: `.fetchFailed` for what is no address of http or https, or would leave https.
  func redirected(to location: String) throws(CatalogError) -> FetchAddress {
    var target: FetchAddress?
    if location.utf8.count <= Self.maximumByteCount, let url = URL(string: location, relativeTo: url) {
      do throws(CatalogError) { target = try FetchAddress(url.absoluteURL) } catch {}
    }
    guard let target else {
      throw failure("the server redirects to what is no address", fix: "correct the redirect on the server")
    }
    guard isSecure == false || target.isSecure else {
      throw failure(
        "the server redirects from https to http",
        fix: "correct the redirect on the server, or give an address of https that needs none"
      )
    }
    return FetchAddress(target, credentials: target.origin == origin ? credentials : nil)
  }

  private init(_ address: FetchAddress, credentials: Credentials?) {
    (url, key, shown) = (address.url, address.key, address.shown)
    self.credentials = credentials
  }

  private var isSecure: Bool { url.scheme?.lowercased() == "https" }

  private var origin: [String] {
    let port = url.port ?? (isSecure ? 443 : 80)
    return [isSecure ? "https" : "http", url.host()?.lowercased() ?? "", String(port)]
  }

  /// A failure of a fetch from here.
  func failure(_ problem: String, fix: String) -> CatalogError {
    CatalogError(.fetchFailed, problem, fix: fix, place: shown)
  }

  private static func invalid(_ problem: String, _ fix: String) -> CatalogError {
    CatalogError(.invalidRequest, problem, fix: fix)
  }
}
