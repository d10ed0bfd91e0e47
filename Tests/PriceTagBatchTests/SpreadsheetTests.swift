import PriceTag
import PriceTagBatch
import Testing

/// Spreadsheets: their delimiters, decimal commas, and columns with other names or of one storefront.
@Suite struct SpreadsheetTests {
  typealias Case = (name: String, change: Change, input: String, output: String, rejects: [String])

  private static let comma: Change = { $0.usesDecimalComma = true }

  /// Returns the change that maps columns.
  private static func map(_ columns: String..., also change: @escaping Change = { _ in }) -> Change {
    { options in
      options.columns = columns.compactMap { try? BatchColumn($0) }
      change(&options)
    }
  }

  static let delimiters: [Case] = [
    (
      "a comma", { _ in }, "storefront,amount\nDEU,1\n", "storefront,amount,display\nDEU,1,\"1,00\u{A0}€\"\n",
      []
    ),
    (
      "a semicolon", { _ in }, "storefront;amount\nDEU;1\n", "storefront;amount;display\nDEU;1;1,00\u{A0}€\n",
      []
    ),
    (
      "a tab", { _ in }, "storefront\tamount\nDEU\t1\n", "storefront\tamount\tdisplay\nDEU\t1\t1,00\u{A0}€\n",
      []
    ),
    (
      "a comma within a name", { _ in }, "storefront;amount;Preis, netto\nUSA;1;2\n",
      "storefront;amount;Preis, netto;display\nUSA;1;2;$1.00\n", []
    ),
    (
      "commas within quotes", { _ in }, "\"a,b\n,,,\";storefront;amount\nx;USA;1\n",
      "\"a,b\n,,,\";storefront;amount;display\nx;USA;1;$1.00\n", []
    ),
    (
      "after blank lines and a byte order mark", { _ in }, "\u{FEFF}\r\n\nstorefront;amount\r\nUSA;x\r\n",
      "\u{FEFF}storefront;amount;display\r\n", ["4 malformed-amount amount"]
    ),
    (
      "a line that names it", { _ in }, "sep=;\nstorefront;amount\nUSA;1\nUSA;x\n",
      "storefront;amount;display\nUSA;1;$1.00\n", ["4 malformed-amount amount"]
    ),
    (
      "a quoted line that names a bar", { _ in }, "\u{FEFF}\"SEP=|\"\r\nstorefront|amount\r\nUSA|1\r\n",
      "\u{FEFF}storefront|amount|display\r\nUSA|1|$1.00\r\n", []
    ),
    (
      "the same in the options", { $0.delimiter = UInt8(ascii: ";") }, "sep=;\nstorefront;amount\nUSA;1\n",
      "storefront;amount;display\nUSA;1;$1.00\n", []
    ),
    (
      "another one for the output", { $0.outputDelimiter = 0x09 }, "storefront;amount;n\nUSA;1;a\tb\n",
      "storefront\tamount\tn\tdisplay\nUSA\t1\t\"a\tb\"\t$1.00\n", []
    ),
    (
      "JSON output", { $0.output = .jsonl }, "storefront;amount\nUSA;1\n",
      #"{"storefront":"USA","amount":"1","display":"$1.00"}"# + "\n", []
    ),
  ]

  static let decimalCommas: [Case] = [
    (
      "a comma without the option", { _ in }, "storefront;amount\nDEU;49,99\nDEU;1.234,50\n",
      "storefront;amount;display\n", ["2 malformed-amount amount", "3 malformed-amount amount"]
    ),
    (
      "a comma", comma, "storefront;amount\nDEU;49,99\nDEU;-0,5\nDEU;7\nDEU;\"1234,50\"\n",
      "storefront;amount;display\nDEU;49,99;49,99\u{A0}€\nDEU;-0,5;-0,50\u{A0}€\nDEU;7;7,00\u{A0}€\nDEU;\"1234,50\";1.234,50\u{A0}€\n",
      []
    ),
    (
      "points and groups", comma,
      "storefront;amount\nDEU;1.234,50\nDEU;1.234\nDEU;49.99\nDEU;1,234,5\nDEU;1 234,50\n",
      "storefront;amount;display\n", (2...6).map { "\($0) malformed-amount amount" }
    ),
    (
      "a comma without digits", comma,
      "storefront;amount\nDEU;1,\nDEU;,5\nDEU;,\nDEU;99999999999999999999,5\n",
      "storefront;amount;display\n",
      [
        "2 malformed-amount amount", "3 malformed-amount amount", "4 malformed-amount amount",
        "5 amount-out-of-range amount",
      ]
    ),
    (
      "the end of a range", comma, "storefront;amount;amountTo\nDEU;1,5;2,5\nDEU;1,5;2.5\n",
      "storefront;amount;amountTo;display\nDEU;1,5;2,5;1,50–2,50\u{A0}€\n", ["3 malformed-amount amountTo"]
    ),
    (
      "an integer of minor units", comma, "storefront;amountMinor\nDEU;4999\nDEU;49,99\n",
      "storefront;amountMinor;display\nDEU;4999;49,99\u{A0}€\n", ["3 malformed-amount amountMinor"]
    ),
    (
      "JSON, whose numbers have a point", comma,
      #"{"storefront":"USA","amount":"4,99"}"# + "\n" + #"{"storefront":"USA","amount":4.99}"# + "\n"
        + #"{"storefront":"USA","amount":"4\u002C99"}"# + "\n" + #"{"storefront":"USA","amount":"4.99"}"#,
      #"{"storefront":"USA","amount":"4,99","display":"$4.99"}"# + "\n"
        + #"{"storefront":"USA","amount":4.99,"display":"$4.99"}"# + "\n"
        + #"{"storefront":"USA","amount":"4\u002C99","display":"$4.99"}"# + "\n",
      ["4 malformed-amount amount"]
    ),
  ]

  static let mappedColumns: [Case] = [
    (
      "other names", map("Land=storefront", "Preis=amount"), "Artikel,Land,Preis\n1,USA,2\n2,USA,x\n",
      "Artikel,Land,Preis,display\n1,USA,2,$2.00\n", ["3 malformed-amount Preis"]
    ),
    (
      "a name with signs", map("a=b@c=amount"), "storefront,a=b@c\nUSA,2\n",
      "storefront,a=b@c,display\nUSA,2,$2.00\n", []
    ),
    (
      "an accent in another normal form", map("Wa\u{308}hrung=currency"),
      "storefront,amount,W\u{E4}hrung\nUSA,2,EUR\n",
      "storefront,amount,W\u{E4}hrung,display\n", ["2 currency-mismatch Wa\u{308}hrung"]
    ),
    (
      "a column that has the name of another field", map("amount=amountMinor"),
      "storefront,amount\nUSA,200\n",
      "storefront,amount,display\nUSA,200,$2.00\n", []
    ),
    (
      "a field beside the column that replaces it", map("price=amount"), "storefront,amount,price\nUSA,x,2\n",
      "storefront,amount,price,display\nUSA,x,2,$2.00\n", []
    ),
    (
      "JSON", map("Preis=amount", "amount=amountTo"),
      #"{"storefront":"USA","Preis":"2"}"# + "\n" + #"{"storefront":"USA","Preis":"2","amount":"3"}"# + "\n"
        + #"{"storefront":"USA","amount":"3"}"#,
      #"{"storefront":"USA","Preis":"2","display":"$2.00"}"# + "\n"
        + #"{"storefront":"USA","Preis":"2","amount":"3","display":"$2.00 – $3.00"}"# + "\n",
      ["3 missing-amount Preis"]
    ),
    (
      "other forms of a price", map("Inhalt=content", also: { $0.fields = [.unitPrice] }),
      "storefront,amount,Inhalt\nUSA,2,1 kg\nUSA,2,x\n",
      "storefront,amount,Inhalt,display,unitPrice\nUSA,2,1 kg,$2.00,$2.00/kg\n",
      ["3 malformed-content Inhalt"]
    ),
  ]

  private static let stores = map("DE=amount@DEU", "US=amount@us")

  static let columnsOfStorefronts: [Case] = [
    (
      "a row for each", stores, "sku,US,DE,note\n1,2,3,a\n2,4,5,b\n",
      "sku,note,storefront,amount,display\n1,a,USA,2,$2.00\n1,a,DEU,3,\"3,00\u{A0}€\"\n2,b,USA,4,$4.00\n2,b,DEU,5,\"5,00\u{A0}€\"\n",
      []
    ),
    (
      "empty cells have none", stores, "sku,DE,US\n1,,2\n2,,\n3,\"\",x\n",
      "sku,storefront,amount,display\n1,USA,2,$2.00\n", ["4 malformed-amount US"]
    ),
    (
      "a rejected cell does not affect another", stores, "sku,DE,US\n1,x,2\n2,3,1.999\n3\n",
      "sku,storefront,amount,display\n1,USA,2,$2.00\n2,DEU,3,\"3,00\u{A0}€\"\n",
      ["2 malformed-amount DE", "3 needs-rounding US", "4 wrong-field-count"]
    ),
    (
      "semicolons, quotes and decimal commas", map("Preis DE=amount@DEU", also: comma),
      "sep=;\r\nArtikel;\"Preis DE\"\r\n\"A;\"\"1\"\"\";49,99\r\n",
      "Artikel;storefront;amount;display\r\n\"A;\"\"1\"\"\";DEU;49,99;49,99\u{A0}€\r\n", []
    ),
    (
      "another delimiter", map("DE=amount@DEU", also: { $0.outputDelimiter = UInt8(ascii: ";") }),
      "a,DE\n\"x,y\",3\n",
      "a;storefront;amount;display\nx,y;DEU;3;3,00\u{A0}€\n", []
    ),
    (
      "JSON output", map("DE=amountMinor@DEU", also: { $0.output = .jsonl }), "\"a\"\"b\",DE\n\"\"\"\",300\n",
      #"{"a\"b":"\"","storefront":"DEU","amountMinor":"300","display":"3,00\#u{A0}€"}"# + "\n", []
    ),
    (
      "nothing but prices", map("DE=amount@DEU"), "DE\n3\n",
      "storefront,amount,display\nDEU,3,\"3,00\u{A0}€\"\n",
      []
    ),
    (
      "a currency of all prices", stores, "DE,US,currency\n1,2,EUR\n",
      "currency,storefront,amount,display\nEUR,DEU,1,\"1,00\u{A0}€\"\n", ["2 currency-mismatch US"]
    ),
    (
      "a column that is written", map("DE=amount@DEU", also: { $0.overwrites = true }), "display,DE\nx,1\n",
      "storefront,amount,display\nDEU,1,\"1,00\u{A0}€\"\n", []
    ),
  ]

  @Test(arguments: delimiters + decimalCommas + mappedColumns + columnsOfStorefronts)
  func readsSpreadsheet(name: String, change: Change, input: String, output: String, rejects: [String]) throws
  {
    let found = try Outcome(input, .test(change))
    #expect(found.text == output, "\(name)")
    #expect(found.rejectCodes == rejects, "\(name)")
    #expect(found.summary.rejected == rejects.count)
  }

  @Test func countsEmptyCells() throws {
    let summary = try Outcome("sku,DE,US\n1,,2\n2,,\n3,x,4\n", .test(Self.stores)).summary
    #expect((summary.read, summary.formatted, summary.rejected, summary.notForSale) == (3, 2, 1, 3))
  }

  static let messages: [(change: Change, input: String, message: String)] = [
    (
      { _ in }, "storefront;amount\nDEU;49,99",
      #""49,99" is not a decimal amount; write it as 1234.50, or as 1234,50 with the option --decimal-comma"#
    ),
    (
      { _ in }, #"{"storefront":"DEU","amount":"1.234,50"}"#,
      #""1.234,50" is not a decimal amount; write it as 1234.50, or as 1234,50 with the option --decimal-comma"#
    ),
    (
      { _ in }, "storefront;amount\nDEU;x",
      #""x" is not a decimal amount; write ASCII digits with an optional sign and fraction, such as 1234.50"#
    ),
    (
      comma, "storefront;amount\nDEU;1.234,50",
      #""1.234,50" contains a point, and amounts have a decimal comma; write it as 1234,50, or do not pass --decimal-comma"#
    ),
    (
      comma, "storefront;amount\nDEU;1 234,50",
      #""1 234,50" is not an amount with a decimal comma; write ASCII digits with an optional sign and a decimal comma, such as 1234,50"#
    ),
    (
      comma, "storefront;amount\nDEU;99999999999999999999,5",
      #""99999999999999999999,5" is out of range; use at most 18 significant digits, of which at most 18 are after the decimal point"#
    ),
  ]

  @Test(arguments: messages)
  func namesDecimalComma(change: Change, input: String, message: String) throws {
    #expect(try Outcome(input, .test(change)).rejects.map(\.message) == [message])
  }

  /// Texts of columns, and the error of each.
  static let invalidColumns: [(text: String, error: String)] = [
    (
      "Preis",
      #""Preis" does not map a column to a field; write it as Preis=amount, or as "Preis DE=amount@DEU" for the prices of a storefront"#
    ),
    (
      "=amount",
      #""=amount" does not map a column to a field; write it as Preis=amount, or as "Preis DE=amount@DEU" for the prices of a storefront"#
    ),
    ("Preis=ammount", #"unknown field "ammount" in "Preis=ammount"; did you mean "amount"?"#),
    (
      "Preis=",
      #"unknown field "" in "Preis="; use one of storefront, priceLocale, currency, at, amount, amountMinor, amountMicros, amountTo, minorUnits, writtenAs, content, unitReference, installments"#
    ),
    (
      "Land=storefront@DEU",
      #"the field "storefront" in "Land=storefront@DEU" cannot have a storefront; use amount, amountMinor or amountMicros for the prices of a storefront"#
    ),
  ]

  @Test(arguments: invalidColumns)
  func rejectsColumn(text: String, error: String) {
    do throws(BatchError) {
      Issue.record("\(try BatchColumn(text))")
    } catch let thrown {
      #expect(thrown.description == error && thrown.code == .invalidOption)
    }
  }

  /// Options and headers that contradict each other, and the error of each.
  static let invalidSheets: [(change: Change, input: String, error: String)] = [
    (map("a=amount", "b=amount"), "", #"two columns are mapped to "amount"; remove one"#),
    (map("a=amount", "a=at"), "", #"the column "a" is mapped twice; remove one"#),
    (map("a=amount@DE", "b=amount@DEU"), "", "two columns are mapped to the storefront DEU; remove one"),
    (map("a=amount@DEX"), "", #""a=amount@DEX": unknown storefront "DEX"; did you mean "DEU"?"#),
    (
      map("a=amount@"), "",
      #""a=amount@": unknown storefront ""; use a code such as "USA" (pricetag storefronts lists all codes)"#
    ),
    (map("a=amount@DEU", "b=amount"), "", #""a=amount@DEU" and "b=amount" cannot be combined; remove one"#),
    (
      map("a=amount@DEU", "b=storefront"), "",
      #""a=amount@DEU" and "b=storefront" cannot be combined; remove one"#
    ),
    (
      map("a=amount@DEU", "b=amountTo"), "",
      #""a=amount@DEU" and "b=amountTo" cannot be combined; remove one"#
    ),
    (
      map("DE=amount@DEU"), "DE,amountTo\n",
      #"rows, line 1: the column "amountTo" is beside the columns of storefronts; rename it, or do not map columns to storefronts"#
    ),
    (
      map("DE=amount@DEU", "amount=content"), "DE,amount\n",
      #"rows, line 1: the column "amount" is beside the columns of storefronts; rename it, or do not map columns to storefronts"#
    ),
    (
      map("a=amount@DEU", "b=amountMinor@USA"), "",
      #""a=amount@DEU" and "b=amountMinor@USA" cannot be combined; remove one"#
    ),
    (
      map("a=amount@DEU"), #"{"a":"1"}"#,
      #"the column of a storefront "a=amount@DEU" requires CSV, but the input is JSON; write one row for each storefront"#
    ),
    (
      map("Preis DE=amount@DEU"), "sku,Preis  DE\n",
      #"rows, line 1: the column "Preis DE" is missing, which is mapped to amount; did you mean "Preis  DE"?"#
    ),
    (
      map("x=amount"), "storefront,amount\n",
      #"rows, line 1: the column "x" is missing, which is mapped to amount; map a column of the header"#
    ),
    (
      map("DE=amount@DEU"), "DE,storefront\n",
      #"rows, line 1: the column "storefront" is beside the columns of storefronts; rename it, or do not map columns to storefronts"#
    ),
    (
      { $0.delimiter = UInt8(ascii: ",") }, "sep=;\nstorefront;amount\n",
      #"rows: the first line names the delimiter ";", and the options name another; remove the line, or pass the delimiter that it names (--delimiter)"#
    ),
    (
      { _ in }, "sep=;\nsku;storefront;Betrag\n",
      #"rows, line 2: the column "amount" (or amountMinor, amountMicros) is missing; add it, or map another column to it (--map)"#
    ),
  ]

  @Test(arguments: invalidSheets)
  func rejectsSheet(change: Change, input: String, error: String) {
    do throws(BatchError) {
      let found = try Outcome(input, .test(change))
      Issue.record("\(error): \(found.text)")
    } catch let thrown {
      #expect(thrown.description == error)
    }
  }

  /// A header cannot take much memory, or time.
  @Test(arguments: [
    ("columns", String(repeating: "a,", count: 30_000) + "a\n"),
    ("empty columns", String(repeating: ",", count: 3_000_000)),
    ("a huge name", String(repeating: "n", count: 5_000_000) + "\n"),
    ("a quote that is not closed", "\"" + String(repeating: ";\n", count: 200_000)),
    ("quotes", String(repeating: "\"\"", count: 2_000_000) + "\n"),
  ])
  func rejectsHostileHeader(name: String, header: String) {
    #expect(throws: BatchError.self, "\(name)") { try Outcome("x;" + header, .test(Self.stores)) }
  }

  /// A long record of a wide sheet is written in parts, and its rows are the same with any number of threads.
  @Test func writesWideRecordsInParts() throws {
    let names = LocaleData.embedded.storefronts.map(\.id)
    let columns = try names.map { try BatchColumn("\($0)=amount@\($0)") }
    let note = String(repeating: "n", count: 100_000)
    let record = "\(note)," + names.map { _ in "1" }.joined(separator: ",") + "\n"
    let input = "note," + names.joined(separator: ",") + "\n" + record + "x,y\n" + record
    var texts: Set<String> = []
    for jobs in [1, 3] {
      let found = try Outcome(
        input,
        .test {
          ($0.columns, $0.jobs) = (columns, jobs)
          $0.style.rounding = .halfUp
        }
      )
      #expect(found.summary.read == 2 * names.count + 1 && found.rejectCodes == ["3 wrong-field-count"])
      #expect(found.largestWrite < 1 << 20)
      texts.insert(found.text)
    }
    #expect(texts.count == 1)
  }
}
