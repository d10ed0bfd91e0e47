import Foundation
import PriceTag
import PriceTagBatch
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagDrift
import PriceTagPages
import PriceTagReading
import PriceTagStringFiles
import PriceTagStrings

/// Runs one of the readers of external text on arbitrary text. The first byte chooses the reader.
///
/// A reader may reject the text with an error. For text that it accepts, its laws must hold. A crash or a violated law is
/// a finding.
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard count > 0, let start else { return 0 }
  let text = String(decoding: UnsafeBufferPointer(start: start + 1, count: count - 1), as: UTF8.self)
  do {
    switch start.pointee % 64 {
    case 0: try amount(text)
    case 1: try locale(text)
    case 2: _ = try Currency(text)
    case 3: _ = try Storefront(text)
    case 4: try period(text)
    case 5: try date(text)
    case 6: try localeData(text)
    case 7: try format(text)
    case 8: try language(text)
    case 9: try message(text)
    case 10:
      var reader = MessageArgumentsReader()
      _ = try reader.arguments(Array(text.utf8))
    case 11: try strings(start, count, .formatJS)
    case 12: try strings(start, count, .strings)
    case 13: try strings(start, count, .stringCatalog)
    case 14: try strings(start, count, .android)
    case 15: try identifiers(start, count)
    case 32, 33: try batch(start, count)
    case 34: try display(text)
    case 35: try goldenFile(text)
    case 36: _ = try ShopDisplays(name: "fuzz.jsonl", text: text)
    case 37: _ = try ShopDisplays(name: "fuzz.csv", text: text)
    case 38: try template(text)
    case 39: try page(text)
    case 40: try shop(text)
    case let number:
      let formats = CatalogFormat.allCases
      try catalog(start, count, formats[Int(number) % formats.count])
    }
  } catch let error as any CustomStringConvertible & Error
    where error is PriceTagError || error is StringsError || error is CatalogError || error is BatchError
    || error is DriftError || error is PagesError || error is ReadingError
  {
    let description = error.description
    precondition(!description.contains { $0.isNewline }, "an error with several lines: \(description)")
    precondition(description.utf8.count < 2_000, "an error of \(description.utf8.count) bytes")
  } catch {
    preconditionFailure("an unexpected error type: \(error)")
  }
  return 0
}

/// Checks a law. The fuzzer saves the input that violates it.
private func expect(_ holds: Bool, line: UInt = #line) {
  precondition(holds, "line \(line)")
}

private func amount(_ text: String) throws {
  let amount = try Amount(decimal: text)
  expect(try Amount(decimal: amount.description) == amount)
  for mode in RoundingMode.allCases { _ = try? amount.rounded(toDigits: 2, step: 5, mode) }
  _ = try? amount * 7
  if let parts = try? amount.allocated(over: 3, digits: amount.scale) {
    expect(try parts.reduce(Amount.zero) { try $0 + $1 } == amount)
  }
}

private func locale(_ text: String) throws {
  let locale = try PriceLocale(text, allowsNumberingSystem: true)
  expect(try PriceLocale(locale.identifier, allowsNumberingSystem: true) == locale)
  _ = try PriceFormatter(locale: locale, currency: Currency("USD")).format("-1234.5").parts
}

private func period(_ text: String) throws {
  let period = try SubscriptionPeriod(text)
  expect(try SubscriptionPeriod(period.description) == period)
}

private func date(_ text: String) throws {
  expect(try CalendarDate(text).description == text)
}

/// Reads the text as each of the locale data files.
private func localeData(_ text: String) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-fuzz-\(getpid())")
  try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  for name in [
    "storefronts.json", "currencies.json", "currency-overrides.json", "custom-currencies.json",
    "territories.json",
  ] {
    let file = folder.appending(path: name)
    try? Data(text.utf8).write(to: file)
    _ = try? LocaleData(folder: folder.path)
    try? FileManager.default.removeItem(at: file)
  }
}

/// Formats a locale, currency and amount (separated by spaces) in every width.
private func format(_ text: String) throws {
  let words = text.split(separator: " ").map(String.init)
  guard words.count == 3 else { return }
  let (locale, currency) = (try PriceLocale(words[0]), try Currency(words[1]))
  let amount = try Amount(decimal: words[2])
  for width in PriceStyle.Width.allCases {
    let style = PriceStyle(width: width, zeros: .trim, sign: .accounting, digits: .fixed(18))
    let price = try PriceFormatter(locale: locale, currency: currency, style: style).format(amount)
    expect(price.parts.map(\.value).joined() == price.text)
  }
}

private func language(_ text: String) throws {
  let match = StoreStrings.embedded.matcher.match(acceptLanguage: text)
  expect(StoreStrings.embedded.languages.contains(match.language))
  let language = try UILanguage(text)
  expect(try UILanguage(language.identifier) == language)
}

/// Compiles a message, and formats it in every form with arbitrary arguments.
private func message(_ text: String) throws {
  let message = try Message(text, language: .development)
  var arguments: MessageArguments = [:]
  for (index, name) in message.argumentNames.enumerated() {
    arguments.append(name, index.isMultiple(of: 2) ? .count(of: index) : .text("\u{2069}<\(name)>"))
  }
  let (best, problems) = message.formatBestEffort(arguments)
  _ = (best.plain, best.html, best.spoken, problems)
  let pseudo = try Pseudolocale(.accentedPseudo)
  _ = pseudo.text(text)
}

/// Reads a string file, and converts it to a pseudo-locale. Without problems, the converted file has the same keys.
private func strings(_ start: UnsafePointer<UInt8>, _ count: Int, _ format: StringsFile.Format) throws {
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let file = try StringsFile(bytes, format: format, language: "en")
  for text in file.entries.flatMap(\.texts) { expect(text.range.upperBound <= file.bytes.count) }
  let contents = try Pseudolocale(.rightToLeftPseudo).contents(of: file)
  guard file.problems.isEmpty else { return }
  let again = try? StringsFile(contents, format: format, language: "en")
  expect(again?.entries.map(\.key) == file.entries.map(\.key))
}

/// Reads a list of product identifiers, writes it, and reads it again.
private func identifiers(_ start: UnsafePointer<UInt8>, _ count: Int) throws {
  let list = try ProductIdentifierList(Array(UnsafeBufferPointer(start: start + 1, count: count - 1)))
  for version in ProductIdentifierList.JSONVersion.allCases {
    expect(try ProductIdentifierList(list.json(version: version)).identifiers == list.identifiers)
  }
}

/// Imports a file of products, and exports the catalog. Importing the export again must change nothing.
private func catalog(_ start: UnsafePointer<UInt8>, _ count: Int, _ format: CatalogFormat) throws {
  let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let options = ImportOptions(day: try .date(CalendarDate("2026-11-21")), storefront: try Storefront("USA"))
  let catalog = try Catalog()
  let summary = try catalog.importFiles(
    [CatalogFile(name: "fuzz", bytes: bytes)],
    format: format,
    options: options
  )
  guard !summary.isUnchanged else { return }
  var text = ""
  try catalog.export(as: .jsonl) { text += $0 }
  let again = try catalog.importFiles([CatalogFile(name: "again.jsonl", bytes: Array(text.utf8))])
  expect(again.isUnchanged && again.rejected == 0)
  for format in ExportFormat.allCases { try catalog.export(as: format) { _ in } }
  for storefront in [try Storefront("USA"), try Storefront("BGR")] {
    let request = ProductsRequest(nil, storefront: storefront, language: .development, mode: .development)
    _ = try catalog.products(for: request)
  }
}

/// Formats rows of prices, and checks the laws of all batches.
private func batch(_ start: UnsafePointer<UInt8>, _ count: Int) throws {
  // `BatchLaws` expects the bits of the first byte that chose this reader.
  let bytes = [start.pointee % 64] + UnsafeBufferPointer(start: start + 1, count: count - 1)
  if let law = try BatchLaws(bytes)?.violation() { preconditionFailure(law) }
}

/// Reads a storefront and two displayed prices, one on each line, and compares the prices.
private func display(_ text: String) throws {
  let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
  guard lines.count == 3 else { return }
  let reader = try PriceReader(storefront: Storefront(lines[0]))
  for line in lines[1...] {
    // A price that is read strictly is formatted as the same text.
    if let price = try? reader.read(line) { expect(try reader.formatter.string(for: price.amount) == line) }
    if let price = try? reader.read(line, .lenient) {
      let written = try PriceFormatter(locale: price.locale, currency: price.currency).string(
        for: price.amount
      )
      expect(!written.isEmpty)
    }
  }
  let isSame = lines[1].utf8.elementsEqual(lines[2].utf8)
  for comparison in [
    DisplayComparison(expected: lines[1], actual: lines[2], reader),
    DisplayComparison(expected: lines[1], actual: lines[2], nil),
    DisplayComparison(expectedText: lines[1], actual: lines[2], reader),
  ] {
    expect(comparison.classes.isEmpty == isSame)
    expect(comparison.codePoints.isEmpty == isSame)
  }
}

/// Reads a golden file, writes it, and reads it again. Compared with itself, it has no changes.
private func goldenFile(_ text: String) throws {
  let golden = try GoldenFile(name: "fuzz", text: text)
  for display in golden.displays { expect(try RecordedDisplay(line: display.line) == display) }
  let again = try GoldenFile(
    name: "again",
    text: golden.header.lines + golden.displays.map { $0.line + "\n" }.joined()
  )
  expect(again.header == golden.header)
  expect(DriftCheck(golden).check(against: golden).changes.isEmpty)
}

/// Returns a store with one product, whose name and description are the text.
private func store(_ text: String) throws -> Store {
  let catalog = try Catalog()
  let object: [String: Any] = [
    "productIdentifier": "a", "kind": "consumable", "category": "c", "prices": ["USA": "4.99"],
    "localizations": ["en-US": ["name": text.isEmpty ? "-" : text, "description": text]],
  ]
  let line = try JSONSerialization.data(withJSONObject: object)
  try catalog.importFiles([CatalogFile(name: "fuzz.jsonl", bytes: Array(line))])
  let request = ProductsRequest(nil, storefront: try Storefront("USA"), language: .development)
  return Store(try catalog.products(for: request), languages: [])
}

/// Renders a page with a custom template.
private func template(_ text: String) throws {
  let templates = try PageTemplates(["store.mustache": text])
  _ = try StorePages(shop: Shop(), templates: templates).storePage(store("name"))
}

/// Renders a product's text on a page. The text must be escaped.
private func page(_ text: String) throws {
  let store = try store(text)
  let pages = StorePages(shop: try Shop(url: "https://shop.example/"))
  let (page, plain) = (try pages.storePage(store), try pages.storePage(Store.plain))
  if store.products.isEmpty { return }
  // The page has as many elements as with a plain word. A description adds one element or none.
  for mark in ["<script", "</script", "<bdi", "<li", "<a ", "<style", "<img"] {
    let (count, expected) = (page.ranges(of: mark).count, plain.ranges(of: mark).count)
    expect(count == expected || (mark == "<bdi" && count == expected - 1))
  }
}

extension Store {
  /// The store with plain words.
  fileprivate static var plain: Store {
    get throws { try store("word") }
  }
}

/// Renders a page with custom shop settings.
private func shop(_ text: String) throws {
  if let color = try? Color(text) { expect(try Color(color.description) == color) }
  let shop = try Shop(logo: text, url: text, checkout: text)
  let page = try StorePages(shop: shop).storePage(store("name"))
  expect(!page.contains("javascript:"))
}
