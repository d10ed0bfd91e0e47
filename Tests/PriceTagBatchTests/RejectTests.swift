import Foundation
import PriceTag
import PriceTagBatch
import Testing

/// Every kind of rejected row, and its reject record.
@Suite struct RejectTests {
  typealias Bad = (code: String, change: Change, row: String, field: String?)

  private static let usa = #""storefront":"USA""#

  private static let unitPrice: Change = { $0.fields = [.unitPrice] }
  private static let installments: Change = { $0.fields = [.installment, .lastInstallment] }

  static let badRows: [Bad] = [
    ("malformed-json", { _ in }, #"{\#(usa),"amount":"1""#, nil),
    ("nul-byte", { _ in }, "{\(usa),\"amount\":\"1\u{0}\"}", nil),
    (
      "too-deep", { _ in },
      #"{"a":\#(String(repeating: "[", count: 513))\#(String(repeating: "]", count: 513))}"#, nil
    ),
    ("not-an-object", { _ in }, #"[\#("1")]"#, nil),
    ("duplicate-key", { _ in }, #"{\#(usa),"amount":"1","amount":"1"}"#, "amount"),
    ("wrong-type", { _ in }, #"{\#(usa),"amount":true}"#, "amount"),
    ("wrong-type", { _ in }, #"{\#(usa),"amountMinor":[1]}"#, "amountMinor"),
    ("wrong-type", { _ in }, #"{"storefront":840,"amount":"1"}"#, "storefront"),
    ("wrong-type", { _ in }, #"{"storefront":{},"amount":"1"}"#, "storefront"),
    ("wrong-type", { _ in }, #"{\#(usa),"currency":1,"amount":"1"}"#, "currency"),
    ("wrong-type", { _ in }, #"{\#(usa),"priceLocale":false,"amount":"1"}"#, "priceLocale"),
    ("wrong-type", { _ in }, #"{\#(usa),"at":20260101,"amount":"1"}"#, "at"),
    ("wrong-type", { _ in }, #"{\#(usa),"minorUnits":true,"amountMinor":"1"}"#, "minorUnits"),
    ("wrong-type", { _ in }, #"{\#(usa),"writtenAs":1,"amount":"1"}"#, "writtenAs"),
    ("invalid-option", { _ in }, #"{\#(usa),"writtenAs":"store","amount":"1"}"#, "writtenAs"),
    ("invalid-option", { _ in }, #"{"storefront":"IDN","writtenAs":"store-web","amount":"1"}"#, nil),
    ("invalid-option", { _ in }, #"{"storefront":"TWN","writtenAs":"store-web","amount":"1"}"#, nil),
    ("missing-amount", { _ in }, #"{\#(usa)}"#, "amount"),
    ("missing-amount", { _ in }, #"{\#(usa),"amount":null}"#, "amount"),
    ("several-amounts", { _ in }, #"{\#(usa),"amount":"1","amountMinor":100}"#, "amountMinor"),
    ("several-amounts", { _ in }, #"{\#(usa),"amountMinor":1,"amountMicros":100}"#, "amountMicros"),
    ("several-amounts", { _ in }, #"{\#(usa),"amountMinor":1,"amountTo":"2"}"#, "amountTo"),
    ("several-amounts", { _ in }, #"{\#(usa),"amountMicros":1,"amountTo":"2"}"#, "amountTo"),
    ("missing-amount", { _ in }, #"{\#(usa),"amountTo":"2"}"#, "amount"),
    ("wrong-type", { _ in }, #"{\#(usa),"amount":"1","amountTo":[2]}"#, "amountTo"),
    ("malformed-amount", { _ in }, #"{\#(usa),"amount":"1","amountTo":"2,5"}"#, "amountTo"),
    ("reversed-range", { _ in }, #"{\#(usa),"amount":"1","amountTo":"0.99"}"#, "amountTo"),
    ("needs-rounding", { _ in }, #"{\#(usa),"amount":"1.001","amountTo":"2"}"#, "amount"),
    ("needs-rounding", { _ in }, #"{\#(usa),"amount":"1","amountTo":"2.001"}"#, "amountTo"),
    (
      "invalid-option", { $0.style.qualifier = .atLeast }, #"{\#(usa),"amount":"1","amountTo":"2"}"#,
      "amountTo"
    ),
    ("invalid-option", { _ in }, #"{\#(usa),"amount":"-5","amountTo":"-4.99"}"#, "amountTo"),
    ("field-exists", { _ in }, #"{\#(usa),"amount":"1","display":"x"}"#, "display"),
    ("field-exists", { $0.fields = [.html] }, #"{\#(usa),"amount":"1","html":null}"#, "html"),
    ("malformed-amount", { _ in }, #"{\#(usa),"amount":"1e3"}"#, "amount"),
    ("malformed-amount", { _ in }, #"{\#(usa),"amount":1e3}"#, "amount"),
    ("malformed-amount", { _ in }, #"{\#(usa),"amount":""}"#, "amount"),
    ("malformed-amount", { _ in }, #"{\#(usa),"amount":"NaN"}"#, "amount"),
    ("malformed-amount", { _ in }, #"{\#(usa),"amountMinor":1.5}"#, "amountMinor"),
    ("malformed-amount", { _ in }, #"{\#(usa),"amountMicros":"1,5"}"#, "amountMicros"),
    ("amount-out-of-range", { _ in }, #"{\#(usa),"amount":99999999999999999999}"#, "amount"),
    ("needs-rounding", { _ in }, #"{"storefront":"JPN","amount":"1.5"}"#, "amount"),
    ("needs-rounding", { $0.fields = [.parts] }, #"{"storefront":"JPN","amount":"1.5"}"#, "amount"),
    ("unknown-currency", { _ in }, #"{"priceLocale":"de-DE","currency":"DEMX","amount":"1"}"#, "currency"),
    ("currency-mismatch", { _ in }, #"{\#(usa),"currency":"EUR","amount":"1"}"#, "currency"),
    (
      "no-minor-unit", { _ in }, #"{"priceLocale":"de-DE","currency":"XAU","amountMinor":"1"}"#, "amountMinor"
    ),
    ("unknown-provider", { _ in }, #"{\#(usa),"minorUnits":"strip","amountMinor":"1"}"#, "minorUnits"),
    ("malformed-locale", { _ in }, #"{"priceLocale":"d","currency":"EUR","amount":"1"}"#, "priceLocale"),
    ("unknown-locale", { _ in }, #"{"priceLocale":"xx-YY","currency":"EUR","amount":"1"}"#, "priceLocale"),
    (
      "unexpected-extension", { _ in }, #"{"priceLocale":"de-u-nu-arab","currency":"EUR","amount":"1"}"#,
      "priceLocale"
    ),
    ("unknown-storefront", { _ in }, #"{"storefront":"USX","amount":"1"}"#, "storefront"),
    ("missing-storefront", { _ in }, #"{"amount":"1"}"#, "storefront"),
    ("missing-storefront", { _ in }, #"{"currency":"USD","amount":"1"}"#, "storefront"),
    ("malformed-date", { _ in }, #"{\#(usa),"at":"2026-02-30","amount":"1"}"#, "at"),
    ("malformed-content", unitPrice, #"{\#(usa),"amount":"1","content":"much"}"#, "content"),
    ("malformed-content", unitPrice, #"{\#(usa),"amount":"1","content":""}"#, "content"),
    ("malformed-content", unitPrice, #"{\#(usa),"amount":"1","content":"0 kg"}"#, "content"),
    (
      "malformed-content", unitPrice, #"{\#(usa),"amount":"1","content":"1 kg","unitReference":"7 kg"}"#,
      "unitReference"
    ),
    (
      "unit-mismatch", unitPrice, #"{\#(usa),"amount":"1","content":"1 kg","unitReference":"L"}"#,
      "unitReference"
    ),
    (
      "unit-mismatch", unitPrice, #"{\#(usa),"amount":"1","content":"1 kg","unitReference":"lb"}"#,
      "unitReference"
    ),
    ("needs-rounding", unitPrice, #"{\#(usa),"amount":"1","content":"3 kg"}"#, "content"),
    ("no-unit-price", unitPrice, #"{\#(usa),"amount":"-1","content":"1 kg"}"#, "amount"),
    ("several-amounts", unitPrice, #"{\#(usa),"amount":"1","amountTo":"2","content":"1 kg"}"#, "content"),
    ("wrong-type", unitPrice, #"{\#(usa),"amount":"1","content":12}"#, "content"),
    ("wrong-type", unitPrice, #"{\#(usa),"amount":"1","content":"1 kg","unitReference":1}"#, "unitReference"),
    ("field-exists", unitPrice, #"{\#(usa),"amount":"1","unitPrice":null}"#, "unitPrice"),
    ("invalid-installments", installments, #"{\#(usa),"amount":"1","installments":0}"#, "installments"),
    ("invalid-installments", installments, #"{\#(usa),"amount":"1","installments":1000001}"#, "installments"),
    ("invalid-installments", installments, #"{\#(usa),"amount":"1","installments":-2}"#, "installments"),
    ("invalid-installments", installments, #"{\#(usa),"amount":"1","installments":"2.5"}"#, "installments"),
    ("invalid-installments", installments, #"{\#(usa),"amount":"1","installments":4.0}"#, "installments"),
    ("invalid-installments", installments, #"{\#(usa),"amount":"1","installments":"two"}"#, "installments"),
    ("invalid-installments", installments, #"{\#(usa),"amount":"1","installments":1e1}"#, "installments"),
    ("invalid-installments", installments, #"{\#(usa),"amount":"1","installments":""}"#, "installments"),
    ("invalid-installments", installments, #"{\#(usa),"amount":"0","installments":2}"#, "installments"),
    (
      "invalid-installments", installments, #"{\#(usa),"amount":"1","installments":99999999999999999999}"#,
      "installments"
    ),
    ("needs-rounding", installments, #"{\#(usa),"amount":"1","installments":3}"#, "installments"),
    (
      "several-amounts", installments, #"{\#(usa),"amount":"1","amountTo":"2","installments":1}"#,
      "installments"
    ),
    ("wrong-type", installments, #"{\#(usa),"amount":"1","installments":true}"#, "installments"),
    ("unknown-column", { $0.output = .csv }, #"{\#(usa),"amount":"1","other":1}"#, "other"),
  ]

  private static let good = "{\"storefront\":\"USA\",\"amount\":\"7\"}"

  /// Each invalid row is between valid ones, which are formatted as without it.
  @Test(arguments: badRows)
  func rejectsInvalidRow(code: String, change: Change, row: String, field: String?) throws {
    let options = BatchOptions.test(change)
    let found = try Outcome("\(Self.good)\n\n\(row)\r\n\(Self.good)\n", options)
    let reject = try #require(found.rejects.first)
    #expect(found.rejectCodes == ["3 \(code)\(field.map { " \($0)" } ?? "")"], "\(row.prefix(80))")
    #expect(reject.byte == Self.good.utf8.count + 2 && reject.row == Array(row.utf8))
    #expect(found.text == (try Outcome("\(Self.good)\n\(Self.good)\n", options).text))
    #expect(
      found.summary.read == 3 && found.summary.rejected == 1 && found.summary.rejectedByCode == [code: 1]
    )
    // The description is one line, and the JSON is valid.
    #expect(!reject.description.contains { $0.isNewline } && reject.description.hasPrefix("line 3"))
    let json = try #require(try JSONSerialization.jsonObject(with: Data(reject.json.utf8)) as? [String: Any])
    #expect(
      json["row"] as? String == row && json["code"] as? String == code && json["field"] as? String == field
    )
    #expect(json["line"] as? Int == 3 && json["byte"] as? Int == reject.byte && json["rowBase64"] == nil)
    #expect(
      (json["message"] as? String).map { $0.contains("; ") && reject.description.hasSuffix($0) } == true
    )
  }

  static let badRecords: [(code: String, record: String, field: String?)] = [
    ("malformed-csv", "USA,1\"", nil),
    ("malformed-csv", "\"USA\"x,1", nil),
    ("malformed-csv", "US\rA,1", nil),
    ("wrong-field-count", "USA", nil),
    ("wrong-field-count", "USA,1,2", nil),
    ("nul-byte", "USA,1\u{0}", nil),
    ("missing-amount", "USA,", "amount"),
    ("missing-amount", "USA,\"\"", "amount"),
    ("missing-storefront", ",1", "storefront"),
    ("malformed-amount", "USA,\"1,5\"", "amount"),
    ("unknown-storefront", "\"U\nSA\",1", "storefront"),
    ("needs-rounding", "JPN,1.5", "amount"),
  ]

  @Test(arguments: badRecords)
  func rejectsInvalidRecord(code: String, record: String, field: String?) throws {
    let found = try Outcome("storefront,amount\r\nUSA,1\r\n\(record)\r\nUSA,2\r\n")
    #expect(found.rejectCodes == ["3 \(code)\(field.map { " \($0)" } ?? "")"], "\(record)")
    #expect(found.rejects.first?.byte == 26 && found.rejects.first?.row == Array(record.utf8))
    #expect(found.text == "storefront,amount,display\r\nUSA,1,$1.00\r\nUSA,2,$2.00\r\n")
  }

  /// Only the first thousand rejects have suggestions, independently of the number of threads.
  @Test(arguments: [1, 4])
  func suggestsClosestMatchInFirstRejects(jobs: Int) throws {
    let names = (0..<30_000).map { number in ["jap", "Germany", "USA\(number)", "\"q\(number)"][number % 4] }
    let rows = names.enumerated().map { number, name in
      "{\"storefront\":\"\(name.replacing("\"", with: "\\\""))\",\"amount\":\"\(number)\"}\n"
    }
    let found = try Outcome(rows.joined(), BatchOptions.test { $0.jobs = jobs })
    #expect(
      found.rejects.count == rows.count && found.summary.rejectedByCode == ["unknown-storefront": rows.count]
    )
    for (number, reject) in found.rejects.enumerated() {
      let suggestion = number < 1000 ? ["JPN", "DEU", number < 10 ? "USA" : nil, nil][number % 4] : nil
      let fix =
        suggestion.map { "did you mean \"\($0)\"?" }
        ?? "use a code such as \"USA\" (pricetag storefronts lists all codes)"
      let quotedName = names[number].replacing("\"", with: "\\\"")
      let message = "unknown storefront \"\(quotedName)\"; \(fix)"
      guard reject.message == message, reject.line == number + 1 else {
        Issue.record("\(reject)")
        return
      }
    }
  }

  /// The price locale, the currency and the date of a row are checked before its storefront.
  @Test(
    arguments: [
      (#""storefront":"zzz""#, "unknown-storefront"), (#""storefront":"usa""#, nil),
      (#""storefront":"us""#, nil),
      (#""storefront":"\u0055SA""#, nil), (#""storefront":"\u0055SX""#, "unknown-storefront"),
      (#""storefront":"ZZZ","currency":"USX""#, "unknown-currency"),
      (#""storefront":"ZZZ","priceLocale":"xx""#, "unknown-locale"),
      (#""storefront":"ZZZ","at":"x""#, "malformed-date"),
      (#""storefront":"ZZZ","currency":"USD""#, "unknown-storefront"),
      (#""storefront":"USA","currency":"JPY","priceLocale":"en-GB""#, "currency-mismatch"),
    ] as [(String, String?)]
  )
  func checksFieldsInOrder(fields: String, code: String?) throws {
    let found = try Outcome("{\(fields),\"amount\":\"1\"}\n")
    #expect(found.rejects.first?.code == code)
  }

  /// The codes of other tests in this suite.
  private static let otherTests: Set<BatchReject.Code> = [.rowTooLong, .invalidUTF8]

  @Test func coversEveryCode() {
    let covered = Set(
      Self.badRows.map(\.code) + Self.badRecords.map(\.code) + Self.otherTests.map(\.rawValue)
    )
    // A test cannot exhaust the memory.
    let kinds = BatchReject.Code.allCases.filter { $0 != .outOfMemory }.map(\.rawValue)
    #expect(Set(kinds).subtracting(covered).isEmpty)
    // A row cannot cause these errors, except for those of packs and time zones, which have tests of their own.
    let others: Set<PriceTagError.Code> = [
      .localeMismatch, .malformedInstant, .unknownTimeZone, .malformedPeriod, .invalidLocaleData,
      .bufferTooSmall,
      .formattingFailed, .invalidPack, .missingFromPack, .packMismatch,
    ]
    let priceCodes = PriceTagError.Code.allCases.filter { !others.contains($0) }.map(\.rawValue)
    #expect(Set(priceCodes).subtracting(covered).isEmpty)
  }

  @Test func writesInvalidUTF8AsBase64() throws {
    let row = Array("{\(Self.usa),\"amount\":\"1\",\"n\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
    let good = Array((Self.good + "\n").utf8)
    let found = try Outcome(.bytes(good + row + [0x0A] + good, name: "rows"))
    #expect(found.rejectCodes == ["2 invalid-utf8"] && found.summary.formatted == 2)
    let reject = try #require(found.rejects.first)
    #expect(reject.row == row && reject.byte == good.count)
    let json = try #require(try JSONSerialization.jsonObject(with: Data(reject.json.utf8)) as? [String: Any])
    #expect(
      json["row"] == nil && (json["rowBase64"] as? String).flatMap { Data(base64Encoded: $0) } == Data(row)
    )
    let record =
      Array("storefront,amount\nUSA,1\n".utf8) + [0x55, 0xFF, 0x2C, 0x31, 0x0A] + Array("USA,2".utf8)
    let csv = try Outcome(.bytes(record, name: "rows"))
    #expect(csv.rejectCodes == ["3 invalid-utf8"] && csv.summary.formatted == 2)
  }

  /// Returns a row of a number of bytes.
  private static func row(_ byteCount: Int, _ amount: String) -> String {
    let empty = "{\(usa),\"amount\":\"\(amount)\",\"n\":\"\"}"
    let filler = String(repeating: "é", count: (byteCount - empty.utf8.count) / 2)
    let odd = (byteCount - empty.utf8.count) % 2 == 1 ? "x" : ""
    return "{\(usa),\"amount\":\"\(amount)\",\"n\":\"\(odd)\(filler)\"}"
  }

  @Test(arguments: [(1 << 20, 1 << 20), (1 << 20 + 1, 1 << 10), (4 << 20, 1 << 10)])
  func storesStartOfLongRow(byteCount: Int, storedByteCount: Int) throws {
    let row = Self.row(byteCount, "x")
    try #require(row.utf8.count == byteCount)
    let found = try Outcome("\(Self.good)\n\(row)\n\(Self.good)")
    #expect(found.rejectCodes == ["2 malformed-amount amount"] && found.summary.formatted == 2)
    let reject = try #require(found.rejects.first)
    #expect((storedByteCount - 3...storedByteCount).contains(reject.row.count))
    #expect(row.utf8.starts(with: reject.row))
    // The excerpt ends between characters.
    #expect(String(validating: reject.row, as: UTF8.self) != nil)
  }

  /// The limit of 4 MB does not depend on the place of the row, or on its line end.
  @Test(arguments: [0, 262_100, 3_000_000])
  func rejectsRowAboveFourMegabytes(before: Int) throws {
    let start = before == 0 ? "" : Self.row(max(before, 60), "1") + "\n"
    for (byteCount, isRead) in [(4 << 20, true), (4 << 20 + 1, false), (9 << 20, false)] {
      let row = Self.row(byteCount, "1")
      for end in ["", "\n\(Self.good)\n\(Self.good)\n"] {
        let found = try Outcome("\(start)\(row)\(end)")
        let others = (before == 0 ? 0 : 1) + (end.isEmpty ? 0 : end.utf8.count(where: { $0 == 0x7B }))
        #expect(found.summary.formatted == others + (isRead ? 1 : 0), "\(before) \(byteCount) \(end)")
        #expect(found.rejectCodes == (isRead ? [] : ["\(before == 0 ? 1 : 2) row-too-long"]))
        guard let reject = found.rejects.first else { continue }
        #expect(
          reject.byte == start.utf8.count && row.utf8.starts(with: reject.row) && reject.row.count > 1000
        )
        #expect(reject.message.contains("(\(byteCount) bytes)"), "\(reject.message)")
      }
    }
  }

  @Test func countsLinesAfterLongRow() throws {
    let long = Self.row(6 << 20, "1")
    let found = try Outcome("\(Self.good)\n\(long)\r\n\(Self.good)\n[]\n")
    #expect(found.rejectCodes == ["2 row-too-long", "4 not-an-object"])
    #expect(found.rejects.last?.byte == 2 * (Self.good.utf8.count + 1) + long.utf8.count + 2)
  }

  /// A quote that is never closed makes only its own line invalid.
  @Test(arguments: [0, 1, 200_000])
  func rejectsLineWithOpenQuote(count: Int) throws {
    let rest = String(repeating: "USA,2\r\n", count: count)
    let found = try Outcome("storefront,amount\r\nUSA,1\r\n\"USA,3\r\n\(rest)USA,4")
    #expect(found.rejectCodes == ["3 malformed-csv"] && found.rejects.first?.row == Array("\"USA,3".utf8))
    #expect(found.rejects.first?.byte == 26 && found.summary.formatted == count + 2)
  }

  /// The lines of a long quoted field are not rows.
  @Test func rejectsLongQuotedFieldAsOneRow() throws {
    let lines = String(repeating: "USA,2,a long enough record for a quick test\r\n", count: 110_000)
    let found = try Outcome("storefront,amount,n\r\nUSA,1,\"\(lines)\"\r\nUSA,3,\r\n[\r\n")
    #expect(found.rejectCodes == ["2 row-too-long", "110004 wrong-field-count"])
    #expect(found.summary.formatted == 1 && found.text.hasSuffix("USA,3,,$3.00\r\n"))
  }

  /// If more than 4 MB follow an open quote, they may be rows or text of the field.
  @Test func throwsForOpenQuoteBeforeLongText() throws {
    let lines = String(repeating: "USA,2,a long enough record for a quick test\r\n", count: 110_000)
    let error = #expect(throws: BatchError.self) {
      try Batch().format("storefront,amount,n\r\nUSA,1,\"\(lines)")
    }
    #expect(error?.code == .malformedInput)
    #expect(
      error?.description.contains("in the row at byte 21 is not closed") == true,
      "\(error.debugDescription)"
    )
  }

  @Test func rejectsLongRecord() throws {
    let long = String(repeating: "x", count: 5 << 20)
    let found = try Outcome("storefront,amount,n\nUSA,1,\nUSA,2,\(long)\nUSA,3,\n")
    #expect(found.rejectCodes == ["3 row-too-long"] && found.summary.formatted == 2)
  }
}
