import PriceTag
import PriceTagReading
import PriceTagText

extension DriftReport {
  /// The report as a JSON object on one line.
  package var json: String {
    let summaries = classSummaries.map {
      jsonObject([
        ("class", PriceTagText.json($0.driftClass.rawValue)), ("displays", "\($0.displayCount)"),
        ("storefronts", jsonArray($0.storefronts.map(PriceTagText.json))),
      ])
    }
    let storefronts = storefronts.map {
      jsonObject([
        ("storefront", PriceTagText.json($0.id)), ("checked", "\($0.checked)"),
        ("changed", "\($0.changes.count)"), ("classes", classes($0.classes)),
      ])
    }
    return jsonObject(
      [
        ("recorded", recorded.json), ("current", current?.json ?? "null"), ("checked", "\(checked)"),
        ("changed", "\(changes.count)"), ("unchecked", "\(unchecked)"), ("classes", jsonArray(summaries)),
        ("storefronts", jsonArray(storefronts)), ("changes", jsonArray(changes.map(\.json))),
        ("rejected", jsonArray(problems.map { PriceTagText.json($0.description) })),
      ] + (notChecked.isEmpty ? [] : [("notChecked", jsonArray(notChecked.map(Self.json)))])
    )
  }
}

extension DriftReport {
  private static func json(_ reason: String, _ unchecked: ShownPriceCheck.Unchecked) -> String {
    let places = jsonArray(unchecked.places.map(PriceTagText.json))
    return jsonObject([
      ("reason", PriceTagText.json(reason)), ("count", "\(unchecked.count)"), ("places", places),
    ])
  }
}

extension DriftReport.Origin {
  fileprivate var json: String {
    jsonObject(
      versions.json(name: name, registry: registry) + [("date", PriceTagText.json(day.description))]
    )
  }
}

extension DisplayChange {
  fileprivate var json: String {
    let ofShown = code.map { [("file", PriceTagText.json(file ?? "")), ("code", PriceTagText.json($0))] }
    let fields = fields.map { field in
      let codePoints = field.comparison.codePoints.map {
        jsonObject([
          ("position", "\($0.position)"), ("expected", codePoint($0.expected)),
          ("actual", codePoint($0.actual)),
        ])
      }
      return jsonObject([
        ("field", PriceTagText.json(field.field.rawValue)),
        ("classes", PriceTagDrift.classes(field.comparison.classes)),
        ("expected", PriceTagText.json(field.comparison.expected)),
        ("actual", PriceTagText.json(field.comparison.actual)), ("codePoints", jsonArray(codePoints)),
      ])
    }
    return jsonObject(
      [
        ("productIdentifier", productIdentifier.isEmpty ? "null" : PriceTagText.json(productIdentifier)),
        ("storefront", PriceTagText.json(storefront)),
        ("language", language.isEmpty ? "null" : PriceTagText.json(language)),
        ("line", line.map { "\($0)" } ?? "null"),
        ("classes", PriceTagDrift.classes(classes)), ("display", optionalJSON(display)),
        ("reason", optionalJSON(reason)), ("fields", jsonArray(fields)),
      ] + (ofShown ?? [])
    )
  }
}

private func codePoint(_ scalar: Unicode.Scalar?) -> String {
  optionalJSON(scalar.map(CodePointDifference.name))
}

private func classes(_ classes: [DriftClass]) -> String {
  jsonArray(classes.map { PriceTagText.json($0.rawValue) })
}
