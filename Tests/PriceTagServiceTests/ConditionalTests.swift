import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests conditional requests, validators, content codings and HTTP dates.
@Suite struct ConditionalTests {
  typealias Condition = (headers: HTTPFields, status: Int)

  /// Conditional requests for the product identifiers. `*` is replaced with the validator, `any` with `*`, and `@` with
  /// the date.
  static let conditions: [Condition] = [
    ([:], 200),
    ([.ifNoneMatch: "*"], 304), ([.ifNoneMatch: "\"other\""], 200),
    ([.ifNoneMatch: "\"other\", \"*\""], 304), ([.ifNoneMatch: "W/\"*\""], 304),
    ([.ifNoneMatch: "any"], 304),
    ([.ifModifiedSince: "@"], 304), ([.ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"], 200),
    ([.ifModifiedSince: "Fri, 31 Dec 9999 23:59:59 GMT"], 304), ([.ifModifiedSince: "yesterday"], 200),
    // If both fields are present, only `If-None-Match` counts (RFC 9110, 13.1.3).
    ([.ifNoneMatch: "\"other\"", .ifModifiedSince: "@"], 200),
    ([.ifNoneMatch: "\"*\"", .ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"], 304),
  ]

  @Test(arguments: conditions) func evaluatesConditions(_ condition: Condition) async throws {
    let service = try ServiceFixture().service()
    let first = try await service.send(.get, "/v1/product-identifiers")
    let validator = try #require(first.headers[.eTag])
    let date = try #require(first.headers[.lastModified])
    #expect(validator.hasPrefix("\"") && validator.hasSuffix("\"") && HTTPDate(date) != nil)
    var headers = condition.headers
    if let value = headers[.ifNoneMatch] {
      headers[.ifNoneMatch] =
        value == "any" ? "*" : value == "*" ? validator : value.replacing("\"*\"", with: validator)
    }
    if headers[.ifModifiedSince] == "@" { headers[.ifModifiedSince] = date }
    for method in [HTTPRequest.Method.get, .head] {
      let answer = try await service.send(method, "/v1/product-identifiers", headers)
      #expect(answer.status.code == condition.status)
      #expect(answer.headers[.eTag] == validator)
      #expect(answer.headers[.lastModified] == date)
      if condition.status == 304 {
        #expect(answer.body.readableBytes == 0 && answer.headers[.contentLength] == nil)
      }
    }
  }

  /// Stores never share a validator, so no cache can return the prices of another store.
  @Test func validatorsOfStoresDiffer() async throws {
    let fixture = try ServiceFixture()
    let service = try fixture.service()
    var validators: Set<String> = []
    var count = 0
    for store in ["usa", "jpn", "deu", "fra"] {
      for language in ["en-us", "ja"] {
        let answer = try await service.send(.get, "/store/\(store)/\(language)/")
        let validator = try #require(answer.headers[.eTag])
        #expect(validator.hasPrefix("\"\(store).\(language)."))
        #expect(answer.headers[.contentLanguage]?.lowercased() == language)
        #expect(answer.headers[.cacheControl] == "public, no-cache")
        #expect(answer.headers[.vary] == "Accept-Encoding, Accept-Language")
        #expect(validators.insert(validator).inserted)
        count += 1
      }
    }
    #expect(validators.count == count)
    let cached = try await fixture.send(.get, "/store/usa/en-us/") { $0.maxAgeSeconds = 60 }
    #expect(cached.headers[.cacheControl] == "public, max-age=60")
  }

  typealias Coding = (field: String?, isGzip: Bool)

  static let codings: [Coding] = [
    (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("deflate, gzip;q=0.5", true),
    ("x-gzip", true),
    ("*", true), ("identity", false), ("br", false), ("gzip;q=0", false), ("gzip;q=0.000", false),
    ("*;q=0", false), ("gzip;q=0, *", false), ("gzip ; q=1.0", true), ("*, gzip;q=0", false),
  ]

  @Test(arguments: codings) func compressesIfClientAcceptsGzip(_ coding: Coding) async throws {
    #expect(ContentCoding.acceptsGzip(coding.field) == coding.isGzip)
    let service = try ServiceFixture().service()
    let plain = try await service.send(.get, "/store/usa/en-us/")
    let headers: HTTPFields = coding.field.map { [.acceptEncoding: $0] } ?? [:]
    // The second response comes from the cache.
    for _ in 0..<2 {
      let answer = try await service.send(.get, "/store/usa/en-us/", headers)
      #expect(answer.headers[.contentEncoding] == (coding.isGzip ? "gzip" : nil))
      #expect(answer.headers[.contentLength] == "\(answer.body.readableBytes)")
      guard coding.isGzip else {
        #expect(answer.body == plain.body && answer.headers[.eTag] == plain.headers[.eTag])
        continue
      }
      // Each content coding has its own validator.
      let validator = try #require(plain.headers[.eTag])
      #expect(answer.headers[.eTag] == "\(validator.dropLast())-gzip\"")
      #expect(try gunzipped(answer.body) == plain.text)
      let conditions: HTTPFields = [.acceptEncoding: "gzip", .ifNoneMatch: answer.headers[.eTag] ?? ""]
      let again = try await service.send(.get, "/store/usa/en-us/", conditions)
      #expect(again.status == .notModified && again.headers[.contentEncoding] == nil)
    }
  }

  /// Decompresses with gzip, as an independent implementation.
  private func gunzipped(_ buffer: ByteBuffer) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/gzip")
    process.arguments = ["-dc"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(buffer.readableBytesView))
    try input.fileHandleForWriting.close()
    return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  static let dates: [(seconds: Int, text: String)] = [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
  ]

  @Test(arguments: dates) func formatsAndParsesDate(_ date: (seconds: Int, text: String)) {
    #expect(HTTPDate(seconds: date.seconds).description == date.text)
    #expect(HTTPDate(date.text)?.seconds == date.seconds)
  }

  @Test(arguments: [
    "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun, 06 Nob 1994 08:49:37 GMT", "Sun, 06 Nov 1994 28:49:37 GMT", "Sun, 66 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 99999 8:49:37 GMT",
  ]) func rejectsInvalidDate(_ text: String) {
    #expect(HTTPDate(text) == nil)
  }
}
