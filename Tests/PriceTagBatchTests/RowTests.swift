import Foundation
import PriceTag
import PriceTagBatch
import PriceTagText
import Testing

/// Rows, fields, prices and options of a batch.
@Suite struct RowTests {
  typealias Row = (name: String, change: Change, input: String, output: String)

  private static let usa = #""storefront":"USA""#

  static let rows: [Row] = [
    (
      "a row", { _ in }, #"{"storefront":"JPN","amount":"1200"}"# + "\n",
      #"{"storefront":"JPN","amount":"1200","display":"￥1,200"}"# + "\n"
    ),
    (
      "no last line feed", { _ in }, #"{\#(usa),"amount":"1"}"#,
      #"{\#(usa),"amount":"1","display":"$1.00"}"# + "\n"
    ),
    (
      "carriage returns", { _ in }, "{\(usa),\"amount\":\"1\"}\r\n{\(usa),\"amount\":\"2\"}\r\n",
      "{\(usa),\"amount\":\"1\",\"display\":\"$1.00\"}\r\n{\(usa),\"amount\":\"2\",\"display\":\"$2.00\"}\r\n"
    ),
    (
      "spaces and tabs", { _ in }, "  { \"storefront\" :\t\"USA\" , \"amount\":  \"1\"\t} \t\n",
      "  { \"storefront\" :\t\"USA\" , \"amount\":  \"1\",\"display\":\"$1.00\"\t} \t\n"
    ),
    (
      "blank lines", { _ in }, "\n \t\n\r\n{\(usa),\"amount\":\"1\"}\n\n\n{\(usa),\"amount\":\"2\"}\n\n",
      "{\(usa),\"amount\":\"1\",\"display\":\"$1.00\"}\n{\(usa),\"amount\":\"2\",\"display\":\"$2.00\"}\n"
    ),
    (
      "a byte order mark is not part of a row", { _ in }, "\u{FEFF}{\(usa),\"amount\":\"1\"}",
      "{\(usa),\"amount\":\"1\",\"display\":\"$1.00\"}\n"
    ),
    (
      "nested values, unknown fields and order", { _ in },
      #"{"z":{"amount":[1,{"display":null}]},\#(usa),"a":[[],{}],"amount":1.50,"":-0.0E+1}"#,
      #"{"z":{"amount":[1,{"display":null}]},\#(usa),"a":[[],{}],"amount":1.50,"":-0.0E+1,"display":"$1.50"}"#
        + "\n"
    ),
    (
      "escapes in keys and values", { _ in },
      #"{"\u0073torefront":"\u0055SA","am\u006funt":"\u0031","x":"\ud83d\ude00\/\""}"#,
      #"{"\u0073torefront":"\u0055SA","am\u006funt":"\u0031","x":"\ud83d\ude00\/\"","display":"$1.00"}"#
        + "\n"
    ),
    (
      "rows of different shapes", { _ in },
      #"{\#(usa),"amount":"1"}"# + "\n" + #"{"amount":"2",\#(usa)}"# + "\n" + #"{\#(usa),"amount":"3","x":1}"#
        + "\n"
        + #"{\#(usa)}"# + "\n" + #"{\#(usa),"amounts":"9","amount":"4"}"# + "\n" + #"{\#(usa),"amount":"5"}"#,
      #"{\#(usa),"amount":"1","display":"$1.00"}"# + "\n" + #"{"amount":"2",\#(usa),"display":"$2.00"}"#
        + "\n"
        + #"{\#(usa),"amount":"3","x":1,"display":"$3.00"}"# + "\n"
        + #"{\#(usa),"amounts":"9","amount":"4","display":"$4.00"}"# + "\n"
        + #"{\#(usa),"amount":"5","display":"$5.00"}"# + "\n"
    ),
    ("no rows", { _ in }, "", ""),
    ("blank lines only", { _ in }, "\n \n", ""),
    (
      "CSV", { _ in }, "storefront,amount\nUSA,1\nJPN,\"1200\"\n",
      "storefront,amount,display\nUSA,1,$1.00\nJPN,\"1200\",\"￥1,200\"\n"
    ),
    (
      "CSV with quotes and line breaks", { _ in },
      "\"a \"\"b\"\"\",storefront,amount\r\n\"x,\r\n\"\"y\"\"\",\"USA\",1\r\n,USA,2\r\n",
      "\"a \"\"b\"\"\",storefront,amount,display\r\n\"x,\r\n\"\"y\"\"\",\"USA\",1,$1.00\r\n,USA,2,$2.00\r\n"
    ),
    (
      "CSV with a byte order mark, which is copied", { _ in }, "\u{FEFF}amount,storefront\n1,USA\n",
      "\u{FEFF}amount,storefront,display\n1,USA,$1.00\n"
    ),
    (
      "the last record without a line end", { _ in }, "storefront,amount\nUSA,1",
      "storefront,amount,display\nUSA,1,$1.00\n"
    ),
    ("only a header", { _ in }, "storefront,amount", "storefront,amount,display\n"),
    (
      "empty columns", { _ in }, ",storefront,amount\n\"\",USA,1\n",
      ",storefront,amount,display\n\"\",USA,1,$1.00\n"
    ),
    (
      "semicolons", { $0.delimiter = UInt8(ascii: ";") }, "storefront;amount;n\nDEU;4.99;a,b\n",
      "storefront;amount;n;display\nDEU;4.99;a,b;4,99\u{A0}€\n"
    ),
    (
      "tabs", { $0.delimiter = 0x09 }, "storefront\tamount\nUSA\t1\n",
      "storefront\tamount\tdisplay\nUSA\t1\t$1.00\n"
    ),
    (
      "JSON to CSV", { $0.output = .csv },
      #"{\#(usa),"amount":"1200","n":"a,\"b\"\n","o":{"x":[1, 2]},"e":null,"t":true,"d":1.50}"# + "\n"
        + #"{"amount":2,\#(usa),"d":"\u00e9"}"#,
      "storefront,amount,n,o,e,t,d,display\nUSA,1200,\"a,\"\"b\"\"\n\",\"{\"\"x\"\":[1, 2]}\",,true,1.50,\"$1,200.00\"\n"
        + "USA,2,,,,,é,$2.00\n"
    ),
    (
      "CSV to JSON", { $0.output = .jsonl },
      "\u{FEFF}storefront,\"a \"\"b\"\"\",amount\r\nUSA,\"x\n\"\"y\"\"\t\\\u{1}\",1\r\n",
      #"{"storefront":"USA","a \"b\"":"x\n\"y\"\t\\\u0001","amount":"1","display":"$1.00"}"# + "\n"
    ),
  ]

  @Test(arguments: rows)
  func copiesEveryByte(name: String, change: Change, input: String, output: String) throws {
    let found = try Outcome(input, .test(change))
    #expect(found.text == output, "\(name)")
    #expect(found.summary.formatted + found.summary.rejected == found.summary.read)
  }

  /// Bytes that JSON or CSV escapes are found at every place of a text.
  @Test(arguments: ["\"", "\\", "\u{1F}", "\u{1}", ",", "\n", "\r", "\u{7F}", "é", " "])
  func escapesEveryPlace(character: String) throws {
    let texts = (1...17).flatMap { count in
      (0..<count).map {
        String(repeating: "a", count: $0) + character + String(repeating: "b", count: count - $0 - 1)
      }
    }
    let rows = texts.map { "{\"x\":\(json($0)),\"storefront\":\"USA\",\"amount\":\"1\"}\n" }
    let records = try Outcome(rows.joined(), .test { $0.output = .csv })
    let expected = texts.map { (",\"\n\r".contains(character) ? quotedForCSV($0) : $0) + ",USA,1,$1.00\n" }
    #expect(records.text == "x,storefront,amount,display\n" + expected.joined())
    let again = try Outcome(records.text, .test { ($0.output, $0.overwrites) = (.jsonl, true) })
    #expect(again.text == rows.map { $0.dropLast(2) + ",\"display\":\"$1.00\"}\n" }.joined())
  }

  @Test func formatsString() throws {
    let (text, rejects) = try Batch().format("{\(Self.usa),\"amount\":\"1\"}\nnope\n")
    #expect(text == "{\(Self.usa),\"amount\":\"1\",\"display\":\"$1.00\"}\n")
    #expect(rejects.map(\.line) == [2])
  }

  // MARK: Fields

  static let fields: [(fields: [BatchField], output: String)] = [
    ([], ""),
    ([.spoken], #","spoken":"1.00 US dollars""#),
    ([.isolated], ",\"isolated\":\"\u{2068}$1.00\u{2069}\""),
    ([.html], #","html":"<bdi lang=\"en-US\" dir=\"ltr\">$1.00</bdi>""#),
    (
      [.parts],
      #","parts":[{"type":"symbol","value":"$"},{"type":"integer","value":"1"},{"type":"decimal","value":"."},{"type":"fraction","value":"00"}]"#
    ),
    (
      [.html, .isolated, .spoken],
      ",\"html\":\"<bdi lang=\\\"en-US\\\" dir=\\\"ltr\\\">$1.00</bdi>\",\"isolated\":\"\u{2068}$1.00\u{2069}\",\"spoken\":\"1.00 US dollars\""
    ),
  ]

  @Test(arguments: fields)
  func appendsFieldsInOrder(fields: [BatchField], output: String) throws {
    let found = try Outcome("{\(Self.usa),\"amount\":\"1\"}", .test { $0.fields = fields })
    #expect(found.text == "{\(Self.usa),\"amount\":\"1\",\"display\":\"$1.00\"\(output)}\n")
  }

  static let overwritten: [Row] = [
    (
      "in its place", { _ in }, #"{"display":null,\#(usa),"amount":"1"}"#,
      #"{"display":"$1.00",\#(usa),"amount":"1"}"#
    ),
    (
      "any value", { _ in }, #"{\#(usa), "display" : {"a":[1]} ,"amount":"1"}"#,
      #"{\#(usa), "display" : "$1.00" ,"amount":"1"}"#
    ),
    (
      "a string with escapes, and its key too", { _ in }, #"{\#(usa),"displ\u0061y":"\"\\","amount":"1"}"#,
      #"{\#(usa),"displ\u0061y":"$1.00","amount":"1"}"#
    ),
    (
      "one exists, and the other does not", { $0.fields = [.spoken] }, #"{"spoken":1,\#(usa),"amount":"1"}"#,
      #"{"spoken":"1.00 US dollars",\#(usa),"amount":"1","display":"$1.00"}"#
    ),
    (
      "in another order", { $0.fields = [.spoken] }, #"{"spoken":"","display":"",\#(usa),"amount":"1"}"#,
      #"{"spoken":"1.00 US dollars","display":"$1.00",\#(usa),"amount":"1"}"#
    ),
    (
      "none exists", { _ in }, #"{\#(usa),"amount":"1","spoken":"x"}"#,
      #"{\#(usa),"amount":"1","spoken":"x","display":"$1.00"}"#
    ),
    (
      "a column", { $0.fields = [.spoken] }, "storefront,display,amount\nUSA,\"x,y\",1",
      "storefront,display,amount,spoken\nUSA,$1.00,1,1.00 US dollars"
    ),
    (
      "a column, to JSON", { $0.output = .jsonl }, "storefront,display,amount\nUSA,\"x,y\",1",
      #"{"storefront":"USA","display":"$1.00","amount":"1"}"#
    ),
    (
      "a key, to CSV", { $0.output = .csv }, #"{"display":"x",\#(usa),"amount":"1000"}"#,
      "display,storefront,amount\n\"$1,000.00\",USA,1000"
    ),
  ]

  @Test(arguments: overwritten)
  func replacesExistingFields(name: String, change: Change, input: String, output: String) throws {
    let options = BatchOptions.test {
      change(&$0)
      $0.overwrites = true
    }
    let once = try Outcome(input, options)
    #expect(once.text == output + "\n", "\(name)")
    var again = options
    again.input = options.output
    #expect(try Outcome(once.text, again).text == once.text, "\(name)")
  }

  @Test func rejectsExistingFieldsByDefault() throws {
    let row = try Outcome("{\(Self.usa),\"amount\":\"1\",\"display\":\"x\"}")
    #expect(row.rejectCodes == ["1 field-exists display"] && row.bytes.isEmpty)
    #expect(throws: (any Error).self) { try Outcome("storefront,display,amount\nUSA,,1") }
    do throws(BatchError) {
      _ = try Outcome("storefront,html,amount\nUSA,,1", .test { $0.fields = [.html] })
      Issue.record("the column html was overwritten")
    } catch { #expect(error.code == .fieldExists && error.place == "rows, line 1", "\(error)") }
  }

  // MARK: Prices

  static let prices: [(name: String, fields: String, display: String)] = [
    ("text", #""storefront":"USA","amount":"4.99""#, "$4.99"),
    ("a number", #""storefront":"USA","amount":4.99"#, "$4.99"),
    ("a number with many zeros", #""storefront":"USA","amount":4.990000"#, "$4.99"),
    ("a negative amount", #""storefront":"USA","amount":"-4.99""#, "-$4.99"),
    ("the largest", #""storefront":"JPN","amount":"9223372036854775807""#, "￥9,223,372,036,854,775,807"),
    ("minor units", #""storefront":"USA","amountMinor":499"#, "$4.99"),
    ("minor units as text", #""storefront":"JPN","amountMinor":"499""#, "￥499"),
    ("three minor digits", #""priceLocale":"en-KW","currency":"KWD","amountMinor":1234"#, "KWD\u{A0}1.234"),
    ("micros", #""storefront":"USA","amountMicros":4990000"#, "$4.99"),
    (
      "a provider's minor units",
      #""priceLocale":"is-IS","currency":"ISK","amountMinor":500,"minorUnits":"stripe""#, "5\u{A0}kr."
    ),
    (
      "null is absent",
      #""storefront":"USA","amount":null,"amountMinor":499,"currency":null,"at":null,"minorUnits":null"#,
      "$4.99"
    ),
    (
      "the form of a store's web pages", #""storefront":"HUN","writtenAs":"store-web","amount":8990"#,
      "HUF8,990.00"
    ),
    ("that of a language", #""storefront":"TWN","writtenAs":"store-web:zh","amount":690"#, "$690.00"),
    ("ICU's form", #""storefront":"ROU","writtenAs":"icu","amount":8990"#, "8.990,00\u{A0}RON"),
    ("no form", #""storefront":"ROU","writtenAs":null,"amount":8990"#, "8.990,00\u{A0}RON"),
    ("a storefront with its currency", #""storefront":"USA","currency":"USD","amount":1"#, "$1.00"),
    ("another code of a territory", #""storefront":"us","amount":1"#, "$1.00"),
    (
      "the last date before a change of currency", #""storefront":"BGR","at":"2025-12-31","amount":1"#,
      "BGN\u{A0}1.00"
    ),
    ("the date of the change", #""storefront":"BGR","at":"2026-01-01","amount":1"#, "€1.00"),
    ("a price locale and a currency", #""priceLocale":"de-DE","currency":"EUR","amount":1.5"#, "1,50\u{A0}€"),
    ("a range", #""storefront":"DEU","amount":"0.99","amountTo":"4.99""#, "0,99–4,99\u{A0}€"),
    (
      "a range with a number", #""priceLocale":"es-ES","currency":"EUR","amount":"1","amountTo":2.50"#,
      "1,00-2,50\u{A0}€"
    ),
    ("a range of one price", #""storefront":"USA","amount":"4.99","amountTo":"4.990""#, "$4.99"),
    (
      "a range of large amounts", #""storefront":"DEU","amount":"1000","amountTo":"1234567.5""#,
      "1.000,00–1.234.567,50\u{A0}€"
    ),
    ("a range of yen", #""storefront":"JPN","amount":"0","amountTo":"1200""#, "￥0 ～ ￥1,200"),
    ("a range from below zero", #""storefront":"USA","amount":"-5","amountTo":"4.99""#, "-$5.00 – $4.99"),
    ("no end of a range", #""storefront":"USA","amount":"4.99","amountTo":null"#, "$4.99"),
    (
      "a storefront with another price locale", #""storefront":"CHE","priceLocale":"fr-CH","amount":1.99"#,
      "1.99\u{A0}CHF"
    ),
  ]

  @Test(arguments: prices)
  func formatsPrice(name: String, fields: String, display: String) throws {
    let found = try Outcome("{\(fields)}")
    #expect(found.text == "{\(fields),\"display\":\"\(display)\"}\n", "\(name)")
    // The same values as CSV text.
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data("{\(fields)}".utf8)) as? [String: Any]
    )
    let keys = object.keys.filter { !(object[$0] is NSNull) && !($0 == "amount" && object[$0] is NSNumber) }
      .sorted()
    guard keys.contains(where: { $0.hasPrefix("amount") }) else { return }
    let values = keys.map { key in object[key].map { "\($0)" } ?? "" }
    let csv = try Outcome(
      "\(keys.joined(separator: ";"))\n\(values.joined(separator: ";"))\n",
      .test {
        $0.delimiter = UInt8(ascii: ";")
      }
    )
    #expect(csv.text.hasSuffix(";\(display)\n"), "\(name): \(csv.text) \(csv.rejectCodes)")
  }

  /// Every output field of a range.
  @Test func appendsFieldsOfRange() throws {
    let fields: [BatchField] = [.spoken, .isolated, .html, .parts]
    let price = try PriceFormatter(storefront: Storefront("DEU")).format(from: "1", to: "2")
    let row = #"{"storefront":"DEU","amount":1,"amountTo":2.0}"#
    let found = try Outcome(row, .test { $0.fields = fields })
    let line = try #require(
      try JSONSerialization.jsonObject(with: Data(found.text.utf8)) as? [String: Any]
    )
    #expect(line["display"] as? String == "1,00–2,00\u{A0}€")
    #expect(line["spoken"] as? String == price.spoken && price.spoken.hasSuffix("Euro"))
    #expect(line["isolated"] as? String == price.isolated)
    #expect(line["html"] as? String == price.html)
    let parts = try #require(line["parts"] as? [[String: String]])
    #expect(parts.compactMap { $0["value"] } == price.parts.map(\.value))
  }

  static let formStyles: [(name: String, change: Change)] = [
    ("every storefront", { _ in }), ("iso", { $0.style.width = .iso }), ("trim", { $0.style.zeros = .trim }),
    ("name", { $0.style.width = .name }), ("accounting", { $0.style.sign = .accountingAlways }),
    ("hidden", { $0.style.width = .hidden }), ("compact", { $0.style.notation = .compactShort }),
    (
      "rounded",
      {
        $0.style.digits = .fixed(0)
        $0.style.rounding = .halfEven
      }
    ), ("approximate", { $0.style.qualifier = .approximately }),
    ("other digits", { $0.style.numberingSystem = "arab" }),
  ]

  /// The fields of rows, which are written without a `FormattedPrice`, are those of one.
  @Test(arguments: formStyles.indices)
  func appendsFieldsOfPrice(index: Int) throws {
    let (name, change) = Self.formStyles[index]
    let fields: [BatchField] = [.parts, .html, .spoken, .isolated]
    let options = BatchOptions.test {
      $0.fields = fields
      change(&$0)
    }
    let ids = ["USA", "DEU", "CHE", "SAU", "ISR", "IND", "JPN", "POL", "EGY", "BRA"]
    let storefronts =
      try name == "every storefront" ? LocaleData.embedded.storefronts : ids.map { try Storefront($0) }
    let amounts = ["1", "-1", "0", "2", "1234567.5", "-21", "1000000", "0.99"]
    // Each row twice, so that the second one takes the fast path.
    let rows = storefronts.flatMap { store in
      (amounts + amounts).map { #"{"storefront":"\#(store.id)","amount":"\#($0)"}"# }
    }
    let found = try Outcome(rows.joined(separator: "\n"), options)
    var expected: [String] = []
    for store in storefronts {
      let formatter = try PriceFormatter(storefront: store, style: options.style)
      for text in amounts + amounts {
        guard let price = try? formatter.format(text) else { continue }
        let parts = price.parts.map { #"{"type":"\#($0.type.rawValue)","value":"\#($0.value)"}"# }
        expected.append(
          #"{"storefront":"\#(store.id)","amount":"\#(text)","display":"\#(price.text)","parts":[\#(parts.joined(separator: ","))],"#
            + #""html":"\#(price.html.replacing("\"" as String, with: "\\\""))","spoken":"\#(price.spoken)","isolated":"\#(price.isolated)"}"#
        )
      }
    }
    let lines = found.text.split(separator: "\n").map(String.init)
    #expect(lines.count == expected.count && expected.count + found.rejects.count == rows.count)
    let wrong = zip(lines, expected).filter { $0 != $1 }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(2))")
  }

  static let styles: [(name: String, change: Change, amount: String, display: String)] = [
    ("name", { $0.style.width = .name }, "5", "5.00 US dollars"),
    ("iso", { $0.style.width = .iso }, "5", "USD\u{A0}5.00"),
    ("trim", { $0.style.zeros = .trim }, "5", "$5"),
    ("always a sign", { $0.style.sign = .always }, "5", "+$5.00"),
    ("accounting", { $0.style.sign = .accounting }, "-5", "($5.00)"),
    ("digits", { $0.style.digits = .fixed(3) }, "5.125", "$5.125"),
    ("a range of digits", { $0.style.digits = .range(0...2) }, "5.50", "$5.5"),
    ("no currency", { $0.style.width = .hidden }, "1234", "1,234.00"),
    ("an unambiguous symbol", { $0.style.width = .unambiguous }, "5", "USD\u{A0}5.00"),
    ("a sign except for zero", { $0.style.sign = .exceptZero }, "0", "$0.00"),
    ("no groups", { $0.style.grouping = .never }, "1234567", "$1234567.00"),
    ("other digits", { $0.style.numberingSystem = "arab" }, "5", "٥٫٠٠\u{A0}$"),
    ("a compact form", { $0.style.notation = .compactShort }, "1200000", "$1.2M"),
    (
      "a long compact form with a name",
      {
        $0.style.notation = .compactLong
        $0.style.width = .name
      }, "1200000", "1.2 million US dollars"
    ),
    ("about", { $0.style.qualifier = .approximately }, "5", "~$5.00"),
    ("at least", { $0.style.qualifier = .atLeast }, "5", "$5.00+"),
    ("rounding", { $0.style.rounding = .halfUp }, "5.125", "$5.13"),
    ("minor units of a provider", { $0.minorUnits = "stripe" }, "5", "$5.00"),
  ]

  @Test(arguments: styles)
  func appliesStyle(name: String, change: Change, amount: String, display: String) throws {
    let found = try Outcome("{\(Self.usa),\"amount\":\"\(amount)\"}", .test(change))
    #expect(found.text == "{\(Self.usa),\"amount\":\"\(amount)\",\"display\":\"\(display)\"}\n", "\(name)")
  }

  @Test func prefersFormOfRow() throws {
    let row = #"{"storefront":"ROU","amount":"8990"}"# + "\n"
    let rows = row + row.replacing("}", with: #","writtenAs":"icu"}"#) + row
    let found = try Outcome(rows, .test { $0.style.writtenAs = .storeWeb() })
    let displays = found.text.split(separator: "\n").map { $0.split(separator: "\"").suffix(2).first ?? "" }
    #expect(displays == ["8\u{A0}990,00\u{A0}lei", "8.990,00\u{A0}RON", "8\u{A0}990,00\u{A0}lei"])
  }

  @Test func prefersMinorUnitsOfRow() throws {
    let rows =
      #"{"priceLocale":"is-IS","currency":"ISK","amountMinor":500}"# + "\n"
      + #"{"priceLocale":"is-IS","currency":"ISK","amountMinor":500,"minorUnits":"iso"}"#
    let found = try Outcome(rows, .test { $0.minorUnits = "stripe" })
    #expect(found.text.contains("5\u{A0}kr.") && found.text.contains("500\u{A0}kr."), "\(found.text)")
  }

  /// A merchant's symbol may have characters that JSON or CSV escapes.
  @Test func escapesOverriddenSymbol() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let overrides =
      #"{"schema":1,"overrides":[{"storefront":"USA","currency":"USD","symbol":"a\"\\,b","reason":"a test"}]}"#
    try Data(overrides.utf8).write(to: folder.appending(path: "currency-overrides.json"))
    let data = try LocaleData(folder: folder.path)
    let row = "{\(Self.usa),\"amount\":\"1\"}\n"
    for count in [1, 3] {
      let rows = String(repeating: row, count: count)
      let json = try Outcome(rows, .test { $0.localeData = data })
      #expect(json.summary.formatted == count)
      for line in json.text.split(separator: "\n") {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
        #expect(object?["display"] == "a\"\\,b\u{A0}1.00", "\(line)")
      }
      let csv = try Outcome(
        rows,
        .test {
          $0.localeData = data
          $0.output = .csv
        }
      )
      #expect(csv.text.hasPrefix("storefront,amount,display\nUSA,1,\"a\"\"\\,b\u{A0}1.00\"\n"), "\(csv.text)")
    }
  }

  // MARK: Errors

  static let invalidBatches: [(name: String, change: Change, input: String, code: BatchError.Code)] = [
    ("a delimiter that is a quote", { $0.delimiter = 0x22 }, "", .invalidOption),
    ("a delimiter that is a letter", { $0.delimiter = 0x41 }, "", .invalidOption),
    ("a delimiter outside ASCII", { $0.delimiter = 0xE9 }, "", .invalidOption),
    ("a delimiter that is a line feed", { $0.delimiter = 0x0A }, "", .invalidOption),
    ("a field twice", { $0.fields = [.html, .html] }, "", .invalidOption),
    ("an unknown provider", { $0.minorUnits = "strip" }, "", .invalidOption),
    ("UTF-16", { _ in }, "{\u{0}\"\u{0}a\u{0}", .notUTF8),
    ("a column twice", { _ in }, "storefront,amount,amount\nUSA,1,1", .malformedHeader),
    ("no amount", { _ in }, "storefront,price\nUSA,1", .malformedHeader),
    (
      "no amount, but a similar name with a vertical tab", { _ in }, "storefront,amoun\u{B}\nUSA,1",
      .malformedHeader
    ),
    ("no storefront", { _ in }, "currency,amount\nUSD,1", .malformedHeader),
    (
      "another delimiter", { $0.delimiter = UInt8(ascii: ",") }, "storefront;amount\nUSA;1", .malformedHeader
    ),
    ("no header", { $0.input = .csv }, "", .malformedHeader),
    ("an open quote in the header", { _ in }, "storefront,\"amount\nUSA,1", .malformedHeader),
    ("a column that is written", { _ in }, "storefront,amount,display\n", .fieldExists),
    ("strict", { $0.isStrict = true }, "{\(usa),\"amount\":1}\n{}", .rejected),
  ]

  @Test(arguments: invalidBatches)
  func throwsForInvalidBatch(name: String, change: Change, input: String, code: BatchError.Code) {
    do throws(BatchError) {
      let found = try Outcome(input, .test(change))
      Issue.record("\(name) was accepted: \(found.text)")
    } catch {
      #expect(error.code == code && !error.description.contains { $0.isNewline }, "\(name): \(error)")
    }
  }
}
