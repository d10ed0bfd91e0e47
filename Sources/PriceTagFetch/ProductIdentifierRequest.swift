import AsyncHTTPClient
import PriceTag
import PriceTagCatalog
import PriceTagText

/// What a server said of a list when it sent it, to be asked with again.
struct ListValidators: Hashable, Sendable {
  /// The address that the list came from, redirects followed: what it said holds there alone.
  let origin: String
  /// `ETag`, as received.
  let entityTag: String?
  /// `Last-Modified`, as received.
  let lastModified: String?

  /// - Parameters: Values that are no header's are left out.
  init(origin: String, entityTag: String?, lastModified: String?) {
    self.origin = origin
    self.entityTag = entityTag.flatMap { Self.isHeaderValue($0) ? $0 : nil }
    self.lastModified = lastModified.flatMap { Self.isHeaderValue($0) ? $0 : nil }
  }

  /// Whether a text is one line of visible ASCII: nothing that a header could end with.
  private static func isHeaderValue(_ text: String) -> Bool {
    (1...1024).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}

/// What a server answered.
enum ListAnswer: Sendable {
  case list([UInt8], ListValidators)
  case notModified(ListValidators)
}

/// A request of a list over HTTP.
struct ProductIdentifierRequest: Sendable {
  let address: FetchAddress
  /// Of the list that is there already.
  let validators: ListValidators?
  let maximumByteCount: Int

  private static let maximumRedirects = 5

  /// Redirects are followed here, where leaving https can be refused. Nothing is tried twice, and no connection
  /// is kept: lists are fetched rarely, and a server may be gone in between.
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

  /// The answer, redirects followed.
  ///
  /// - Throws: `.fetchFailed`.
  func answer() async throws(CatalogError) -> ListAnswer {
    var target = address
    for _ in 0...Self.maximumRedirects {
      let response = try await send(to: target)
      switch response.status.code {
      case 200:
        return .list(try await body(of: response), received(response, from: target))
      case 304 where isConditional(target):
        return .notModified(received(response, from: target))
      case 301, 302, 303, 307, 308:
        guard let location = response.headers.first(name: "Location") else {
          throw address.failure("the server redirects to nowhere", fix: "correct the redirect on the server")
        }
        target = try target.redirected(to: location)
      case let code:
        let reason = printable(response.status.reasonPhrase, limit: 48)
        throw address.failure(
          "the server answers \(code)\(reason.isEmpty ? "" : " ")\(reason)",
          fix: Self.fix(code)
        )
      }
    }
    throw address.failure(
      "the server redirects more than \(Self.maximumRedirects) times",
      fix: "give the address that it redirects to"
    )
  }

  private static func fix(_ code: UInt) -> String {
    switch code {
    case 401, 403: "give a user's name and password in the address, or let the server ask for none"
    case 408, 425, 429, 500...: "try again later"
    default: "correct the address, or what the server has there"
    }
  }

  /// What a server said of its list holds at the list's own address.
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
      // The whole fetch has a deadline of its own.
      return try await Self.client.execute(request, timeout: .hours(1))
    } catch { throw failure(error) }
  }

  private func received(_ response: HTTPClientResponse, from target: FetchAddress) -> ListValidators {
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
        "the answer is encoded as \(quoted(encoding))",
        fix: "let the server send it as it is, or as gzip"
      )
    }
    var bytes: [UInt8] = []
    do {
      for try await part in response.body {
        guard part.readableBytes <= maximumByteCount - bytes.count else { throw tooLarge }
        bytes += part.readableBytesView
      }
      // A body that is no longer waited for ends as if it were whole.
      try Task.checkCancellation()
    } catch { throw failure(error) }
    return bytes
  }

  private var tooLarge: CatalogError {
    let limit = maximumByteCount >= 1 << 20 ? "\(maximumByteCount >> 20) MB" : "\(maximumByteCount) bytes"
    return address.failure("the answer has more than \(limit)", fix: "publish a shorter list")
  }

  /// What kept the request from its answer, in words.
  private func failure(_ error: any Error) -> CatalogError {
    if let error = error as? CatalogError { return error }
    let text = "\(error)"
    // The types of what is below the client are not public through it.
    let type = String(reflecting: type(of: error))
    if type.contains("Decompression") {
      if text == "limit" { return tooLarge }
      return address.failure(
        "the answer's gzip is damaged (\(printable(text)))",
        fix: "publish the list again"
      )
    }
    if type.contains("HTTPParserError") {
      return address.failure("the answer breaks HTTP (\(printable(text)))", fix: "correct the server")
    }
    // Of "connection reset (error set): Connection refused) (errno: 111)" the middle is what happened.
    let cause = text.split(separator: ") (errno:").first?.split(separator: "): ").last ?? "\(text)"
    let problem =
      switch error as? HTTPClientError {
      case .remoteConnectionClosed: "the server closed the connection without an answer"
      case .connectTimeout: "the server cannot be reached within 10 seconds"
      default: "the server cannot be reached (\(printable(cause)))"
      }
    return address.failure(problem, fix: "check the address and the network, or try again later")
  }
}
