import PriceTag

extension DriftReport {
  /// The report as JSON, on one line.
  public var json: String {
    jsonObject([
      ("recorded", recorded.json), ("current", current?.json ?? "null"), ("checked", "\(checked)"),
      ("changed", "\(changes.count)"), ("unchecked", "\(unchecked)"),
      (
        "classes",
        jsonArray(
          sums.map {
            jsonObject([
              ("class", PriceTag.json($0.drift.rawValue)), ("displays", "\($0.displays)"),
              ("storefronts", jsonArray($0.storefronts.map(PriceTag.json))),
            ])
          }
        )
      ),
      (
        "storefronts",
        jsonArray(
          storefronts.map {
            jsonObject([
              ("storefront", PriceTag.json($0.id)), ("checked", "\($0.checked)"),
              ("changed", "\($0.changes.count)"), ("classes", classes($0.classes)),
            ])
          }
        )
      ), ("changes", jsonArray(changes.map(\.json))),
      ("setAside", jsonArray(problems.map { PriceTag.json($0.description) })),
    ])
  }
}

extension DriftReport.Origin {
  fileprivate var json: String {
    jsonObject([
      ("name", name.isEmpty ? "null" : PriceTag.json(name)), ("priceTag", PriceTag.json(versions.priceTag)),
      ("icu", PriceTag.json(versions.icu)), ("cldr", PriceTag.json(versions.cldr)),
      ("unicode", PriceTag.json(versions.unicode)), ("registry", PriceTag.json(registry)),
      ("date", PriceTag.json(date.description)),
    ])
  }
}

extension DisplayChange {
  fileprivate var json: String {
    jsonObject([
      ("productIdentifier", PriceTag.json(productIdentifier)), ("storefront", PriceTag.json(storefront)),
      ("language", language.isEmpty ? "null" : PriceTag.json(language)),
      ("line", line.map { "\($0)" } ?? "null"),
      ("classes", PriceTagDrift.classes(classes)), ("display", display.map(PriceTag.json) ?? "null"),
      ("reason", reason.map(PriceTag.json) ?? "null"),
      (
        "fields",
        jsonArray(
          fields.map {
            jsonObject([
              ("field", PriceTag.json($0.field.rawValue)),
              ("classes", PriceTagDrift.classes($0.comparison.classes)),
              ("expected", PriceTag.json($0.comparison.expected)),
              ("actual", PriceTag.json($0.comparison.actual)),
              (
                "codePoints",
                jsonArray(
                  $0.comparison.codePoints.map {
                    jsonObject([
                      ("position", "\($0.position)"), ("expected", codePoint($0.expected)),
                      ("actual", codePoint($0.actual)),
                    ])
                  }
                )
              ),
            ])
          }
        )
      ),
    ])
  }
}

private func codePoint(_ scalar: Unicode.Scalar?) -> String {
  scalar.map { PriceTag.json(CodePointDifference.name($0)) } ?? "null"
}

private func classes(_ classes: [DriftClass]) -> String {
  jsonArray(classes.map { PriceTag.json($0.rawValue) })
}
