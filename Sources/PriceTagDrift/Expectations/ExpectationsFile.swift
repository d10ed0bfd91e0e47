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
  private let storefronts: [String: Storefront]

  private struct Storefront {
    let line: Int
    let locale: String
    let expressions: [String]
  }

  /// Reads a file, which another program may have indented.
  ///
  /// - Throws: `.unreadableFile`; `.malformedGoldenFile` for a file of another kind or version.
  package init(_ file: CatalogFile) throws(DriftError) {
    let place = printable(file.name)
    let (value, bytes): (JSONValue, [UInt8])
    do throws(CatalogError) { bytes = try file.contents() } catch {
      let fix = error.code == .tooLarge ? "write a file for fewer storefronts" : error.fix
      throw DriftError(.unreadableFile, error.problem, fix: fix, place: place)
    }
    do throws(JSONError) { value = try JSONReader.value(of: bytes) } catch {
      throw DriftError(
        .malformedGoldenFile,
        error.problem,
        fix: Fields.fix,
        place: "\(place), \(error.place())"
      )
    }
    do throws(DriftError) { try self.init(value, name: file.name) } catch { throw error.at(place) }
  }

  private init(_ value: JSONValue, name: String) throws(DriftError) {
    let top = try Fields(value)
    guard case .string(Expectations.format)? = top["format"], case .number("1")? = top["version"] else {
      throw top.error(
        .invalid,
        "the file is not \(quoted(Expectations.format)) of version 1",
        "format",
        fix: Fields.fix
      )
    }
    let source = try top.fields("source")
    areRows = source["rows"] != nil
    header = try GoldenFileHeader(top, source, catalog: areRows ? "rows" : "catalog")
    var storefronts: [String: Storefront] = [:]
    for member in try top.fields("storefronts").object.members {
      let fields = try Fields(member.value)
      let expressions = [try fields.text("strict"), try fields.text("lenient")]
      storefronts[member.key] = Storefront(
        line: member.line,
        locale: try fields.text("locale"),
        expressions: expressions
      )
    }
    guard case .array(let prices)? = top["prices"] else { throw top.missing("prices") }
    var (lines, problems): ([DisplayLine], [DriftError]) = ([], [])
    for value in prices {
      do throws(DriftError) {
        let fields = try Fields(value)
        let id = try fields.text("storefront")
        guard let storefront = storefronts[try fields.optionalText("expressions") ?? id] else {
          throw fields.error(
            .invalid,
            "the file has no expressions of \(quoted(id))",
            "storefront",
            fix: Fields.fix
          )
        }
        let text = try fields.text("text")
        guard try fields.text("codePoints") == ExpectedPrice.codePoints(text) else {
          throw fields.error(
            .invalid,
            "the text \(quoted(text)) does not have the code points",
            "text",
            fix: Fields.fix
          )
        }
        let decimal = try fields.text("amount")
        guard let amount = try? Amount(decimal: decimal) else {
          throw fields.error(
            .invalid,
            "\(quoted(decimal)) is not a decimal amount",
            "amount",
            fix: Fields.fix
          )
        }
        let row = try fields.optionalInteger("row", in: 1...Int.max)
        let price = ExpectedPrice(
          product: row == nil ? try fields.text("product") : "",
          row: row,
          storefront: id,
          amount: amount,
          currency: try fields.text("currency"),
          priceLocale: storefront.locale,
          text: text
        )
        lines.append(DisplayLine(price.line, number: fields.object.line))
      } catch { problems.append(error.at(printable(name))) }
    }
    lines.sort { $0.key < $1.key }
    self.storefronts = storefronts
    goldenFile = GoldenFile(name: name, header, lines, problems)
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
      let name = areRows ? "row \(Int(product.dropFirst(4)) ?? 0)" : product
      let drift = change.fields.isEmpty ? change.classes.first : nil
      return DisplayChange(
        [name, change.storefront],
        line: change.line,
        drift,
        fields: change.fields,
        display: change.display,
        reason: change.reason
      )
    }
    for (key, recorded) in storefronts.sorted(by: { $0.key < $1.key }) {
      guard let texts = now.expressions[key]?.texts, recorded.expressions != [texts.strict, texts.lenient]
      else { continue }
      let id = key.split(separator: " ").first.map(String.init) ?? key
      checked[id, default: 0] += 1
      changed.append(
        DisplayChange(
          ["expressions", id],
          line: recorded.line,
          .text,
          reason: "the regular expressions changed; strict is now \(texts.strict)"
        )
      )
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
  fileprivate init(_ top: Fields, _ source: Fields, catalog name: String) throws(DriftError) {
    let versions = try top.fields("versions")
    self.versions = Versions(
      priceTag: try versions.text("pricetag"),
      icu: try versions.text("icu"),
      cldr: try versions.text("cldr"),
      unicode: try versions.text("unicode"),
      zones: try versions.optionalText("zones") ?? ""
    )
    registry = try top.text("registry")
    catalog = try source.optionalText(name)
    reading = [:]
    for name in Self.readingNames { reading[name] = try source.optionalText(name) }
    style =
      try source.optionalText("style").map { (text) throws(DriftError) in
        try Self.style(text, source.object.line)
      } ?? PriceStyle()
    let (date, form) = (try top.text("day"), try top.text("writtenAs"))
    do throws(PriceTagError) {
      (day, style.writtenAs) = (try StoreDay(date), try PriceStyle.WrittenAs(form))
    } catch {
      throw DriftError(.malformedGoldenFile, error)
    }
    mode = source["products"] == nil ? .production : .development
    languages = [Expectations.language]
    storefronts = try source.optionalTexts("storefronts")
  }
}

extension GoldenFile {
  fileprivate init(name: String, _ header: GoldenFileHeader, _ lines: [DisplayLine], _ problems: [DriftError])
  {
    (self.name, self.header, self.lines, self.problems) = (name, header, lines, problems)
  }
}

/// The members of an object of the file.
private struct Fields: JSONFieldReader {
  static let fix = "write the file again with pricetag expect"
  let object: JSONObject

  init(_ value: JSONValue) throws(DriftError) {
    guard case .object(let object) = value else {
      throw DriftError(.malformedGoldenFile, "expected an object, not \(value.kind)", fix: Self.fix)
    }
    self.object = object
  }

  func error(_ fault: JSONFieldFault, _ problem: String, _ field: String, fix: String) -> DriftError {
    DriftError(.malformedGoldenFile, problem, fix: Self.fix, place: "line \(object.line)")
  }

  func fields(_ field: String) throws(DriftError) -> Fields { try Fields(try required(self[field], field)) }
  func text(_ field: String) throws(DriftError) -> String { try required(optionalText(field), field) }

  func optionalText(_ field: String) throws(DriftError) -> String? {
    switch self[field] {
    case nil: return nil
    case .string(let text)?: return text
    case let other?: throw unexpected(other, field, "a string")
    }
  }

  func optionalTexts(_ field: String) throws(DriftError) -> [String]? {
    guard case .array(let values)? = self[field] else { return nil }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}
