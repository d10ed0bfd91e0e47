import PriceTag
import PriceTagCatalog
import PriceTagText

/// A file of `pricetag expect`, to compare with what is displayed now.
package struct ExpectationsFile: Sendable {
  /// What the prices were written with. The catalog is the file of rows, if there are rows.
  package let header: GoldenFileHeader
  /// Whether the prices are those of rows.
  package let areRows: Bool
  private let goldenFile: GoldenFile
  private let storefronts: [String: (line: Int, locale: String, expressions: [String])]

  private static let fix = "write the file again with pricetag expect"

  /// Reads a file, which another program may have indented.
  ///
  /// - Throws: `.unreadableFile`; `.malformedGoldenFile` for a file of another kind or version.
  package init(_ file: CatalogFile) throws(DriftError) {
    let place = printable(file.name)
    let bytes: [UInt8]
    do throws(CatalogError) { bytes = try file.contents() } catch {
      let fix = error.code == .tooLarge ? "write a file for fewer storefronts" : error.fix
      throw DriftError(.unreadableFile, error.problem, fix: fix, place: place)
    }
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.value(of: bytes) } catch {
      throw DriftError(
        .malformedGoldenFile,
        error.problem,
        fix: Self.fix,
        place: "\(place), \(error.place())"
      )
    }
    func malformed(_ problem: String) -> DriftError {
      DriftError(.malformedGoldenFile, problem, fix: Self.fix, place: place)
    }
    guard case .object(let top) = value, top.text("format") == Expectations.format, top.text("version") == "1"
    else {
      throw malformed("the file is not \(quoted(Expectations.format)) of version 1")
    }
    guard case .array(let prices)? = top["prices"] else { throw malformed("the field \"prices\" is missing") }
    let source = top.object("source")
    areRows = if case .object(let first)? = prices.first { first["row"] != nil } else { false }
    do throws(DriftError) { header = try GoldenFileHeader(top, source, areRows ? "rows" : "catalog") } catch {
      throw malformed(error.problem)
    }
    var storefronts: [String: (line: Int, locale: String, expressions: [String])] = [:]
    for case (let key, .object(let fields), let line) in top.object("storefronts").members {
      let texts = [fields.text("strict"), fields.text("lenient")].compactMap(\.self)
      storefronts[key] = (line, fields.text("locale") ?? "", texts)
    }
    var (lines, problems): ([DisplayLine], [DriftError]) = ([], [])
    for value in prices {
      guard case .object(let fields) = value else { throw malformed("a price is not an object") }
      let row = fields.text("row").flatMap { Int($0) }
      guard let id = fields.text("storefront"),
        let locale = storefronts[fields.text("expressions") ?? id]?.locale,
        let text = fields.text("text"), fields.text("codePoints") == ExpectedPrice.codePoints(text),
        row != nil || fields.text("product") != nil
      else {
        let problem = "the price has not the fields, expressions and code points that pricetag expect writes"
        problems.append(
          DriftError(.malformedLine, problem, fix: Self.fix, place: "\(place), line \(fields.line)")
        )
        continue
      }
      let price = ExpectedPrice(
        product: fields.text("product"),
        row: row,
        storefront: id,
        amount: fields.text("amount") ?? "",
        currency: fields.text("currency") ?? "",
        locale: locale,
        at: nil,
        text: text
      )
      do throws(DriftError) {
        _ = try RecordedDisplay(line: price.line)
        lines.append(DisplayLine(price.line, number: fields.line))
      } catch {
        problems.append(
          DriftError(error.code, error.problem, fix: Self.fix, place: "\(place), line \(fields.line)")
        )
      }
    }
    lines.sort { $0.key < $1.key }
    self.storefronts = storefronts
    goldenFile = GoldenFile(name: file.name, header, lines, problems)
  }

  /// Formats the prices of a source again, and reports what changed: texts, and expressions of storefronts.
  ///
  /// - Throws: The errors of `Expectations.collect`.
  package func check(
    _ source: Expectations.Source,
    _ request: ListingRequest,
    in localeData: LocaleData
  ) throws(DriftError) -> DriftReport {
    var now = Expectations(request, in: localeData)
    var changes = DisplayChanges(goldenFile, request.style, localeData)
    try now.collect(source) { (entries, product) throws(DriftError) in
      if let product { changes.compare(product) }
      for entry in entries { changes.compare(DisplayLine(entry.price.line)) }
    }
    changes.finish(reason: areRows ? "the file has no such row" : DisplayChanges.noProduct)
    var checked = changes.checkedByStorefront
    var changed = changes.changes.map { change in
      let product = change.productIdentifier
      return DisplayChange(
        [areRows ? "row \(Int(product.dropFirst(4)) ?? 0)" : product, change.storefront],
        line: change.line,
        change.fields.isEmpty ? change.classes.first : nil,
        fields: change.fields,
        display: change.display,
        reason: change.reason
      )
    }
    for (key, recorded) in storefronts.sorted(by: { $0.key < $1.key }) {
      guard let texts = now.expressions[key]?.texts, recorded.expressions != [texts.strict, texts.lenient]
      else {
        continue
      }
      let (id, reason) = (String(key.prefix { $0 != " " }), "strict is now \(texts.strict)")
      checked[id, default: 0] += 1
      changed.append(DisplayChange(["regular expressions", id], line: recorded.line, .text, reason: reason))
    }
    var problems = goldenFile.problems
    if case .rows(let rows) = source { problems += rows.problems }
    return DriftReport(
      recorded: .init(header, name: goldenFile.name),
      current: .init(try GoldenFileHeader(request, in: localeData), name: ""),
      changes: changed,
      checkedByStorefront: checked,
      unchecked: 0,
      problems: problems
    )
  }
}

extension GoldenFileHeader {
  /// Reads the members of a file of expectations as the lines of a header.
  fileprivate init(_ top: JSONObject, _ source: JSONObject, _ catalog: String) throws(DriftError) {
    let versions = top.object("versions")
    var storefronts = "all"
    if case .array(let ids)? = source["storefronts"] {
      storefronts = ids.compactMap { if case .string(let id) = $0 { id } else { nil } }.joined(separator: " ")
    }
    let fields: [(String, String?)] = [
      ("PriceTag", versions.text("pricetag")), ("ICU", versions.text("icu")), ("CLDR", versions.text("cldr")),
      ("Unicode", versions.text("unicode")), ("zones", versions.text("zones")),
      ("registry", top.text("registry")),
      ("catalog", source.text(catalog)), ("date", top.text("day")), ("style", source.text("style")),
      ("products", source.text("products") ?? "approved"), ("storefronts", storefronts),
      ("languages", Expectations.language),
    ]
    let all = fields + Self.readingNames.map { ($0, source.text($0)) }
    let lines = all.compactMap { name, text in text.map { "# \(name): \(escapedForGoldenFile($0))" } }
    try self.init(lines: lines.map { Line(text: $0, number: 1) })
  }
}

extension GoldenFile {
  fileprivate init(name: String, _ header: GoldenFileHeader, _ lines: [DisplayLine], _ problems: [DriftError])
  {
    (self.name, self.header, self.lines, self.problems) = (name, header, lines, problems)
  }
}

extension JSONObject {
  fileprivate func text(_ key: String) -> String? { self[key]?.literal }

  fileprivate func object(_ key: String) -> JSONObject {
    if case .object(let object)? = self[key] { object } else { JSONObject(members: []) }
  }
}
