import FoundationEssentials
import PriceTag
import PriceTagCatalog
import PriceTagText

/// The http or https address of a list.
package struct FetchAddress: Hashable, Sendable {
  /// The user name and password of an address.
  struct Credentials: Hashable, Sendable {
    let user: String
    let password: String
  }

  /// The URL to request, without credentials.
  package let url: URL
  /// The credentials, which are sent only to the address's own origin.
  let credentials: Credentials?
  /// The cache key of the list. It never contains the password.
  let key: String
  /// The address for errors, without credentials and without the query, which may contain secrets.
  package let redacted: String

  private static let maximumByteCount = 8 << 10

  /// - Throws: `.invalidRequest`.
  package init(_ text: String) throws(CatalogError) {
    guard text.utf8.count <= Self.maximumByteCount, let url = URL(string: text) else { throw Self.noURL }
    try self.init(url)
  }

  private init(_ url: URL) throws(CatalogError) {
    let scheme = url.scheme?.lowercased() ?? ""
    guard scheme == "https" || scheme == "http" else {
      throw Self.invalid(
        scheme.isEmpty
          ? "the address of the list has no scheme"
          : "lists cannot be fetched over \(printable(scheme, limit: 48))",
        "use an address that starts with https://, or a file"
      )
    }
    guard let host = url.host(), !host.isEmpty, !host.contains("%"), isASCII(host) else {
      throw Self.invalid(
        "the address of the list has no valid host",
        "use a host name, in Punycode if it is not ASCII"
      )
    }
    guard (1...65535).contains(url.port ?? 443) else {
      throw Self.invalid("the port of the address is out of range", "use 1 to 65535")
    }
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw Self.noURL }
    credentials = parts.user.map { Credentials(user: $0, password: parts.password ?? "") }
    parts.password = nil
    parts.fragment = nil
    key = parts.string ?? ""
    parts.user = nil
    self.url = parts.url ?? url
    let hasQuery = parts.query != nil
    parts.query = nil
    redacted = printable(parts.string ?? host) + (hasQuery ? "?…" : "")
  }

  /// The file name of the list. Its extension helps to detect the format.
  var name: String { url.path().hasSuffix("/") ? "" : url.lastPathComponent }

  /// Returns the address to which a response redirects.
  ///
  /// - Parameter location: The value of the `Location` header.
  /// - Throws: `.fetchFailed` if the location is not an http or https address, or redirects from https to http.
  package func redirected(to location: String) throws(CatalogError) -> FetchAddress {
    var target: FetchAddress?
    if location.utf8.count <= Self.maximumByteCount, let url = URL(string: location, relativeTo: url) {
      do throws(CatalogError) { target = try FetchAddress(url.absoluteURL) } catch {}
    }
    guard let target else {
      throw failure("the server redirects to an invalid address", fix: "correct the redirect on the server")
    }
    guard isSecure == false || target.isSecure else {
      throw failure(
        "the server redirects from https to http",
        fix: "correct the redirect on the server, or use an https address that is not redirected"
      )
    }
    return FetchAddress(target, credentials: target.origin == origin ? credentials : nil)
  }

  private init(_ address: FetchAddress, credentials: Credentials?) {
    (url, key, redacted) = (address.url, address.key, address.redacted)
    self.credentials = credentials
  }

  private var isSecure: Bool { url.scheme?.lowercased() == "https" }

  private var origin: [String] {
    let port = url.port ?? (isSecure ? 443 : 80)
    return [isSecure ? "https" : "http", url.host()?.lowercased() ?? "", String(port)]
  }

  /// Returns an error for a failed fetch from the address.
  func failure(_ problem: String, fix: String) -> CatalogError {
    CatalogError(.fetchFailed, problem, fix: fix, place: redacted)
  }

  private static var noURL: CatalogError {
    invalid("the address of the list is not a URL", "use one such as https://example.com/products_v1.json")
  }

  private static func invalid(_ problem: String, _ fix: String) -> CatalogError {
    CatalogError(.invalidRequest, problem, fix: fix)
  }
}
