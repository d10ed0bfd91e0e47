import Foundation
import HTTPTypes
import Hummingbird
import PriceTag
import PriceTagPages
import ServiceFixtures
import Synchronization
import Testing

@testable import PriceTagService

/// Tests that answers follow the dates of their storefronts, with a clock that the tests set.
@Suite struct StoreDayRouteTests {
  /// A clock that counts how often it is read.
  private final class Clock: Sendable {
    private let state = Mutex((seconds: 0, readCount: 0))

    var readCount: Int { state.withLock { $0.readCount } }

    func set(_ instant: String) throws {
      let seconds = try Instant(instant).secondsSince1970
      state.withLock { $0.seconds = seconds }
    }

    func read() -> Instant {
      let seconds = state.withLock { state in
        state.readCount += 1
        return state.seconds
      }
      return (try? Instant(secondsSince1970: seconds)) ?? .now
    }
  }

  /// A sale until 2026-11-30 and another one until 2028-02-28, in all storefronts of a folder, whose time zones the tests choose.
  private struct Shop {
    let fixture: ServiceFixture
    let service: PriceService
    let clock = Clock()

    init(maxAge: Int = 86_400, day: StoreDay? = nil) throws {
      let price =
        #"[{"amount":"4.99","until":"2026-11-30"},{"amount":"5.99","from":"2026-12-01","until":"2028-02-28"},{"amount":"6.99","from":"2028-02-29","until":"2028-02-29"},{"amount":"7.99","from":"2028-03-01"}]"#
      let ids = ["NZL", "USA", "DEU", "EGY", "KIR", "ASM"]
      let prices = ids.map { #""\#($0)":\#(price)"# }.joined(separator: ",")
      fixture = try ServiceFixture(
        #"{"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"car","localizations":{"en-US":{"name":"Car"}},"prices":{\#(prices)}}]}"#
      )
      let data = fixture.folder.appending(path: "data")
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
      let entries = [
        ("NZL", "NZ", "Pacific/Auckland"), ("USA", "US", "America/Los_Angeles"),
        ("DEU", "DE", "Europe/Berlin"),
        ("EGY", "EG", "Africa/Cairo"), ("KIR", "KI", "Pacific/Kiritimati"),
        ("ASM", "AS", "Pacific/Pago_Pago"),
      ].map { id, alpha2, zone in
        #"{"id":"\#(id)","alpha2":"\#(alpha2)","currencies":[{"currency":"USD","source":"s"}],"priceLocale":"en-\#(alpha2)","timeZone":{"zone":"\#(zone)","source":"s"},"defaultLanguage":"en-US","languages":["en-US"],"sources":{"id":"s","priceLocale":"s","languages":"s"}}"#
      }
      try #"{"schema":1,"sources":{"s":"a source"},"storefronts":[\#(entries.joined(separator: ","))]}"#
        .write(to: data.appending(path: "storefronts.json"), atomically: true, encoding: .utf8)
      var source = try fixture.source()
      source.localeData = try LocaleData(folder: data.path)
      source.clock = { [clock] in clock.read() }
      source.day = day
      service = try fixture.service(source) { $0.maxAgeSeconds = maxAge }
    }

    func get(_ path: String, at instant: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
      try clock.set(instant)
      return try await service.send(.get, path, headers)
    }
  }

  typealias Row = (store: String, instant: String, amount: String, seconds: Int, expires: String)

  static let rows: [Row] = [
    // Midnight in New Zealand, 13 hours before UTC's.
    ("nzl", "2026-11-30T10:59:58Z", "4.99", 2, "Mon, 30 Nov 2026 11:00:00 GMT"),
    ("nzl", "2026-11-30T11:00:00Z", "5.99", 86_400, "Tue, 01 Dec 2026 11:00:00 GMT"),
    ("usa", "2026-12-01T07:59:59Z", "4.99", 1, "Tue, 01 Dec 2026 08:00:00 GMT"),
    ("usa", "2026-12-01T08:00:00Z", "5.99", 86_400, "Wed, 02 Dec 2026 08:00:00 GMT"),
    // The first and the last time zone.
    ("kir", "2026-11-30T09:59:59Z", "4.99", 1, "Mon, 30 Nov 2026 10:00:00 GMT"),
    ("kir", "2026-11-30T10:00:00Z", "5.99", 86_400, "Tue, 01 Dec 2026 10:00:00 GMT"),
    ("asm", "2026-12-01T10:59:59Z", "4.99", 1, "Tue, 01 Dec 2026 11:00:00 GMT"),
    ("asm", "2026-12-01T11:00:00Z", "5.99", 86_400, "Wed, 02 Dec 2026 11:00:00 GMT"),
    // Days of 23 and 25 hours: the second one is longer than `--max-age`.
    ("usa", "2027-03-14T08:00:00Z", "5.99", 82_800, "Mon, 15 Mar 2027 07:00:00 GMT"),
    ("usa", "2027-11-07T07:00:00Z", "5.99", 86_400, "Mon, 08 Nov 2027 07:00:00 GMT"),
    ("deu", "2027-03-27T23:00:00Z", "5.99", 82_800, "Sun, 28 Mar 2027 22:00:00 GMT"),
    // A leap day.
    ("deu", "2028-02-28T23:00:00Z", "6.99", 86_400, "Tue, 29 Feb 2028 23:00:00 GMT"),
    ("deu", "2028-02-29T23:00:00Z", "7.99", 86_400, "Wed, 01 Mar 2028 23:00:00 GMT"),
    ("usa", "2028-02-29T07:59:59Z", "5.99", 1, "Tue, 29 Feb 2028 08:00:00 GMT"),
    // Egypt had summer time in 2010, and none in 2012.
    ("egy", "2010-07-01T20:59:59Z", "4.99", 1, "Thu, 01 Jul 2010 21:00:00 GMT"),
    ("egy", "2012-07-01T20:59:59Z", "4.99", 3601, "Sun, 01 Jul 2012 22:00:00 GMT"),
  ]

  @Test(arguments: rows) func pagesEndAtMidnightOfStore(_ row: Row) async throws {
    let shop = try Shop()
    for path in ["/store/\(row.store)/en-us/", "/store/\(row.store)/en-us/products/car/"] {
      let answer = try await shop.get(path, at: row.instant)
      // German prices have a comma.
      let amounts = [row.amount, row.amount.replacing(".", with: ",")]
      #expect(answer.status == .ok && amounts.contains { answer.text.contains($0) }, "\(path)")
      #expect(answer.headers[.cacheControl] == "public, max-age=\(row.seconds)", "\(path)")
      #expect(answer.headers[.expires] == row.expires, "\(path)")
    }
    let body = #"{"storefront":"\#(row.store.uppercased())","language":"en-US"}"#
    let products = try await shop.service.send(.post, "/v1/products", [:], body)
    #expect(products.text.contains(#""amount":"\#(row.amount)""#))
    #expect(products.headers[.cacheControl] == "no-store" && products.headers[.expires] == nil)
  }

  /// A page is computed once for each date of its storefront, and has the same validator all day.
  @Test func storesAPagePerDate() async throws {
    let shop = try Shop(maxAge: 60)
    let path = "/store/nzl/en-us/products/car/"
    let rows: [(instant: String, page: Int, seconds: Int)] = [
      ("2026-11-30T09:00:00Z", 1, 60), ("2026-11-30T10:59:30Z", 1, 30), ("2026-11-30T11:00:00Z", 2, 60),
      ("2026-12-01T10:59:59Z", 2, 1), ("2026-11-30T10:00:00Z", 1, 60),
    ]
    var validators: [Int: String] = [:]
    for row in rows {
      let answer = try await shop.get(path, at: row.instant)
      let validator = try #require(answer.headers[.eTag])
      #expect(validators[row.page] ?? validator == validator, "\(row.instant)")
      validators[row.page] = validator
      #expect(answer.headers[.cacheControl] == "public, max-age=\(row.seconds)", "\(row.instant)")
      // A client that has the page learns how long it may use it.
      let again = try await shop.get(path, at: row.instant, [.ifNoneMatch: validator])
      #expect(again.status == .notModified)
      #expect(again.headers[.expires] == answer.headers[.expires] && again.headers[.expires] != nil)
    }
    #expect(validators[1] != validators[2])
  }

  /// Where an answer concerns several storefronts, the first midnight ends it.
  @Test func severalStorefrontsEndAtTheFirstMidnight() async throws {
    let shop = try Shop()
    let rows: [(path: String, language: String?, instant: String, expires: String?)] = [
      // Kiribati is first.
      ("/choose/en-us/", nil, "2026-11-30T09:00:00Z", "Mon, 30 Nov 2026 10:00:00 GMT"),
      ("/choose/products/car/", nil, "2026-11-30T10:20:00Z", "Mon, 30 Nov 2026 11:00:00 GMT"),
      ("/v1/storefronts", nil, "2026-11-30T11:20:00Z", "Mon, 30 Nov 2026 22:00:00 GMT"),
      ("/v1/storefronts/NZL", nil, "2026-11-30T11:20:00Z", "Tue, 01 Dec 2026 11:00:00 GMT"),
      // A page that offers another store, whose date is a part of it.
      ("/store/usa/en-us/products/car/", "de-DE", "2026-11-30T12:00:00Z", "Mon, 30 Nov 2026 23:00:00 GMT"),
      ("/store/usa/en-us/products/car/", "en-US", "2026-11-30T12:00:00Z", "Tue, 01 Dec 2026 08:00:00 GMT"),
      // A requested day does not end.
      ("/v1/storefronts?at=2026-11-30", nil, "2026-11-30T12:00:00Z", nil),
      ("/v1/storefronts/NZL?at=2026-11-30T10:59Z", nil, "2026-11-30T12:00:00Z", nil),
      // These do not depend on the date.
      ("/openapi.json", nil, "2026-11-30T12:00:00Z", nil),
      ("/v1/languages", nil, "2026-11-30T12:00:00Z", nil),
      ("/v1/strings/en-US", nil, "2026-11-30T12:00:00Z", nil),
      ("/v1/product-identifiers", nil, "2026-11-30T12:00:00Z", nil),
      ("/assets/store.css", nil, "2026-11-30T12:00:00Z", nil),
      ("/images/car.svg", nil, "2026-11-30T12:00:00Z", nil),
    ]
    for row in rows {
      let answer = try await shop.get(
        row.path,
        at: row.instant,
        row.language.map { [.acceptLanguage: $0] } ?? [:]
      )
      #expect(answer.status == .ok, "\(row.path)")
      #expect(answer.headers[.expires] == row.expires, "\(row.path)")
      if row.expires == nil {
        #expect(answer.headers[.cacheControl] == "public, max-age=86400", "\(row.path)")
      }
    }
  }

  /// Without `--max-age`, caches ask each time, so there is nothing to expire.
  @Test func revalidatedPagesHaveNoEnd() async throws {
    let answer = try await Shop(maxAge: 0).get("/store/nzl/en-us/", at: "2026-11-30T12:00:00Z")
    #expect(answer.headers[.cacheControl] == "public, no-cache" && answer.headers[.expires] == nil)
  }

  /// A day of the source, a date or an instant, does not end.
  @Test(arguments: [
    ("2026-11-30", "4.99"), ("2026-11-30T10:59:00Z", "4.99"), ("2026-11-30T12:00:00Z", "5.99"),
  ])
  func dayOfSource(day: String, amount: String) async throws {
    let shop = try Shop(day: StoreDay(day))
    let answer = try await shop.get("/store/nzl/en-us/products/car/", at: "2030-01-01T00:00:00Z")
    #expect(answer.text.contains("$\(amount)"))
    #expect(answer.headers[.cacheControl] == "public, max-age=86400" && answer.headers[.expires] == nil)
  }

  /// Fields `at` accept an instant, of which each storefront has its own date.
  @Test func acceptsInstants() async throws {
    let shop = try Shop()
    let rows: [(at: String, amount: String)] = [
      ("2026-11-30", "4.99"), ("2026-11-30T10:59Z", "4.99"), ("2026-11-30T12:00Z", "5.99"),
    ]
    for row in rows {
      let body = #"{"storefront":"NZL","language":"en-US","at":"\#(row.at)"}"#
      let answer = try await shop.service.send(.post, "/v1/products", [:], body)
      #expect(answer.text.contains(#""amount":"\#(row.amount)""#), "\(row.at)")
    }
    for at in ["2026-11-30T10:59", "tomorrow"] {
      let answer = try await shop.service.send(.get, "/v1/storefronts?at=\(at)")
      #expect(answer.status == .badRequest && answer.text.contains("malformed-"), "\(at)")
    }
  }

  static let requests: [(method: HTTPRequest.Method, path: String, body: String?)] = [
    (.get, "/choose/en-us/", nil), (.get, "/choose/products/car/", nil), (.get, "/store/nzl/en-us/", nil),
    (.get, "/store/nzl/en-us/products/car/", nil), (.get, "/store/nzl/en-us/nothing/", nil),
    (.get, "/v1/storefronts", nil), (.get, "/v1/storefronts/USA", nil), (.get, "/nothing.pack", nil),
    (.post, "/v1/products", #"{"storefront":"NZL","language":"en-US"}"#),
    (
      .post, "/v1/format",
      #"{"prices":[{"storefront":"NZL","amount":"1"},{"storefront":"USA","amount":"1"}]}"#
    ),
    (
      .post, "/v1/batch",
      "{\"storefront\":\"NZL\",\"amount\":\"1\"}\n{\"storefront\":\"USA\",\"amount\":\"1\"}\n"
    ),
    (
      .post, "/v1/messages",
      #"{"messages":[{"message":"{p}","arguments":{"p":{"storefront":"NZL","amount":"1"}}}]}"#
    ),
  ]

  /// A request that read the clock twice could have two dates.
  @Test(arguments: requests)
  func readsTheClockOnce(method: HTTPRequest.Method, path: String, body: String?) async throws {
    let shop = try Shop()
    try shop.clock.set("2026-11-30T12:00:00Z")
    let before = shop.clock.readCount
    _ = try await shop.service.application().send(method, path, [.accept: "text/html"], body)
    #expect(shop.clock.readCount == before + 1)
  }
}
