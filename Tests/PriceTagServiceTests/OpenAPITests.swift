import Foundation
import HTTPTypes
import Hummingbird
import JSONSchemas
import NIOCore
import PriceTag
import PriceTagText
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests that the OpenAPI document matches the service.
@Suite struct OpenAPITests {
  private static func member(_ value: JSONValue?, _ path: String...) -> JSONValue? {
    path.reduce(value) { value, key in if case .object(let object)? = value { object[key] } else { nil } }
  }

  static let sampleShop = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../Examples/rocket-garage.json"
  ).standardized.path

  private static let document: JSONValue? = try? JSONReader.value(of: ServiceDocument.openAPI)
  private static let schema: JSONSchema? = try? JSONSchema(Array(ServiceDocument.openAPI))

  private static func members(_ value: JSONValue?) -> [JSONObject.Member] {
    if case .object(let object)? = value { object.members } else { [] }
  }

  /// The document contains exactly the service's routes.
  @Test func describesEveryRoute() {
    var described: Set<String> = []
    for path in Self.members(Self.member(Self.document, "paths")) {
      for operation in Self.members(path.value) where operation.key != "parameters" {
        described.insert("\(operation.key) \(path.key)")
      }
    }
    let files = [
      "get /assets/store.css", "get /assets/store.js", "get /assets/search.js", "get /assets/choose.js",
      "get /assets/licenses.txt", "get /assets/icon.svg",
      "get /assets/kernel-{fingerprint}/{file}", "get /assets/packs/{file}",
    ]
    let routes = Route.allCases.filter { $0 != .root && $0 != .file }.map {
      "\($0.method.rawValue.lowercased()) \($0.rawValue)"
    }
    #expect(described == Set(routes + files))
  }

  /// The files of pages with a kernel are at the addresses of the document, with its content types.
  @Test func describesFilesOfTheKernel() async throws {
    let service = try KernelRouteTests.service(ServiceFixture())
    let page = try await service.send(.get, "/store/usa/en-us/products/coins/").text
    let script = try KernelRouteTests.script(page)
    #expect(script.wholeMatch(of: /\/assets\/kernel-[0-9a-f]{16}\/quantity\.js/) != nil)
    let folder = "/assets/kernel-{fingerprint}/{file}"
    let rows = ["quantity.js", "pricetag.js", "phrases.js", "pricetag-full.wasm"].map { name in
      (script.replacing("quantity.js", with: name), folder)
    }
    for (address, path) in rows + [("/assets/packs/usa-en-us.pack", "/assets/packs/{file}")] {
      let answer = try await service.send(.get, address)
      #expect(answer.status == .ok, "\(address)")
      let type = String((answer.headers[.contentType] ?? "").prefix { $0 != ";" })
      let operation = try #require(Self.member(Self.document, "paths", path, "get"))
      #expect(
        Self.member(operation, "responses", "200", "content", type, "schema") != nil,
        "\(address): \(type)"
      )
    }
  }

  /// Every operation has a curl example and, for clients, a 429 response; every operation with a body has a 413
  /// response.
  @Test func describesOperationsConsistently() throws {
    for path in Self.members(Self.member(Self.document, "paths")) {
      for operation in Self.members(path.value) where operation.key != "parameters" {
        guard case .array(let samples)? = Self.member(operation.value, "x-codeSamples") else {
          Issue.record("\(path.key) has no curl example")
          continue
        }
        for sample in samples {
          guard case .string(let line)? = Self.member(sample, "source") else { continue }
          #expect(line.contains("curl ") && line.contains("http://127.0.0.1:8080/"), "\(line)")
        }
        #expect(samples.count == 1)
        let isForOperators = ["/health", "/ready", "/metrics"].contains(path.key)
        #expect((Self.member(operation.value, "responses", "429") != nil) != isForOperators, "\(path.key)")
        let hasBody = Self.member(operation.value, "requestBody") != nil
        #expect((Self.member(operation.value, "responses", "413") != nil) == hasBody, "\(path.key)")
      }
    }
  }

  /// Code generators name types after titles, so every title must be unique and must not be the name of another schema.
  @Test func titlesAreUnique() throws {
    let schemas = Self.members(Self.member(Self.document, "components", "schemas"))
    var names = Set(schemas.map { $0.key.lowercased() })
    func check(_ value: JSONValue, isNamed: Bool) {
      switch value {
      case .object(let object):
        if case .string(let title)? = object["title"], !isNamed || title.contains(" ") {
          let isNew = names.insert(title.filter { $0 != " " }.lowercased()).inserted
          #expect(isNew || isNamed, "\(title)")
        }
        for member in object.members where member.key != "properties" { check(member.value, isNamed: false) }
        for member in Self.members(object["properties"]) { check(member.value, isNamed: false) }
      case .array(let items): for item in items { check(item, isNamed: false) }
      default: break
      }
    }
    for schema in schemas { check(schema.value, isNamed: true) }
  }

  typealias Answered = (path: String, type: String, body: String, status: Int)

  /// Requests with an invalid date or instant at each place that takes one.
  static let invalidDays: [Answered] = ["2026-02-30", "2026-02-03T24:01Z", "2026-02-03T00:00+24:00"].flatMap {
    day in
    [
      ("/v1/format", "application/json", #"{"prices":[],"at":"\#(day)"}"#, 422),
      (
        "/v1/format", "application/json", #"{"prices":[{"storefront":"JPN","amount":"1","at":"\#(day)"}]}"#,
        200
      ),
      ("/v1/batch", "application/x-ndjson", #"{"storefront":"JPN","amount":"1","at":"\#(day)"}"#, 200),
      ("/v1/products", "application/json", #"{"storefront":"USA","at":"\#(day)"}"#, 422),
      ("/v1/messages", "application/json", #"{"messages":[],"at":"\#(day)"}"#, 422),
      ("/v1/read", "application/json", #"{"texts":[],"at":"\#(day)"}"#, 422),
      ("/v1/read", "application/json", #"{"texts":[{"storefront":"JPN","text":"1","at":"\#(day)"}]}"#, 200),
    ]
  }

  @Test(arguments: invalidDays) func describesInvalidDays(_ row: Answered) async throws {
    let answer = try await ServiceFixture().service().send(
      .post,
      row.path,
      [.contentType: row.type],
      row.body
    )
    #expect(answer.status.code == row.status && answer.text.contains(#""malformed-"#), "\(answer.text)")
    let operation = try #require(Self.member(Self.document, "paths", row.path, "post"))
    _ = try Self.check(answer, of: operation, row.path)
  }

  /// The errors of rows of displayed prices have the schema of the document.
  @Test(arguments: ReadRouteTests.answers) func describesReadings(body: String, status: Int, parts: [String])
    async throws
  {
    let answer = try await ServiceFixture().service().post("/v1/read", body)
    let operation = try #require(Self.member(Self.document, "paths", "/v1/read", "post"))
    _ = try Self.check(answer, of: operation, body)
  }

  typealias Nullable = (path: String, body: String)

  /// Requests in which null means that a member is missing, as the document describes.
  static let nullable: [Nullable] = [
    (
      "/v1/format",
      #"{"prices":[{"storefront":"JPN","amount":"1","amountMinor":null,"amountTo":null,"content":null,"unitReference":null,"installments":null,"writtenAs":null,"at":null}],"style":null,"fields":null,"minorUnits":null,"at":null,"overwrite":null,"decimalComma":null}"#
    ),
    (
      "/v1/format",
      #"{"prices":[],"style":{"width":null,"zeros":null,"sign":null,"digits":null,"rounding":null,"grouping":null,"numbering":null,"notation":null,"qualifier":null,"writtenAs":null}}"#
    ),
    (
      "/v1/products",
      #"{"storefront":"USA","language":null,"productIdentifiers":null,"at":null,"mode":null,"canMakePayments":null,"style":null,"unitPrices":null}"#
    ),
    ("/v1/messages", #"{"messages":[],"language":null,"isolation":null,"at":null}"#),
    (
      "/v1/read",
      #"{"texts":[{"text":"$1","storefront":null,"priceLocale":null,"currency":null,"at":null,"lenient":null}],"style":null,"at":null,"lenient":null}"#
    ),
  ]

  @Test(arguments: nullable) func describesNullsOfRequests(_ row: Nullable) async throws {
    let answer = try await ServiceFixture().service().post(row.path, row.body)
    #expect(answer.status == .ok, "\(answer.text)")
    let operation = Self.member(Self.document, "paths", row.path, "post")
    let schema = try #require(
      Self.member(operation, "requestBody", "content", "application/json", "schema")
    )
    let isAllowed = try #require(Self.schema).allows(try #require(JSONValue(parsing: row.body)), by: schema)
    #expect(isAllowed)
  }

  /// Sends the document's examples and checks the responses against its schemas.
  @Test func answersExamplesAsDescribed() async throws {
    let fixture = try ServiceFixture()
    try FileManager.default.removeItem(atPath: fixture.path)
    try FileManager.default.copyItem(atPath: Self.sampleShop, toPath: fixture.path)
    let service = try fixture.service()
    var count = 0
    for path in Self.members(Self.member(Self.document, "paths")) {
      for operation in Self.members(path.value) {
        let contents = Self.members(Self.member(operation.value, "requestBody", "content"))
        for content in contents {
          for example in Self.members(Self.member(content.value, "examples")) {
            let value = try #require(Self.member(example.value, "value"))
            let body = if case .string(let lines) = value { lines } else { Self.text(value) }
            let answer = try await service.send(.post, path.key, [.contentType: content.key], body)
            count += try Self.check(answer, of: operation.value, "\(path.key) \(example.key)")
          }
        }
      }
    }
    for address in [
      "/v1/storefronts", "/v1/storefronts/JPN", "/v1/storefronts?evidence=true",
      "/v1/storefronts/TWN?evidence=true", "/v1/product-identifiers", "/v1/languages",
      "/v1/strings/ja",
      "/health", "/ready", "/v1/storefronts/USB", "/v1/strings/xx", "/v1/storefronts?at=x",
      "/v1/storefronts?at=2026-02-03T24:01Z", "/v1/storefronts/JPN?at=2026-02-03T24:01Z",
    ] {
      let answer = try await service.send(.get, address)
      let path = Route.match(String(address.prefix { $0 != "?" }))?.route.rawValue ?? ""
      let operation = try #require(Self.member(Self.document, "paths", path, "get"))
      count += try Self.check(answer, of: operation, address)
    }
    #expect(count >= 19)
  }

  /// Checks a response against the schema of its operation, and returns the number of values in it.
  private static func check(_ answer: TestResponse, of operation: JSONValue, _ name: String) throws -> Int {
    let described = try #require(
      member(operation, "responses", "\(answer.status.code)", "content")
        ?? response(operation, answer.status.code),
      "\(name) \(answer.status.code)"
    )
    let type = answer.headers[.contentType] ?? ""
    let expected = try #require(member(described, type, "schema"), "\(name): \(type)")
    let schema = try #require(schema)
    let isStream = type == "application/x-ndjson"
    let texts = isStream ? answer.text.split(separator: "\n").map(String.init) : [answer.text]
    for text in texts {
      let value = try #require(JSONValue(parsing: text))
      let isAllowed = isStream ? schema.allows(value, as: "BatchLine") : schema.allows(value, by: expected)
      #expect(isAllowed, "\(name): \(text.prefix(500))")
    }
    return texts.count
  }

  /// Returns the content of a response that is a reference.
  private static func response(_ operation: JSONValue, _ status: Int) -> JSONValue? {
    guard case .string(let reference)? = member(operation, "responses", "\(status)", "$ref"),
      let name = reference.split(separator: "/").last
    else { return nil }
    return member(document, "components", "responses", String(name), "content")
  }

  /// Returns a value as JSON text.
  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let text): text
    case .string(let text): json(text)
    case .array(let items): jsonArray(items.map(text))
    case .object(let object): jsonObject(object.members.map { ($0.key, text($0.value)) })
    }
  }

  // MARK: HTML page

  /// The page lists the routes of the API, links the document, and needs no scripts, styles and other resources.
  @Test func pageListsRoutes() async throws {
    let page = try await ServiceFixture().send(.get, "/docs").text
    for route in Route.allCases where route.rawValue.hasPrefix("/v1/") {
      #expect(page.contains("<code>\(route.method.rawValue) \(route.rawValue)</code>"), "\(route)")
    }
    #expect(page.matches(of: /href="([^"]+)"/).map(\.1) == ["openapi.json"])
    #expect(page.contains("<html lang=\"en\">"))
    for forbidden in ["<script", "<style", "style=", "src="] {
      #expect(!page.contains(forbidden), "\(forbidden)")
    }
  }
}
