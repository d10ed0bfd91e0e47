import HTTPTypes
import Hummingbird
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests `POST /v1/read`.
@Suite struct ReadRouteTests {
  /// A body, its status, and parts of its answer.
  static let answers: [(body: String, status: Int, parts: [String])] = [
    (#"{"texts":[]}"#, 200, [#"{"prices":[]}"#]),
    (
      #"{"texts":[{"storefront":"DEU","text":"49,99\u00a0€"},{"priceLocale":"de-CH","currency":"CHF","text":"CHF\u00a0234.50"}]}"#,
      200,
      [
        #"{"prices":[{"amount":"49.99","currency":"EUR","difference":null},{"amount":"234.50","currency":"CHF","difference":null}]}"#
      ]
    ),
    // `lenient` of the body is for rows without their own.
    (
      #"{"texts":[{"storefront":"DEU","text":"49,99 €"},{"storefront":"DEU","text":"49,99 €","lenient":false},{"storefront":"CHE","text":"USD 4.99"}],"lenient":true}"#,
      200,
      [
        #"{"prices":[{"amount":"49.99","currency":"EUR","difference":5},{"error":{"code":"not-as-written","message":"#,
        #"it differs at character 6 (U+0020 SPACE); write \"49,99\\u{A0}€\"","pointer":"/texts/1/text","difference":5}},"#,
        #"{"amount":"4.99","currency":"USD","difference":0}]}"#,
      ]
    ),
    // The style and the date are those of the body; a row has its own date.
    (
      #"{"texts":[{"storefront":"JPN","text":"JPY\u00a01,200"}],"style":{"width":"iso"}}"#, 200,
      [#"{"amount":"1200","currency":"JPY","difference":null}"#]
    ),
    (
      #"{"texts":[{"storefront":"BGR","text":"BGN\u00a05.00"},{"storefront":"BGR","text":"€5.00","at":"2026-06-01"},{"storefront":"BGR","text":"€5.00","at":"2026-01-01T12:00Z"}],"at":"2025-12-31"}"#,
      200,
      [
        #"[{"amount":"5.00","currency":"BGN","difference":null},{"amount":"5.00","currency":"EUR","difference":null},{"amount":"5.00","currency":"EUR","difference":null}]"#
      ]
    ),
    (
      #"{"texts":[{"storefront":"USA","text":"$1.2K"}],"style":{"notation":"compact-short"}}"#, 200,
      [#"{"error":{"code":"compact-notation","message":"#, #""pointer":"/texts/0/text","difference":null}}"#]
    ),
    // Invalid rows.
    (
      #"{"texts":[7,{},{"text":"1"},{"text":null,"storefront":"USA"},{"text":["1"]},{"text":"1","storefront":"USB"},{"text":"1","priceLocale":"x","currency":"USD"},{"text":"1","storefront":"USA","currency":"EUR"},{"text":"1","storefront":"USA","currency":"QQQ"},{"text":"1","storefront":"USA","lenient":"yes"},{"text":"1","storefront":"USA","at":"2026-02-30"},{"text":"1","storefront":"USA","leniet":true}]}"#,
      200,
      [
        #"{"prices":[{"error":{"code":"not-an-object","message":"the row is not an object, but a number; use an object","pointer":"/texts/0"}},"#,
        #"{"error":{"code":"missing-field","message":"the field \"text\" is missing; add it","pointer":"/texts/1/text"}}"#,
        #"{"error":{"code":"missing-storefront","#, #""pointer":"/texts/2"}}"#,
        #""pointer":"/texts/3/text"}}"#,
        #"{"error":{"code":"wrong-type","#, #""pointer":"/texts/4/text"}}"#,
        #""message":"unknown storefront \"USB\"; did you mean \"USA\"?","pointer":"/texts/5/storefront"}}"#,
        #"{"error":{"code":"malformed-locale","#, #""pointer":"/texts/6/priceLocale"}}"#,
        #"{"error":{"code":"currency-mismatch","#, #""pointer":"/texts/7"}}"#,
        #"{"error":{"code":"unknown-currency","#, #""pointer":"/texts/8/currency"}}"#,
        #""pointer":"/texts/9/lenient"}}"#, #"{"error":{"code":"malformed-date","#,
        #""pointer":"/texts/10/at"}}"#, #"{"error":{"code":"unknown-field","#,
        #""pointer":"/texts/11/leniet"}}"#,
      ]
    ),
    // Invalid bodies.
    (#"{"prices":[]}"#, 422, [#""code":"missing-field""#, #""pointer":"/texts""#]),
    (#"{"texts":[],"storefront":"USA"}"#, 422, [#""code":"unknown-field""#, #""pointer":"/storefront""#]),
    (#"{"texts":[],"style":{"width":"wide"}}"#, 422, [#""pointer":"/style/width""#]),
    (#"{"texts":[],"at":"2026-13-01"}"#, 422, [#""pointer":"/at""#]),
    (#"{"texts":[{"text":"1",}]}"#, 400, [#""code":"malformed-json""#, #""pointer":"/texts/0""#]),
    (#"{"texts":[{"text":"1","text":"2"}]}"#, 400, [#""code":"malformed-json""#, #""pointer":"/texts/0""#]),
  ]

  @Test(arguments: answers) func answersBody(body: String, status: Int, parts: [String]) async throws {
    let answer = try await ServiceFixture().service().post("/v1/read", body)
    #expect(answer.status.code == status, "\(answer.text)")
    for part in parts { #expect(answer.text.contains(part), "\(part) is not in \(answer.text)") }
  }

  /// Texts that are as long and as strange as a client can send them are answered with an error each.
  @Test func answersHostileTexts() async throws {
    let texts = [
      String(repeating: "9", count: 4096), String(repeating: "9", count: 4097),
      String(repeating: "1.", count: 2000),
      String(repeating: "\\u0000", count: 4000), String(repeating: "\\u202e", count: 1000) + "1",
      String(repeating: "e\\u0301", count: 1000), "\\ud83d\\ude80", "\\u0001" + "4.99", "",
      String(repeating: "&#36;", count: 800), String(repeating: "K 1M ", count: 800),
    ]
    let rows = texts.map { #"{"storefront":"USA","text":"\#($0)"}"# }.joined(separator: ",")
    for isLenient in [false, true] {
      let answer = try await ServiceFixture().service().post(
        "/v1/read",
        "{\"texts\":[\(rows)],\"lenient\":\(isLenient)}"
      )
      #expect(answer.status == .ok)
      #expect(answer.text.split(separator: #""error":"#).count == texts.count + 1, "\(answer.text)")
      #expect(answer.text.contains(#""code":"text-too-long""#) && answer.text.utf8.count < 20_000)
    }
  }

  /// A body with too many rows is refused.
  @Test func limitsRows() async throws {
    let row = #"{"storefront":"USA","text":"$1.00"}"#
    let body = { (count: Int) in
      "{\"texts\":[\(Array(repeating: row, count: count).joined(separator: ","))]}"
    }
    let service = try ServiceFixture().service()
    #expect(try await service.post("/v1/read", body(1000)).status == .ok)
    let answer = try await service.post("/v1/read", body(10_001))
    #expect(
      answer.status == .contentTooLarge && answer.text.contains(#""pointer":"/texts""#),
      "\(answer.text)"
    )
  }
}
