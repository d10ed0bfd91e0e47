import CatalogSamples
import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagFetch
import Synchronization
import Testing

private typealias Request = MisbehavingServer.Request
private typealias Connection = MisbehavingServer.Connection

/// Fetches a list, and returns the result or the error as text.
private func outcome(_ fetcher: ProductIdentifierFetcher, _ url: String) async -> String {
  do throws(CatalogError) {
    let fetched = try await fetcher.fetch(url)
    let list = fetched.list.identifiers.joined(separator: " ")
    switch fetched.source {
    case .fetched: return "fetched \(list)"
    case .notModified: return "not modified \(list)"
    case .lastGood(let reason, let since): return "last good \(list), \(reason.problem) (\(isNow(since)))"
    }
  } catch { return error.description.replacing(url, with: "URL") }
}

private func isNow(_ date: Date) -> String { abs(date.timeIntervalSinceNow) < 600 ? "now" : "\(date)" }

@Suite struct ProductIdentifierFetcherTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Returns a new fetcher with the same cache, as after a restart.
  private func fetcher(timeout: Duration = .seconds(600), maximumByteCount: Int = 1 << 20)
    -> ProductIdentifierFetcher
  {
    ProductIdentifierFetcher(
      cacheFolder: folder.path + "/cache/pricetag",
      timeout: timeout,
      maximumByteCount: maximumByteCount,
      read: ProductIdentifierList.init(_:name:)
    )
  }

  /// Returns the path of the only file in the cache.
  private func cacheFile() throws -> String {
    let folder = folder.path + "/cache/pricetag"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    try #require(names.count == 1, "\(names)")
    return "\(folder)/\(names[0])"
  }

  // MARK: Formats

  @Test(arguments: [
    ("[\"a\"]", "fetched a"), ("{\"version\": 1, \"productIdentifiers\": [\"a\", \"b\"]}", "fetched a b"),
    (
      "<plist><array><string>a</string></array></plist>",
      "the list is a property list, not JSON; convert it to JSON, or read it with init(_:name:) of PriceTagCatalogFormats"
    ), ("a", "line 1, column 1: "),
  ])
  func readsJSONByDefault(body: String, expected: String) async throws {
    let server = try MisbehavingServer { $1.answer([], body) }
    let found = await outcome(ProductIdentifierFetcher(cacheFolder: nil), server.url + "/list.txt")
    #expect(found.contains(expected), "\(found)")
  }

  @Test func readsPropertyListsWithOtherReader() async throws {
    let server = try MisbehavingServer { $1.answer([], "<plist><array><string>a</string></array></plist>") }
    #expect(await outcome(fetcher(), server.url + "/products.plist") == "fetched a")
  }

  // MARK: Conditional requests

  @Test func fetchesUnchangedListOnlyOnce() async throws {
    let server = try MisbehavingServer { request, connection in
      if request["If-None-Match"] == "W/\"1, 2\"" { return connection.answer("304 Not Modified") }
      connection.answer(
        ["ETag: W/\"1, 2\"", "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT"],
        #"["a", "", "b"]"#
      )
    }
    let url = server.url + "/products_v1.json?v=1"
    let fetched = try await fetcher().fetch(url)
    #expect(fetched.list.identifiers == ["a", "b"])
    #expect(fetched.list.rejects.map(\.place) == ["\(server.url)/products_v1.json?…, entry 2"])
    #expect(fetched.source == .fetched)
    #expect(fetched.cacheError == nil)
    let again = try await fetcher().fetch(url)
    #expect(again.list == fetched.list)
    #expect(again.source == .notModified)
    let host = "host: " + server.url.dropFirst("http://".count)
    let lines = [
      "GET /products_v1.json?v=1 HTTP/1.1", "User-Agent: PriceTag/\(Versions.release)",
      "Accept-Encoding: gzip",
      "Connection: close",
    ]
    #expect(
      server.requests.map(\.lines) == [
        lines + [host],
        lines + [
          "If-None-Match: W/\"1, 2\"", "If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT", host,
        ],
      ]
    )
    server.stop()
    #expect(
      await outcome(fetcher(), url)
        == "last good a b, the server cannot be reached (Connection refused) (now)"
    )
  }

  @Test(arguments: [
    ("ETag: \"x\"", "If-None-Match", "\"x\""),
    ("Last-Modified: yesterday", "If-Modified-Since", "yesterday"),
  ])
  func eitherValidatorIsEnough(header: String, condition: String, value: String) async throws {
    let server = try MisbehavingServer { request, connection in
      if request[condition] == value {
        connection.answer("304 Not Modified")
      } else {
        connection.answer([header], #"["a"]"#)
      }
    }
    #expect(await outcome(fetcher(), server.url) == "fetched a")
    #expect(await outcome(fetcher(), server.url) == "not modified a")
    #expect(await outcome(fetcher(), server.url) == "not modified a")
  }

  @Test func fetchesChangedList() async throws {
    let texts = Mutex([#"["a"]"#, #"["b", "c"]"#, "[]"])
    let server = try MisbehavingServer { _, connection in
      connection.answer(["ETag: \"x\""], texts.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] })
    }
    #expect(await outcome(fetcher(), server.url) == "fetched a")
    #expect(await outcome(fetcher(), server.url) == "fetched b c")
    #expect(await outcome(fetcher(), server.url) == "fetched ")
    server.stop()
    #expect(await outcome(fetcher(), server.url).hasPrefix("last good , the server"))
  }

  // MARK: Failures

  /// A response that is not a valid list, and the expected error.
  struct InvalidResponse: CustomTestStringConvertible {
    let name: String
    let problem: String
    let fix: String
    let answer: @Sendable (MisbehavingServer.Request, MisbehavingServer.Connection) -> Void

    var testDescription: String { name }

    init(
      _ name: String,
      _ problem: String,
      _ fix: String,
      _ answer: @escaping @Sendable (MisbehavingServer.Request, MisbehavingServer.Connection) -> Void
    ) {
      (self.name, self.problem, self.fix, self.answer) = (name, problem, fix, answer)
    }
  }

  private static let network = "check the address and the network, or try again later"
  private static let status = "correct the address, or publish the list there"
  private static let redirect = "correct the redirect on the server"
  private static let json = "correct the JSON"
  private static let start = "HTTP/1.1 200 OK\r\n"

  static let invalidResponses: [InvalidResponse] = [
    InvalidResponse("closed connection", "the server closed the connection without a response", network) {
      _,
      _ in
    },
    InvalidResponse("server error", "the server returned 500 Internal Server Error", "try again later") {
      $1.answer("500 \u{1B}[31m")
    },
    InvalidResponse("too many requests", "the server returned 429 Too Many Requests", "try again later") {
      $1.answer("429 Too Many Requests")
    },
    InvalidResponse("not found", "the server returned 404 Not Found", status) { $1.answer("404 Not Found") },
    InvalidResponse(
      "unauthorized",
      "the server returned 401 Unauthorized",
      "add a user name and password to the address, or allow access without them"
    ) { $1.answer("401 Unauthorized") },
    InvalidResponse("unexpected 304", "the server returned 304 Not Modified", status) {
      $1.answer("304 Not Modified")
    },
    InvalidResponse("partial content", "the server returned 206 Partial Content", status) {
      $1.answer("206 Partial Content", [], Array(#"["a"]"#.utf8))
    },
    InvalidResponse("malformed", "expected \",\" or \"]\", but the text ends", json) {
      $1.answer([], #"["a""#)
    },
    InvalidResponse("empty", "expected a value, but the text ends", json) { $1.answer([], "") },
    InvalidResponse(
      "HTML page",
      "the document is not a property list",
      "write <plist><array>…</array></plist>"
    ) { $1.answer([], "<html/>") },
    InvalidResponse("no identifiers", "\"../a\" is not a product identifier", identifier) {
      $1.answer([], #"["../a", "b/"]"#)
    },
    InvalidResponse(
      "truncated body",
      "the response is not valid HTTP (stream ended at an unexpected time)",
      server
    ) {
      $1.send(start + "Content-Length: 100\r\n\r\n[\"a\"]")
    },
    InvalidResponse(
      "two lengths",
      "the response is not valid HTTP (unexpected content-length header)",
      server
    ) {
      $1.send(start + "Content-Length: 5\r\nContent-Length: 4\r\n\r\n[\"a\"]")
    },
    InvalidResponse(
      "missing last chunk",
      "the response is not valid HTTP (stream ended at an unexpected time)",
      server
    ) {
      $1.send(start + "Transfer-Encoding: chunked\r\n\r\n5\r\n[\"a\"]\r\n")
    },
    InvalidResponse(
      "truncated head",
      "the response is not valid HTTP (stream ended at an unexpected time)",
      server
    ) {
      $1.send("HTTP/1.1 200 OK\r\nContent-")
    },
    InvalidResponse("no HTTP", "the response is not valid HTTP (invalid constant string)", server) {
      $1.send("[\"a\"]\r\n\r\n")
    },
    InvalidResponse(
      "endless headers",
      "the response is not valid HTTP (too many header bytes seen; overflow detected)",
      server
    ) { _, connection in
      connection.send(start)
      while connection.send("X-More: more and more\r\n") {}
    },
    InvalidResponse("too large", "the response is larger than 1 MB", "publish a shorter list") {
      _,
      connection in
      connection.send(start + "\r\n")
      while connection.send([UInt8](repeating: 0x20, count: 1 << 16)) {}
    },
    InvalidResponse("gzip bomb", "the response is larger than 1 MB", "publish a shorter list") {
      $1.answer("200 OK", ["Content-Encoding: gzip"], Gzip.bomb(20 << 20))
    },
    InvalidResponse(
      "damaged gzip",
      "the response has damaged gzip data (truncatedData)",
      "publish the list again"
    ) { $1.answer("200 OK", ["Content-Encoding: gzip"], Gzip.packed(Array("[]".utf8)).dropLast(4)) },
    InvalidResponse(
      "no gzip",
      "the response has damaged gzip data (inflationError(-3))",
      "publish the list again"
    ) { $1.answer("200 OK", ["Content-Encoding: gzip"], Array("[]".utf8)) },
    InvalidResponse(
      "unknown encoding",
      "the response has the unknown encoding \"br\"",
      "configure the server to send it uncompressed or as gzip"
    ) { $1.answer(["Content-Encoding: br"], "[]") },
    InvalidResponse(
      "endless redirects",
      "the server redirects more than 5 times",
      "use the address to which it redirects"
    ) { $1.answer("302 Found", ["Location: ?again"]) },
    InvalidResponse("redirect without location", "the server redirects without a Location header", redirect) {
      $1.answer("301 Moved")
    },
    InvalidResponse("redirect to a file", "the server redirects to an invalid address", redirect) {
      $1.answer("301 Moved", ["Location: file:///etc/passwd"])
    },
  ]

  private static let server = "correct the server"
  private static let identifier =
    #"use 1 to 255 letters, digits, ".", "_", "-" or ":", starting with a letter or digit"#

  @Test(arguments: invalidResponses)
  func returnsLastGoodListAfterFailure(_ invalidResponse: InvalidResponse) async throws {
    let isGood = Mutex(false)
    let server = try MisbehavingServer { request, connection in
      if isGood.withLock({ $0 }) { return connection.answer([], #"["a", "b"]"#) }
      invalidResponse.answer(request, connection)
    }
    let url = server.url + "/list.json"
    // The error of a malformed list includes the place in the list.
    let first = await outcome(fetcher(), url)
    #expect(
      first.hasPrefix("URL") && first.hasSuffix(": \(invalidResponse.problem); \(invalidResponse.fix)"),
      "\(first)"
    )
    isGood.withLock { $0 = true }
    #expect(await outcome(fetcher(), url) == "fetched a b")
    isGood.withLock { $0 = false }
    // Twice, because a failure must not replace the cached list.
    for _ in 0..<2 {
      #expect(await outcome(fetcher(), url) == "last good a b, \(invalidResponse.problem) (now)")
    }
    isGood.withLock { $0 = true }
    #expect(await outcome(fetcher(), url) == "fetched a b")
  }

  @Test(arguments: ["silent", "slow head", "slow body"])
  func stopsAfterTimeout(name: String) async throws {
    let isGood = Mutex(true)
    let server = try MisbehavingServer { request, connection in
      if isGood.withLock({ $0 }) { return connection.answer([], #"["a"]"#) }
      if name == "silent" {
        connection.waitForEnd()
      } else {
        connection.send(name == "slow body" ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 200 OK\r\nX: ")
        while connection.send(" ") { usleep(50_000) }
      }
    }
    #expect(await outcome(fetcher(), server.url) == "fetched a")
    isGood.withLock { $0 = false }
    let start = ContinuousClock.now
    #expect(
      await outcome(fetcher(timeout: .milliseconds(250)), server.url)
        == "last good a, the server did not respond within 0.25 seconds (now)"
    )
    #expect(ContinuousClock.now - start < .seconds(300))
  }

  @Test func lastGoodListIncludesReasonAndDate() async throws {
    let server = try MisbehavingServer { $1.answer([], "[\"a\"]") }
    _ = try await fetcher().fetch(server.url)
    server.stop()
    guard case .lastGood(let reason, let since) = try await fetcher().fetch(server.url).source else {
      Issue.record("the server is down")
      return
    }
    #expect(reason.code == .fetchFailed)
    #expect(
      "\(reason)"
        == "\(server.url): the server cannot be reached (Connection refused); \(Self.network) (the list of \(since.formatted(.iso8601)) is used until then)"
    )
  }

  @Test func cancelsFetch() async throws {
    let isGood = Mutex(true)
    let isReading = Mutex(false)
    let server = try MisbehavingServer { _, connection in
      if isGood.withLock({ $0 }) { return connection.answer([], #"["a"]"#) }
      // More than the buffers of the sockets hold, so that the client is reading the body afterward.
      connection.send("HTTP/1.1 200 OK\r\n\r\n[" + String(repeating: " ", count: 7 << 20))
      isReading.withLock { $0 = true }
      connection.waitForEnd()
    }
    let fetcher = fetcher(timeout: .seconds(600), maximumByteCount: 8 << 20)
    #expect(await outcome(fetcher, server.url) == "fetched a")
    isGood.withLock { $0 = false }
    let start = ContinuousClock.now
    let task = Task { await outcome(fetcher, server.url) }
    while !isReading.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    #expect(await task.value == "URL: the fetch was canceled; fetch the list again")
    #expect(ContinuousClock.now - start < .seconds(300))
  }

  // MARK: Cache

  @Test(arguments: ["empty", "a part", "a byte", "garbage", "a folder", "another address", "another version"])
  func ignoresDamagedCacheFile(damage: String) async throws {
    let server = try MisbehavingServer { request, connection in
      if request["If-None-Match"] != nil { return connection.answer("304 Not Modified") }
      connection.answer(["ETag: \"x\""], #"["a"]"#)
    }
    #expect(await outcome(fetcher(), server.url) == "fetched a")
    let path = try cacheFile()
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    switch damage {
    case "empty": bytes = []
    case "a part": bytes.removeLast()
    case "a byte": bytes[bytes.count - 3] ^= 1
    case "garbage": bytes = (0..<1000).map { _ in .random(in: 0...255) }
    case "a folder": try FileManager.default.removeItem(atPath: path)
    default:
      let text = String(decoding: bytes.drop { $0 != 0x0A }.dropFirst(), as: UTF8.self)
      let other =
        damage == "another version"
        ? text.replacing("\"version\":1", with: "\"version\":2")
        : text.replacing(server.url, with: "http://b")
      try #require(other != text)
      bytes = Array("\(ProductIdentifierCache.checksum(other.utf8))\n\(other)".utf8)
    }
    if damage == "a folder" {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } else {
      try Data(bytes).write(to: URL(filePath: path))
    }
    let fetched = try await fetcher().fetch(server.url)
    #expect(fetched.source == .fetched)
    #expect((fetched.cacheError == nil) == (damage != "a folder"))
    #expect(await outcome(fetcher(), server.url) == (damage == "a folder" ? "fetched a" : "not modified a"))
  }

  @Test(arguments: [
    #"x\r\nEvil: 1"#, #"x\nEvil: 1"#, #"x\u0000"#, #"é"#, "", String(repeating: "x", count: 2000),
  ])
  func cacheCannotInjectHeaders(value: String) async throws {
    let server = try MisbehavingServer { $1.answer(["ETag: good", "Last-Modified: good"], #"["a"]"#) }
    #expect(await outcome(fetcher(), server.url) == "fetched a")
    let path = try cacheFile()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let edited = text.drop { $0 != "\n" }.dropFirst().replacing("good", with: value)
    try Data("\(ProductIdentifierCache.checksum(edited.utf8))\n\(edited)".utf8).write(to: URL(filePath: path))
    #expect(await outcome(fetcher(), server.url) == "fetched a")
    #expect(server.requests[1].lines == server.requests[0].lines)
  }

  @Test func returnsListThatCannotBeCached() async throws {
    let server = try MisbehavingServer { $1.answer([], #"["a"]"#) }
    let file = try folder.write("file", [])
    let fetched = try await ProductIdentifierFetcher(cacheFolder: file + "/cache").fetch(server.url)
    #expect(fetched.list.identifiers == ["a"])
    #expect(fetched.source == .fetched)
    #expect(
      fetched.cacheError?.description
        == "\(file)/cache: cannot write the list to the cache; make the folder writable, or use another"
    )
    let uncached = ProductIdentifierFetcher(cacheFolder: nil)
    #expect(try await uncached.fetch(server.url).cacheError == nil)
    server.stop()
    #expect(
      await outcome(uncached, server.url)
        == "URL: the server cannot be reached (Connection refused); \(Self.network)"
    )
  }

  @Test func concurrentFetchesShareCache() async throws {
    let count = Mutex(0)
    let server = try MisbehavingServer { request, connection in
      let number = count.withLock {
        $0 += 1
        return $0
      }
      // Lists of different lengths. The last entry shows that a list is complete.
      let list = (0..<(number % 7) * 500).map { "\"\(request.path.dropFirst()).\($0)\"" } + ["\"end\""]
      connection.answer(["ETag: \"\(number)\""], "[\(list.joined(separator: ","))]")
    }
    let fetchers = [fetcher(), fetcher()]
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for index in 0..<40 {
        tasks.addTask {
          let name = "list\(index % 2)"
          let fetched = try await fetchers[index / 2 % 2].fetch("\(server.url)/\(name)")
          #expect(fetched.source == .fetched)
          #expect(fetched.cacheError == nil)
          #expect(fetched.list.identifiers.last == "end")
          #expect(fetched.list.identifiers.dropLast().allSatisfy { $0.hasPrefix(name) })
        }
      }
      try await tasks.waitForAll()
    }
    server.stop()
    for name in ["list0", "list1"] {
      let cached = await outcome(fetcher(), "\(server.url)/\(name)")
      #expect(cached.contains("end, the server cannot be reached"))
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/cache/pricetag")
    #expect(files.count == 2)
  }

  @Test(arguments: [
    (["XDG_CACHE_HOME": "/x", "HOME": "/home/a"], "/x/pricetag"),
    (["XDG_CACHE_HOME": "x", "HOME": "/home/a"], "/home/a/.cache/pricetag"),
    (["XDG_CACHE_HOME": "", "HOME": "/home/a"], "/home/a/.cache/pricetag"),
    (["HOME": ""], nil),
  ])
  func choosesDefaultCacheFolder(environment: [String: String], folder: String?) {
    #expect(ProductIdentifierFetcher.cacheFolder(in: environment) == folder)
  }

  // MARK: Redirects and credentials

  @Test func followsRedirects() async throws {
    let server = try MisbehavingServer { request, connection in
      switch request.path {
      case "/1": connection.answer("301 Moved", ["Location: /2", "ETag: \"old\""])
      case "/2": connection.answer("302 Found", ["Location: 3"])
      case "/3": connection.answer("303 See Other", ["Location: ./x/../4#here"])
      case "/4": connection.answer("307 Temporary", ["Location: //\(request["Host"] ?? "")/5"])
      case "/5": connection.answer("308 Permanent", ["Location: http://\(request["Host"] ?? "")/6"])
      case "/6" where request["If-None-Match"] == "\"new\"": connection.answer("304 Not Modified")
      default: connection.answer(["ETag: \"new\""], #"["a"]"#)
      }
    }
    #expect(await outcome(fetcher(), server.url + "/1") == "fetched a")
    #expect(await outcome(fetcher(), server.url + "/1") == "not modified a")
    // Only the request to the list's final address is conditional.
    #expect(
      server.requests.map { $0["If-None-Match"] ?? "-" } == Array(repeating: "-", count: 11) + ["\"new\""]
    )
  }

  @Test func sendsCredentialsOnlyToTheirHost() async throws {
    let other = try MisbehavingServer { $1.answer([], #"["a"]"#) }
    let otherURL = other.url
    let server = try MisbehavingServer { request, connection in
      connection.answer(
        "302 Found",
        ["Location: \(request.path.hasPrefix("/1?") ? "/2" : otherURL.replacing("//", with: "//x:y@"))"]
      )
    }
    let url = server.url.replacing("//", with: "//user:s%40cret@") + "/1?token=t0ken"
    #expect(await outcome(fetcher(), url) == "fetched a")
    let basic = "Basic \(Data("user:s@cret".utf8).base64EncodedString())"
    #expect(server.requests.map { $0["Authorization"] } == [basic, basic])
    #expect(other.requests.map { $0["Authorization"] } == [nil])
    let file = try cacheFile()
    #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("cret"))
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    server.stop()
    guard case .lastGood(let reason, _) = try await fetcher().fetch(url).source else {
      Issue.record("the server is down")
      return
    }
    #expect(reason.place == "\(server.url)/1?…")
    #expect(["user", "cret", "t0ken"].allSatisfy { !"\(reason)".contains($0) })
  }
}

@Suite struct FetchAddressTests {
  static let addresses: [(text: String, expected: String)] = [
    ("https://example.com/products_v1.json", "https://example.com/products_v1.json"),
    ("HTTP://Example.com:8080/a b?q#f", "HTTP://Example.com:8080/a%20b?…"),
    ("https://user:secret@example.com/", "https://example.com/"),
    ("http://[::1]/x", "http://[::1]/x"),
    (
      "http://a%2Fb/",
      "the address of the list has no valid host; use a host name, in Punycode if it is not ASCII"
    ),
    (
      "https://user:secret@/",
      "the address of the list has no valid host; use a host name, in Punycode if it is not ASCII"
    ),
    (
      "http://a%0D%0Ab/",
      "the address of the list has no valid host; use a host name, in Punycode if it is not ASCII"
    ),
    ("http://a:0/", "the port of the address is out of range; use 1 to 65535"),
    ("http://a:65536/", "the port of the address is out of range; use 1 to 65535"),
    (
      "ftp://user:secret@a/",
      "lists cannot be fetched over ftp; use an address that starts with https://, or a file"
    ),
    (
      "products.json",
      "the address of the list has no scheme; use an address that starts with https://, or a file"
    ),
    ("", "the address of the list is not a URL; use one such as https://example.com/products_v1.json"),
    (
      "http://a/" + String(repeating: "a", count: 9000),
      "the address of the list is not a URL; use one such as https://example.com/products_v1.json"
    ),
  ]

  @Test(arguments: addresses)
  func acceptsOnlyHTTPAddresses(text: String, expected: String) {
    do throws(CatalogError) { #expect(try FetchAddress(text).redacted == expected) } catch {
      #expect(error.description == expected)
      #expect(error.code == .invalidRequest)
    }
  }

  static let redirects: [(from: String, location: String, expected: String)] = [
    ("https://a/x/y.json", "z.json", "https://a/x/z.json"),
    ("http://a/", "https://b/c", "https://b/c"),
    ("https://a/", "https://b/c", "https://b/c"),
    ("https://a/", "http://a/", "the server redirects from https to http"),
    ("HTTPS://a/", "HTTP://a/", "the server redirects from https to http"),
    ("https://a/", "javascript:1", "the server redirects to an invalid address"),
    ("https://a/", "", "the server redirects to an invalid address"),
  ]

  @Test(arguments: redirects)
  func rejectsRedirectFromHTTPS(from: String, location: String, expected: String) throws {
    let address = try FetchAddress(from)
    do throws(CatalogError) {
      #expect(try address.redirected(to: location).url.absoluteString == expected)
    } catch {
      #expect(error.problem == expected)
      #expect(error.code == .fetchFailed)
    }
  }
}
