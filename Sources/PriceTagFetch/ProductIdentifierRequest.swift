import AsyncHTTPClient
import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// The validators of a list, with which a later request is made conditional.
struct ListValidators: Hashable, Sendable {
  /// The final address of the list, after redirects. The validators are sent only to this address.
  let origin: String
  /// The `ETag` header.
  let entityTag: String?
  /// The `Last-Modified` header.
  let lastModified: String?

  /// Creates validators. Values that are not valid header values are ignored.
  init(origin: String, entityTag: String?, lastModified: String?) {
    self.origin = origin
    self.entityTag = entityTag.flatMap { Self.isHeaderValue($0) ? $0 : nil }
    self.lastModified = lastModified.flatMap { Self.isHeaderValue($0) ? $0 : nil }
  }

  /// Returns whether a text has only printable ASCII characters, so that it cannot inject a header.
  private static func isHeaderValue(_ text: String) -> Bool {
    (1...1024).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}

/// The response of a server.
enum ListResponse: Sendable {
  case list([UInt8], ListValidators)
  case notModified(ListValidators)
}

/// An HTTP request for a list.
struct ProductIdentifierRequest: Sendable {
  let address: FetchAddress
  /// The validators of the cached list.
  let validators: ListValidators?
  let maximumByteCount: Int

  private static let maximumRedirects = 5

  /// The client does not follow redirects: `response()` does, so that it can reject redirects from https to http. Failed
  /// requests are not retried and connections are not reused, because lists are fetched rarely.
  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .seconds(10)),
      decompression: .enabled(limit: .size(ProductIdentifierList.maximumByteCount))
    )
    configuration.httpVersion = .http1Only
    configuration.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
  }()

  /// Sends the request, follows redirects, and returns the response.
  ///
  /// - Throws: `.fetchFailed`.
  func response() async throws(CatalogError) -> ListResponse {
    var target = address
    for _ in 0...Self.maximumRedirects {
      let response = try await send(to: target)
      switch response.status.code {
      case 200:
        return .list(try await body(of: response), responseValidators(response, from: target))
      case 304 where isConditional(target):
        return .notModified(responseValidators(response, from: target))
      case 301, 302, 303, 307, 308:
        guard let location = response.headers.first(name: "Location") else {
          throw address.failure(
            "the server redirects without a Location header",
            fix: "correct the redirect on the server"
          )
        }
        target = try target.redirected(to: location)
      case let code:
        let reason = printable(response.status.reasonPhrase, limit: 48)
        throw address.failure(
          "the server returned \(code)\(reason.isEmpty ? "" : " ")\(reason)",
          fix: Self.fix(code)
        )
      }
    }
    throw address.failure(
      "the server redirects more than \(Self.maximumRedirects) times",
      fix: "use the address to which it redirects"
    )
  }

  private static func fix(_ code: UInt) -> String {
    switch code {
    case 401, 403: "add a user name and password to the address, or allow access without them"
    case 408, 425, 429, 500...: "try again later"
    default: "correct the address, or publish the list there"
    }
  }

  /// Returns whether the request to a target is conditional: only if the cached list came from the same address.
  private func isConditional(_ target: FetchAddress) -> Bool {
    guard let validators, validators.origin == target.key else { return false }
    return validators.entityTag != nil || validators.lastModified != nil
  }

  private func send(to target: FetchAddress) async throws(CatalogError) -> HTTPClientResponse {
    var request = HTTPClientRequest(url: target.url.absoluteString)
    request.headers.add(name: "User-Agent", value: "PriceTag/\(Versions.release)")
    request.headers.add(name: "Accept-Encoding", value: "gzip")
    request.headers.add(name: "Connection", value: "close")
    if let credentials = target.credentials {
      request.setBasicAuth(username: credentials.user, password: credentials.password)
    }
    if let validators, isConditional(target) {
      if let tag = validators.entityTag { request.headers.add(name: "If-None-Match", value: tag) }
      if let date = validators.lastModified { request.headers.add(name: "If-Modified-Since", value: date) }
    }
    do {
      // The fetcher limits the total time of a fetch.
      return try await Self.client.execute(request, timeout: .hours(1))
    } catch { throw failure(error) }
  }

  private func responseValidators(
    _ response: HTTPClientResponse,
    from target: FetchAddress
  ) -> ListValidators {
    ListValidators(
      origin: target.key,
      entityTag: response.headers.first(name: "ETag"),
      lastModified: response.headers.first(name: "Last-Modified")
    )
  }

  private func body(of response: HTTPClientResponse) async throws(CatalogError) -> [UInt8] {
    let encoding = response.headers.first(name: "Content-Encoding")?.lowercased() ?? "identity"
    guard ["identity", "gzip", "deflate"].contains(encoding) else {
      throw address.failure(
        "the response has the unknown encoding \(quoted(encoding))",
        fix: "configure the server to send it uncompressed or as gzip"
      )
    }
    var bytes: [UInt8] = []
    do {
      for try await part in response.body {
        guard part.readableBytes <= maximumByteCount - bytes.count else { throw tooLarge }
        bytes += part.readableBytesView
      }
      // After a cancellation, the body ends early without an error.
      try Task.checkCancellation()
    } catch { throw failure(error) }
    return bytes
  }

  private var tooLarge: CatalogError {
    let limit = maximumByteCount >= 1 << 20 ? "\(maximumByteCount >> 20) MB" : "\(maximumByteCount) bytes"
    return address.failure("the response is larger than \(limit)", fix: "publish a shorter list")
  }

  /// Converts an error of the HTTP client.
  private func failure(_ error: any Error) -> CatalogError {
    if let error = error as? CatalogError { return error }
    let text = "\(error)"
    // The client does not export these error types, so they are recognized by name.
    let type = String(reflecting: type(of: error))
    if type.contains("Decompression") {
      if text == "limit" { return tooLarge }
      return address.failure(
        "the response has damaged gzip data (\(printable(text)))",
        fix: "publish the list again"
      )
    }
    if type.contains("HTTPParserError") {
      return address.failure("the response is not valid HTTP (\(printable(text)))", fix: "correct the server")
    }
    // Extracts the cause from "connection reset (error set): Connection refused) (errno: 111)".
    let cause = text.split(separator: ") (errno:").first?.split(separator: "): ").last ?? "\(text)"
    let problem =
      switch error as? HTTPClientError {
      case .remoteConnectionClosed: "the server closed the connection without a response"
      case .connectTimeout: "the server cannot be reached within 10 seconds"
      default: "the server cannot be reached (\(printable(cause)))"
      }
    return address.failure(problem, fix: "check the address and the network, or try again later")
  }
}
