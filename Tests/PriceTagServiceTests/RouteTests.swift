import HTTPTypes
import Hummingbird
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests the responses of all routes.
@Suite struct RouteTests {
  private static let json: HTTPFields = [.contentType: "application/json"]

  typealias Get = (address: String, status: Int, type: String, body: String)

  /// `GET` requests with the status, the content type and a part of the body of their responses.
  static let gets: [Get] = [
    ("/v1/storefronts", 200, "application/json", #"[{"id":"AFG","alpha2":"AF","currency":"USD""#),
    ("/v1/storefronts?at=2025-12-31", 200, "application/json", #""alpha2":"BG","currency":"BGN""#),
    ("/v1/storefronts/jp", 200, "application/json", #"{"id":"JPN","alpha2":"JP","currency":"JPY""#),
    ("/v1/storefronts/BGR?at=2025-12-31", 200, "application/json", #""example":"BGN\#u{A0}1,234.50""#),
    ("/v1/storefronts/USB", 404, "application/problem+json", #""code":"unknown-storefront""#),
    ("/v1/storefronts/%ff", 404, "application/problem+json", #""code":"unknown-storefront""#),
    ("/v1/storefronts/USA?at=2026-02-30", 400, "application/problem+json", #""code":"malformed-date""#),
    ("/v1/storefronts/USA?on=2026-02-28", 400, "application/problem+json", #""code":"unknown-parameter""#),
    ("/v1/storefronts/USA?at=%zz", 400, "application/problem+json", #""code":"malformed-query""#),
    (
      "/v1/storefronts?at=2026-01-01&at=2026-01-01", 400, "application/problem+json",
      #""code":"duplicate-parameter""#
    ),
    ("/v1/product-identifiers", 200, "application/json", #"["car","coins"]"#),
    ("/v1/languages", 200, "application/json", #"{"language":"ar","name":"العربية","direction":"rtl"}"#),
    ("/v1/strings/de", 200, "application/json", #"{"key":"buy_for_price","language":"de","#),
    ("/v1/strings/fr-BE", 200, "application/json", #""language":"fr-FR""#),
    ("/v1/strings/xx", 404, "application/problem+json", #""code":"unknown-language""#),
    ("/choose/ar/", 200, "text/html; charset=utf-8", #"dir="rtl""#),
    ("/store/usa/en-us/", 200, "text/html; charset=utf-8", "$4.99"),
    ("/store/usa/ja/", 200, "text/html; charset=utf-8", "$4.99"),
    ("/store/jpn/en-us/", 200, "text/html; charset=utf-8", "￥700"),
    ("/store/jpn/en-us/products/car/", 200, "text/html; charset=utf-8", "￥700"),
    ("/store/jpn/en-us/products/coins/", 404, "application/problem+json", #""code":"unknown-product""#),
    ("/store/jpn/en-us/products/nothing/", 404, "application/problem+json", #""code":"unknown-product""#),
    ("/store/xxx/en-us/", 404, "application/problem+json", #""code":"unknown-storefront""#),
    ("/store/usa/xx/", 404, "application/problem+json", #""code":"unknown-"#),
    ("/store/usa/jp/", 404, "application/problem+json", #""fix":"did you mean \"ja-JP\"?""#),
    ("/choose/bg/", 404, "application/problem+json", #""code":"unknown-language""#),
    ("/assets/store.css", 200, "text/css; charset=utf-8", "body"),
    ("/assets/store.js", 200, "text/javascript; charset=utf-8", "addEventListener"),
    ("/assets/licenses.txt", 200, "text/plain; charset=utf-8", "UNICODE LICENSE V3"),
    ("/assets/icon.svg", 200, "image/svg+xml", "<svg"), ("/images/car.svg", 200, "image/svg+xml", "<svg"),
    ("/openapi.json", 200, "application/json", #""openapi": "3.1"#),
    ("/docs", 200, "text/html; charset=utf-8", "/v1/format"),
    ("/health", 200, "application/json", #"{"status":"ok"}"#),
    (
      "/ready", 200, "application/json",
      #"{"status":"ready","catalog":{"products":2,"rejected":0,"revision":1,"#
    ),
    ("/metrics", 200, "text/plain; version=0.0.4; charset=utf-8", "pricetag_catalog_products 2\n"),
    // Unknown paths, and paths outside the folder of asset files.
    ("/nothing", 404, "application/problem+json", #""code":"not-found""#),
    ("/manifest.webmanifest", 404, "application/problem+json", #""code":"not-found""#),
    ("/choose/products/car/picture.png", 404, "application/problem+json", #""code":"not-found""#),
    ("/v1/", 404, "application/problem+json", #""code":"not-found""#),
    ("/v1/format/x", 404, "application/problem+json", #""code":"not-found""#),
    ("/../secret.txt", 404, "application/problem+json", #""code":"not-found""#),
    ("/images/../../secret.txt", 404, "application/problem+json", #""code":"not-found""#),
    ("/%2e%2e/secret.txt", 404, "application/problem+json", #""code":"not-found""#),
    ("/images%2fcar.svg", 200, "image/svg+xml", "<svg"),
    ("/images/", 404, "application/problem+json", #""code":"not-found""#),
    ("/%00", 404, "application/problem+json", #""code":"not-found""#),
    ("/<script>", 404, "application/problem+json", #"\"/<script>\""#),
  ]

  @Test(arguments: gets) func answersGet(_ get: Get) async throws {
    let fixture = try ServiceFixture()
    defer { withExtendedLifetime(fixture) {} }
    let service = try fixture.service()
    let answer = try await service.send(.get, get.address)
    #expect(answer.status.code == get.status)
    #expect(answer.headers[.contentType] == get.type)
    #expect(!get.body.isEmpty && answer.text.contains(get.body), "\(answer.text.prefix(400))")
    #expect(answer.headers[.init("X-Content-Type-Options") ?? .via] == "nosniff")
    #expect(answer.headers[.requestID]?.isEmpty == false)
    // `HEAD` has the same fields and no body.
    let head = try await service.send(.head, get.address)
    #expect(head.status.code == get.status)
    #expect(head.body.readableBytes == 0)
    if get.address != "/metrics" { #expect(head.headers[.eTag] == answer.headers[.eTag]) }
  }

  typealias Redirect = (address: String, language: String, status: Int, location: String)

  /// Requests with the redirects that answer them. The language is negotiated, the storefront never.
  static let redirects: [Redirect] = [
    ("/", "ar", 302, "./choose/ar/"), ("/store/", "ar", 302, "../choose/ar/"),
    ("/store", "ar", 302, "./choose/ar/"), ("/store/", "de-AT,fr;q=0.5", 302, "../choose/de/"),
    ("/store/", "ja", 302, "../choose/ja/"), ("/store/", "xx, *;q=0", 302, "../choose/en-us/"),
    ("/store/", "", 302, "../choose/en-us/"),
    ("/store/jpn/", "de", 302, "../../store/jpn/de/"), ("/store/jpn/", "xx", 302, "../../store/jpn/ja/"),
    ("/store/JP", "de", 302, "../store/jpn/de/"),
    ("/store/USA/en-US/", "", 308, "../../../store/usa/en-us/"),
    ("/store/us/en-us", "", 308, "../../store/usa/en-us/"),
    ("/store/usa/en_US/", "", 308, "../../../store/usa/en-us/"),
    ("/store/usa/fr-BE/", "", 302, "../../../store/usa/fr-fr/"),
    // A language without pages leads to the store's default language.
    ("/store/jpn/bg/", "bg", 302, "../../../store/jpn/ja/"),
    ("/store/JP/sr_Latn/", "", 302, "../../../store/jpn/ja/"),
    ("/store/bgr/lt-LT/", "", 302, "../../../store/bgr/en-gb/"),
    ("/store/jpn/fil/products/car/", "", 302, "../../../../../store/jpn/ja/products/car/"),
    ("/store/jpn/is/", "", 302, "../../../store/jpn/en-us/"),
    ("/choose/AR", "", 308, "../choose/ar/"),
    // Characters of the request stay encoded.
    (
      "/store/JPN/en-us/products/a%0D%0AX:%20%3F%25%23%C3%A9/", "", 308,
      "../../../../../store/jpn/en-us/products/a%0D%0AX:%20%3F%25%23%C3%A9/"
    ),
    ("/store/jpn/en-us/products/car", "", 308, "../../../../store/jpn/en-us/products/car/"),
    // The location has the query.
    ("/?utm_source=mail", "en-US", 302, "./choose/en-us/?utm_source=mail"),
    ("/store/?a=1&b=%20", "en-US", 302, "../choose/en-us/?a=1&b=%20"),
    ("/store/JP?ref=x", "en-US", 302, "../store/jpn/en-us/?ref=x"),
    ("/store/USA/en-US/?ref=x", "en-US", 308, "../../../store/usa/en-us/?ref=x"),
    ("/choose/AR?x", "en-US", 308, "../choose/ar/?x"), ("/docs/?x=1", "en-US", 308, "../docs?x=1"),
    ("/store/?", "en-US", 302, "../choose/en-us/"),
  ]

  @Test(arguments: redirects) func redirectsToPage(_ redirect: Redirect) async throws {
    let headers: HTTPFields = redirect.language.isEmpty ? [:] : [.acceptLanguage: redirect.language]
    let answer = try await ServiceFixture().send(.get, redirect.address, headers)
    #expect(answer.status.code == redirect.status)
    #expect(answer.headers[.location] == redirect.location)
    let isNegotiated = redirect.address.split(separator: "/").count < 3 && redirect.status == 302
    #expect(answer.headers[.vary] == (isNegotiated ? "Accept-Encoding, Accept-Language" : "Accept-Encoding"))
  }

  typealias Post = (address: String, headers: HTTPFields, body: String, status: Int, answer: String)

  static let posts: [Post] = [
    (
      "/v1/products", json,
      #"{"storefront":"JPN","language":"en","productIdentifiers":["car","nope","car"]}"#, 200,
      #""invalidProductIdentifiers":[{"productIdentifier":"nope","reason":"unknown""#
    ),
    (
      "/v1/products", json, #"{"storefront":"us"}"#, 200,
      #"{"storefront":"USA","language":"en-US","date":"2026-11-21""#
    ),
    (
      "/v1/products", json, #"{"storefront":"USA","style":{"width":"iso"}}"#, 200,
      #""display":"USD\#u{A0}4.99""#
    ),
    (
      "/v1/products", json, #"{"storefront":"USA","canMakePayments":false}"#, 200,
      #""paymentsNotice":{"title""#
    ),
    (
      "/v1/products", json, #"{"storefront":"USA","mode":"development","productIdentifiers":["nope"]}"#, 422,
      #""code":"invalid-product-identifiers""#
    ),
    (
      "/v1/products", json, #"{}"#, 422,
      #""code":"missing-field","fix":"add it","pointer":"/storefront""#
    ),
    (
      "/v1/products", json, #"{"storefront":"USA","unitPrices":"half-up"}"#, 200,
      #""content":null,"unitPrice":null"#
    ),
    (
      "/v1/products", json, #"{"storefront":"USA","unitPrices":"half-op"}"#, 422,
      #""detail":"unknown unitPrices \"half-op\"","code":"invalid-option","fix":"did you mean \"half-up\"?","pointer":"/unitPrices""#
    ),
    ("/v1/products", json, #"{"storefront":"USA","unitPrices":true}"#, 422, #""pointer":"/unitPrices""#),
    ("/v1/products", json, #"{"storefront":"USB"}"#, 422, #""code":"unknown-storefront""#),
    (
      "/v1/products", json, #"{"storefront":7}"#, 422,
      #""detail":"the field \"storefront\" must be a string, not a number","code":"wrong-type","fix":"use a string","pointer":"/storefront""#
    ),
    ("/v1/products", json, #"{"storefront":"USA","language":"xx"}"#, 422, #""pointer":"/language""#),
    (
      "/v1/products", json, #"{"storefront":"JPN","language":"jp"}"#, 422,
      #""code":"unknown-language","fix":"did you mean \"ja-JP\"?","pointer":"/language""#
    ),
    // A language without strings gets the store's default language, unless the request is strict.
    (
      "/v1/products", json, #"{"storefront":"JPN","language":"bg"}"#, 200,
      #"{"storefront":"JPN","language":"ja","requestedLanguage":"bg","date":"2026-11-21""#
    ),
    (
      "/v1/products", json, #"{"storefront":"BGR","language":"fil","strictLanguage":false}"#, 200,
      #"{"storefront":"BGR","language":"en-GB","requestedLanguage":"fil","date""#
    ),
    (
      "/v1/products", json, #"{"storefront":"JPN","language":"es-AR","strictLanguage":true}"#, 200,
      #"{"storefront":"JPN","language":"es-MX","date""#
    ),
    (
      "/v1/products", json, #"{"storefront":"JPN","language":"bg","strictLanguage":true}"#, 422,
      #""code":"unknown-language","fix":"use one of ar, bn"#
    ),
    (
      "/v1/products", json, #"{"storefront":"JPN","strictLanguage":"yes"}"#, 422,
      #""pointer":"/strictLanguage""#
    ),
    ("/v1/products", json, #"{"storefront":"USA","at":"2026-13-01"}"#, 422, #""pointer":"/at""#),
    ("/v1/products", json, #"{"storefront":"USA","mode":"x"}"#, 422, #""pointer":"/mode""#),
    ("/v1/products", json, #"{"storefront":"USA","storfront":"USA"}"#, 422, #""code":"unknown-field""#),
    (
      "/v1/products", json, #"{"storefront":"USA","productIdentifiers":["a",1]}"#, 422,
      #""pointer":"/productIdentifiers/1""#
    ),
    (
      "/v1/products", json, #"{"storefront":"USA","productIdentifiers":"a"}"#, 422,
      #""pointer":"/productIdentifiers""#
    ),
    (
      "/v1/products", json, #"{"storefront":"USA","style":{"digits":19}}"#, 422, #""pointer":"/style/digits""#
    ),
    (
      "/v1/products", json, #"{"storefront":"USA","style":{"widht":"iso"}}"#, 422,
      #""pointer":"/style/widht""#
    ),
    ("/v1/products", json, "[]", 422, #""code":"wrong-type""#),
    ("/v1/products", json, "{", 400, #""code":"malformed-json""#),
    ("/v1/products", json, "", 400, #""code":"malformed-json""#),
    ("/v1/products", json, "{\"storefront\":\"\u{0}\"}", 400, #""code":"malformed-json""#),
    ("/v1/products", [.contentType: "text/plain"], "{}", 415, #""code":"unsupported-media-type""#),
    (
      "/v1/products", [.contentType: "Application/JSON; charset=utf-8"], #"{"storefront":"USA"}"#, 200,
      "products"
    ),
    (
      "/v1/products", [.contentType: "application/json", .contentEncoding: "gzip"], "{}", 415,
      #""code":"unsupported-content-encoding""#
    ),
    (
      "/v1/messages", json,
      #"{"messages":[{"key":"buy_for_price","args":{"price":{"storefront":"USA","amount":"4.99"}}},{"message":"{n, plural, one {# car} other {# cars}}","args":{"n":2},"id":7},{"key":"nope"},7],"language":"de","isolation":"none"}"#,
      200,
      #"{"messages":[{"key":"buy_for_price","args":{"price":{"storefront":"USA","amount":"4.99"}},"text":"Für $4.99 kaufen"},{"message":"{n, plural, one {# car} other {# cars}}","args":{"n":2},"id":7,"text":"2 cars"},{"error":{"code":"unknown-key""#
    ),
    ("/v1/messages", json, #"{"messages":[],"language":"x-"}"#, 422, #""pointer":"/language""#),
    ("/v1/messages", json, #"{"message":[]}"#, 422, #""code":"missing-field""#),
    ("/v1/format", json, #"{"prices":[]}"#, 200, #"{"prices":[]}"#),
  ]

  @Test(arguments: posts) func answersPost(_ post: Post) async throws {
    let answer = try await ServiceFixture().send(.post, post.address, post.headers, post.body)
    #expect(answer.status.code == post.status, "\(answer.text)")
    #expect(answer.text.contains(post.answer), "\(answer.text)")
    #expect(answer.headers[.cacheControl] == "no-store")
    #expect(
      answer.headers[.contentType] == (post.status == 200 ? "application/json" : "application/problem+json")
    )
  }

  @Test(arguments: Route.allCases) func refusesOtherMethods(_ route: Route) async throws {
    let address = route.rawValue.replacing("{id}", with: "usa").replacing("{storefront}", with: "usa")
      .replacing("{language}", with: "en-us").replacing("{productIdentifier}", with: "car")
      .replacing("{path}", with: "assets/store.css").replacing("{category}", with: "cars")
      .replacing("{page}", with: "2").replacing("{part}", with: "1")
    #expect(Route.match(address)?.route == route)
    let fixture = try ServiceFixture()
    defer { withExtendedLifetime(fixture) {} }
    let service = try fixture.service()
    for method in [HTTPRequest.Method.put, .delete, .patch, .trace, route.method == .get ? .post : .get] {
      let answer = try await service.send(method, address)
      #expect(answer.status == .methodNotAllowed)
      #expect(answer.headers[.allow] == route.allowed)
    }
    let options = try await service.send(.options, address)
    #expect(options.status == .noContent)
    #expect(options.headers[.allow] == route.allowed)
  }

  /// Browsers get an HTML page in which the path is escaped.
  @Test func answersBrowserWithProblemPage() async throws {
    let answer = try await ServiceFixture().send(
      .get,
      "/store/usa/%3Cscript%3E/",
      [.accept: "text/html,application/xhtml+xml"]
    )
    #expect(answer.status == .badRequest)
    #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
    #expect(answer.text.contains("&lt;script&gt;") && !answer.text.contains("<script"))
  }

  @Test func keepsValidRequestIdentifiers() async throws {
    let fixture = try ServiceFixture()
    #expect(
      try await fixture.send(.get, "/health", [.requestID: "abc-1._Z"]).headers[.requestID] == "abc-1._Z"
    )
    for bad in ["a b", "a\u{e9}", String(repeating: "a", count: 129), "a\"b"] {
      let identifier = try await fixture.send(.get, "/health", [.requestID: bad]).headers[.requestID]
      #expect(identifier?.count == 16)
    }
  }

  @Test func allowsConfiguredOrigins() async throws {
    let fixture = try ServiceFixture()
    let origin: HTTPFields = [.origin: "https://shop.example"]
    func responseHeaders(_ method: HTTPRequest.Method, _ headers: HTTPFields, _ allowed: [String])
      async throws
      -> HTTPFields
    {
      try await fixture.send(method, "/v1/languages", headers) { $0.allowedOrigins = allowed }.headers
    }
    #expect(try await responseHeaders(.get, origin, [])[.accessControlAllowOrigin] == nil)
    #expect(try await responseHeaders(.get, origin, ["*"])[.accessControlAllowOrigin] == "*")
    let allowed = try await responseHeaders(.get, origin, ["https://shop.example"])
    #expect(allowed[.accessControlAllowOrigin] == "https://shop.example")
    #expect(allowed[.vary] == "Accept-Encoding, Origin")
    let other = try await responseHeaders(.get, [.origin: "https://evil.example"], ["https://shop.example"])
    #expect(other[.accessControlAllowOrigin] == nil)
    #expect(other[.vary] == "Accept-Encoding, Origin")
    #expect(
      try await responseHeaders(.options, origin, ["*"])[.accessControlAllowMethods]
        == "GET, HEAD, POST, OPTIONS"
    )
  }
}
