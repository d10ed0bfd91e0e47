import PriceTag
import PriceTagReading
import PriceTagText

/// A comparison of packs as text for people: a summary by class, and each change once.
package struct PackReportText {
  package let comparison: PackComparison
  /// The name of the old pack.
  package let file: String

  package init(_ comparison: PackComparison, file: String) {
    (self.comparison, self.file) = (comparison, file)
  }

  /// The maximum number of changes of a class that are listed, and of texts of a change.
  private static let (maximumChangeCount, maximumPairCount) = (20, 6)
  /// The maximum numbers of names in lists.
  private static let (maximumStorefrontCount, maximumNameCount) = (12, 8)

  /// The complete report.
  package var plain: String {
    var text = "\(summary)\n\(origins)"
    if comparison.equivalentCount > 0 {
      text +=
        "\(counted(comparison.equivalentCount, "pattern")) changed without effect on \(sampleAmounts)\n"
    }
    if comparison.notComparedCount > 0 { text += "\(notCompared)\n" }
    if comparison.changes.isEmpty { return text }
    // Packs of storefronts have no other combinations.
    let hasCombinations = comparison.combinationCount > 0
    let head = hasCombinations ? padded("combinations", -14) : ""
    let names = comparison.storefronts.isEmpty ? "\n" : "  storefronts\n"
    text += "\n" + padded("class", 16) + padded("changes", -8) + head + names
    for summary in comparison.classSummaries {
      let changes = comparison.changes.count { $0.driftClass == summary.driftClass }
      text += padded(summary.driftClass.rawValue, 16) + padded("\(changes)", -8)
      if hasCombinations { text += padded("\(summary.combinationCount)", -14) }
      text += summary.storefronts.isEmpty ? "\n" : "  \(shortened(summary.storefronts))\n"
    }
    for summary in comparison.classSummaries {
      let changes = comparison.changes.filter { $0.driftClass == summary.driftClass }
      for change in changes.prefix(Self.maximumChangeCount) { text += "\n" + plain(change) }
      if changes.count > Self.maximumChangeCount {
        let more = changes.count - Self.maximumChangeCount
        text += "\n… and \(more) more of class \(summary.driftClass.rawValue) (JSON has all)\n"
      }
    }
    return text
  }

  /// The sentence about what was not compared.
  package var notCompared: String {
    "The packs differ too much: \(counted(comparison.notComparedCount, "combination")) of a place, a currency and a style "
      + "differ in changes that were not compared, so their class is unknown."
  }

  private let sampleAmounts = "the sample amounts"

  /// The number of changes and of the places that have them, on one line.
  package var summary: String {
    let changed = Set(comparison.changedStorefronts).intersection(comparison.storefronts).count
    let places = [
      (changed, comparison.storefronts.count, "storefront"),
      (comparison.changedCombinationCount, comparison.combinationCount, "combination"),
    ].filter { $0.1 > 0 }
    if comparison.changes.isEmpty {
      let checked = places.map { counted($0.1, $0.2) }.joined(separator: " and ")
      let (phrases, languages) = comparison.phraseCounts
      return "no changes: \(checked) in \(counted(comparison.styleCount, "style"))"
        + (phrases > 0 ? ", \(counted(phrases, "phrase")) in \(counted(languages, "language"))" : "")
    }
    let counts = places.map { "\($0.0) of \(counted($0.1, $0.2))" }.joined(separator: " and ")
    return counted(comparison.changes.count, "change") + (counts.isEmpty ? "" : ", in \(counts)")
  }

  /// The versions of both packs, one per line.
  package var origins: String {
    let (old, new) = (comparison.old, comparison.new)
    let versions = [old, new].map { $0.versions.text(registry: $0.registry) }
    var text =
      versions[0] == versions[1]
      ? "old and new with \(versions[0])\n" : "old with \(versions[0])\nnew with \(versions[1])\n"
    if old.registry != new.registry {
      text += "The registries differ: check --locale-data and its version.\n"
    }
    return text
  }

  // MARK: Changes

  private func plain(_ change: PackChange) -> String {
    let texts = change.pairs.prefix(Self.maximumPairCount).map(described)
    let subject = change.isOwnSubject ? "" : " \(printable(change.subject))"
    var text = "\(change.driftClass.rawValue):\(subject) \(texts.joined(separator: ", "))"
    if change.pairs.count > Self.maximumPairCount {
      text += ", … (\(change.pairs.count))"
    }
    text += "\n  \(places(of: change))\n"
    guard let example = change.example, !example.expected.isEmpty else { return text }
    text +=
      "  \(example.amount) \(printable(example.currency)) in \(printable(example.place)) (\(example.style))\n"
    text += "    - \(escapedForGoldenFile(example.expected))\n"
    text += "    + \(escapedForGoldenFile(example.actual))\n"
    // Code points help only where the texts look alike.
    let points = CodePointDifference.between(example.expected, example.actual)
    if points.count <= 2, !points.contains(where: \.isLetter) {
      for point in points { text += "      at \(point.position): \(point)\n" }
    }
    return text
  }

  private func described(_ pair: PackChange.Pair) -> String {
    if pair.actual == "" {
      return pair.expected == "in the pack" ? "is gone" : "\(visible(pair.expected)) is gone"
    }
    if pair.expected == "", pair.actual == "in the pack" { return "is new" }
    return "\(visible(pair.expected)) → \(visible(pair.actual))"
  }

  /// Returns a text with its ends visible: in quotation marks if it starts or ends with a space, or is empty.
  private func visible(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.first != " " && text.last != " "
    return isPlain ? printable(text) : "\"\(printable(text, isQuoted: true))\""
  }

  private func described(_ currencies: [String], limit: Int) -> String {
    let noun = currencies.count == 1 ? "currency" : "currencies"
    return "\(currencies.count) \(noun): \(shortened(currencies, limit: limit))"
  }

  /// Returns the places of a change on one line.
  private func places(of change: PackChange) -> String {
    var places: [String] = []
    func add(_ names: [String], _ noun: String, limit: Int = Self.maximumNameCount) {
      if names.isEmpty { return }
      places.append("\(counted(names.count, noun)): \(shortened(names, limit: limit))")
    }
    add(change.storefronts, "storefront", limit: Self.maximumStorefrontCount)
    let currencies = Set(change.locales.flatMap(\.currencies)).sorted()
    add(change.locales.map(\.locale), "locale")
    if !currencies.isEmpty {
      let count = change.locales.reduce(0) { $0 + $1.currencies.count }
      let prices =
        change.locales.count > 1 && currencies.count > 1 ? " (\(counted(count, "combination")))" : ""
      places.append(described(currencies, limit: Self.maximumNameCount) + prices)
    }
    if !change.currencies.isEmpty {
      places.append(described(change.currencies, limit: Self.maximumStorefrontCount))
    }
    if places.isEmpty || comparison.styleCount > 1 { add(change.styles, "style") }
    return places.joined(separator: "; ")
  }

  /// Returns the class of a change and its places.
  package func title(_ change: PackChange) -> String {
    let names = [change.storefronts, change.locales.map(\.locale), change.currencies, change.styles]
    return "\(change.driftClass.rawValue): \(shortened(names.first { !$0.isEmpty } ?? []))"
  }

  /// Returns a change as one line.
  package func line(_ change: PackChange) -> String {
    let texts = change.pairs.prefix(Self.maximumPairCount).map(described).joined(separator: ", ")
    var text = "\(change.title) \(texts) in \(places(of: change))"
    if let example = change.example, !example.expected.isEmpty {
      text += ", such as \(example.amount) \(printable(example.currency)) in \(printable(example.place)): "
      text += "\(quoted(example.expected)) would be \(quoted(example.actual))"
    }
    return text
  }
}

extension PackChange {
  /// Whether the class describes what changed.
  fileprivate var isOwnSubject: Bool { subject == driftClass.rawValue }

  /// The class, and what changed.
  fileprivate var title: String { isOwnSubject ? subject : "\(driftClass.rawValue): \(printable(subject))" }
}

extension CodePointDifference {
  fileprivate var isLetter: Bool {
    [expected, actual].contains { $0?.properties.isAlphabetic ?? false }
  }
}
