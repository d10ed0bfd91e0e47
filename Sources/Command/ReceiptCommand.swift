import ArgumentParser
import PriceTag
import PriceTagBatch
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagReceipts
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// `pricetag receipt` writes the receipts of orders.
struct ReceiptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "receipt",
    abstract: "Write the receipt of an order, or of many orders.",
    discussion: """
      An order is JSON: PriceTag's own format, a decoded App Store transaction, or a Stripe checkout session with its line \
      items. Amounts are in the storefront's locale and currency, and words in the buyer's language. The lines must add up \
      exactly to what was charged; amounts are never rounded. With --catalog, prices that differ from the catalog's on the \
      date of the order are reported as findings. Test orders (environment Sandbox or Xcode, livemode false) are marked on \
      the receipt and are findings.

      A file that ends in .jsonl or .ndjson, or --batch, is one order per line. Each receipt is then a line of JSON, with \
      the form of --to as a member. An order without a receipt is rejected.

      Examples:
        pricetag receipt order.json
        pricetag receipt order.json --to email --catalog shop.json -o mail.html
        pricetag receipt transaction.json --language ar --to page -o receipt.html
        pricetag receipt orders.jsonl --to email --rejects rejects.jsonl -o receipts.jsonl

      Exit codes: 0 all receipts were written; 1 no receipt could be written; 2 the command line is wrong; 3 there are \
      findings, or some orders were rejected.
      """
  )

  @Argument(
    help: "A file with an order, or with an order per line; - for standard input.",
    completion: .file()
  )
  var order: String

  @Option(
    help: ArgumentHelp(
      "The form of the receipt: page, email, text or json (default: by the name of the output, else text; for a batch, json).",
      valueName: "form"
    )
  )
  var to: ReceiptForm?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"),
    completion: .file()
  )
  var output = "-"

  @Option(
    help: ArgumentHelp(
      "A catalog whose prices and names to compare: a database of pricetag import, or any file that it reads.",
      valueName: "file"
    ),
    completion: .file()
  )
  var catalog: String?

  @Option(
    help: ArgumentHelp(
      "The language of the words, BCP 47 (default: that of the order, else the default language of the store).",
      valueName: "tag"
    )
  )
  var language: String?

  @Option(
    help: ArgumentHelp(
      "The storefront of orders that name none, and of buyers in a country for which no storefront is known.",
      valueName: "id"
    ),
    completion: .storefronts
  )
  var storefront: String?

  @Option(
    help: ArgumentHelp(
      "The format of the orders: pricetag, app-store or stripe (default: recognized for each order).",
      valueName: "format"
    )
  )
  var from: OrderFormat?

  @Flag(help: "Reject a language without strings, instead of using the default language of the store.")
  var strictLanguage = false

  @Flag(help: "Read one order per line.")
  var batch = false

  @Option(
    help: ArgumentHelp(
      "A file for the rejected orders of a batch, as JSON Lines (default: the first 20 are printed to standard error).",
      valueName: "file"
    ),
    completion: .file()
  )
  var rejects: String?

  @Flag(help: "Print errors only.")
  var quiet = false

  @OptionGroup var form: FormOption

  @OptionGroup(title: "Locale data") var data: LocaleDataSource

  /// Whether the input is one order per line.
  private var isBatch: Bool {
    batch || [".jsonl", ".ndjson"].contains { order.lowercased().hasSuffix($0) }
  }

  func validate() throws {
    if rejects != nil, !isBatch {
      throw ValidationError(
        "--rejects requires a batch, but the input is one order; add --batch, or remove it"
      )
    }
    if let rejects, rejects == "-" {
      throw ValidationError("--rejects must be a file, not -; use a file such as /dev/stderr")
    }
  }

  func run() throws {
    let localeData = try data.load()
    let strings = try data.loadStrings()
    let reader = OrderReader(
      localeData: localeData,
      storefront: try storefront.map { try Storefront($0, in: localeData) },
      format: from
    )
    let language = try language.map { try UILanguage($0) }
    // Prices are those of the date of each order.
    let opened = try catalog.map { try Catalog.opened($0, in: localeData).catalog }
    for path in [order, catalog].compactMap(\.self) where path != "-" && OutputFile.isOutput(output, path) {
      throw ValidationError("the output is the input \(quoted(path)); name another file")
    }
    func receipt(_ order: [UInt8]) throws(ReceiptError) -> Receipt {
      try Receipt(
        reader.order(order),
        language: language,
        isLanguageStrict: strictLanguage,
        catalog: opened,
        strings: strings,
        writtenAs: form.writtenAs
      )
    }
    let isComplete = try isBatch ? runBatch(receipt) : runOrder(receipt)
    if !isComplete { throw ExitCode(3) }
  }

  private var input: InputLines { InputLines(path: order, maximumByteCount: OrderLimits.byteCount) }

  // MARK: One order

  /// - Returns: Whether there are no findings.
  private func runOrder(_ receipt: ([UInt8]) throws(ReceiptError) -> Receipt) throws -> Bool {
    let bytes = try input.bytes()
    let written: Receipt
    do throws(ReceiptError) { written = try receipt(bytes) } catch {
      throw error.at(order == "-" ? "standard input" : printable(order))
    }
    let form = to ?? Self.form(of: output) ?? .text
    let text = written.text(as: form)
    let file = try OutputFile(output)
    file.write(text)
    try file.finish()
    if written.resolvedLanguage.isStoreDefault, form != .json, !quiet {
      StandardError.write("pricetag: note: \(written.resolvedLanguage)\n")
    }
    StandardError.writeList("finding", written.findings)
    return written.findings.isEmpty
  }

  /// Returns the form that the name of a file ends in.
  private static func form(of path: String) -> ReceiptForm? {
    let endings: [(String, ReceiptForm)] = [
      (".html", .page), (".htm", .page), (".txt", .text), (".json", .json),
    ]
    return endings.first { path.lowercased().hasSuffix($0.0) }?.1
  }

  // MARK: A batch

  /// - Returns: Whether no order was rejected, and there are no findings.
  private func runBatch(_ receipt: ([UInt8]) throws(ReceiptError) -> Receipt) throws -> Bool {
    let paths = [output, rejects].compactMap(\.self).filter { $0 != "-" }
    if paths.count == 2, OutputFile.isSame(paths[0], paths[1]) {
      throw ValidationError("the output and --rejects are the same file; name another file")
    }
    let report = try BatchReport(file: rejects, isQuiet: quiet)
    let file = try OutputFile(output)
    let forms = [to].compactMap(\.self)
    var findings: [String] = []
    var findingCount = 0
    let isComplete = try report.run([file]) { () throws(BatchError) in
      var summary = BatchSummary()
      var failure: PriceTagError?
      do throws(PriceTagError) {
        try input.forEach { (line, byte, bytes) throws(PriceTagError) in
          if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return }
          summary.read += 1
          var written: [UInt8] = []
          do throws(ReceiptError) {
            let receipt = try receipt(bytes)
            findingCount += receipt.findings.count
            findings += receipt.findings.prefix(20 - findings.count).map { "line \(line), \($0)" }
            written = Array((receipt.json(including: forms) + "\n").utf8)
          } catch {
            summary.add(rejected: error.code.rawValue)
            report.reject("line \(line), \(error)") {
              $0 += Self.reject(error, line: line, byte: byte, bytes).utf8
            }
          }
          // Each receipt is written at once: a pipe gets it before the next order, and a full disk ends the batch.
          do throws(PriceTagError) {
            try written.withUnsafeBufferPointer { (bytes) throws(PriceTagError) in
              try file.write(UnsafeRawBufferPointer(bytes))
            }
          } catch {
            failure = error
            throw error
          }
        }
      } catch {
        throw BatchError(failure == nil ? .unreadableInput : .unwritableOutput, error.problem, fix: error.fix)
      }
      return summary
    }
    if !quiet {
      for finding in findings { StandardError.write("pricetag: finding: \(finding)\n") }
      if findingCount > findings.count {
        StandardError.write(
          "pricetag: … and \(findingCount - findings.count) more findings (the receipts have all of them)\n"
        )
      }
    }
    return isComplete && findingCount == 0
  }

  /// Returns a reject as JSON: `{"line":3,"byte":120,"field":"/charged","code":"sum-mismatch","message":"…","row":"…"}`.
  /// Of a large row, it has the first kilobyte.
  private static func reject(_ error: ReceiptError, line: Int, byte: Int, _ row: [UInt8]) -> String {
    let row = row.count > OrderLimits.byteCount ? row.prefix(1 << 10) : row[...]
    let content =
      String(validating: row, as: UTF8.self).map { ("row", json($0)) } ?? (
        "rowBase64", json(base64(Array(row)))
      )
    return jsonObject([
      ("line", String(line)), ("byte", String(byte)),
      ("field", error.place.hasPrefix("/") ? json(error.place) : "null"),
      ("code", json(error.code.rawValue)), ("message", json("\(error.problem); \(error.fix)")), content,
    ])
  }
}

extension ReceiptForm: ExpressibleByArgument {}
extension OrderFormat: ExpressibleByArgument {}
