import PriceTag
import PriceTagText

extension PackComparison {
  /// The report as a JSON object on one line. It has every change with all of its places.
  package var json: String {
    let classes = classSummaries.map {
      jsonObject([
        ("class", PriceTagText.json($0.driftClass.rawValue)), ("storefronts", texts($0.storefronts)),
        ("combinations", "\($0.combinationCount)"),
      ])
    }
    return jsonObject([
      ("old", old.json), ("new", new.json),
      ("storefronts", "\(storefronts.count)"), ("changedStorefronts", "\(changedStorefronts.count)"),
      ("combinations", "\(combinationCount)"), ("changedCombinations", "\(changedCombinationCount)"),
      ("styles", "\(styleCount)"), ("equivalentPatterns", "\(equivalentCount)"),
      ("notCompared", "\(notComparedCount)"), ("classes", jsonArray(classes)),
      ("changes", jsonArray(changes.map(\.json))),
    ])
  }
}

extension PackComparison.Origin {
  fileprivate var json: String { jsonObject(versions.json(name: name, registry: registry)) }
}

extension PackChange {
  fileprivate var json: String {
    let pairs = pairs.map {
      jsonObject([("expected", PriceTagText.json($0.expected)), ("actual", PriceTagText.json($0.actual))])
    }
    let locales = locales.map {
      jsonObject([("locale", PriceTagText.json($0.locale)), ("currencies", texts($0.currencies))])
    }
    return jsonObject([
      ("class", PriceTagText.json(driftClass.rawValue)), ("subject", PriceTagText.json(subject)),
      ("texts", jsonArray(pairs)), ("storefronts", texts(storefronts)), ("locales", jsonArray(locales)),
      ("currencies", texts(currencies)), ("styles", texts(styles)),
      ("example", example?.json ?? "null"),
    ])
  }
}

extension PackChange.Example {
  fileprivate var json: String {
    jsonObject([
      ("place", PriceTagText.json(place)), ("amount", PriceTagText.json("\(amount)")),
      ("currency", PriceTagText.json(currency)), ("style", PriceTagText.json(style)),
      ("expected", PriceTagText.json(expected)), ("actual", PriceTagText.json(actual)),
    ])
  }
}

private func texts(_ texts: [String]) -> String { jsonArray(texts.map(PriceTagText.json)) }
