/// All metric families, by name.
struct MetricRegistry: Sendable {
  private struct Request: Hashable {
    let label: String
    let kind: MetricKind
  }

  private let help: [String: String]
  private let limit: Int
  private var families: [String: MetricFamily] = [:]
  /// The family name for each label and kind that the program has requested.
  private var familyNames: [Request: String] = [:]
  /// The family name of each sample name.
  private var familyOfSample: [String: String] = [:]

  init(help: [String: String], limit: Int) { (self.help, self.limit) = (help, limit) }

  /// The families, ordered by name.
  var sorted: [MetricFamily] {
    families.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Returns the series of a name and labels, which is created if needed.
  mutating func series<Series: MetricSeries>(
    _ label: String,
    _ kind: MetricKind,
    _ labels: MetricLabels,
    _ make: (SeriesIdentity) -> Series
  ) -> Series {
    let name = family(label, kind)
    return families[name, default: MetricFamily(name: name, kind: kind, help: nil)]
      .series(labels, limit: limit, make)
  }

  /// Adds a series, replacing one with the same labels. The limit does not apply, because clients cannot create these.
  mutating func set(
    _ label: String,
    _ kind: MetricKind,
    _ labels: MetricLabels,
    help: String,
    _ make: (SeriesIdentity) -> some MetricSeries
  ) {
    let name = family(label, kind)
    var family = families[name] ?? MetricFamily(name: name, kind: kind, help: nil)
    if family.help == nil { family.help = help }
    family.set(make(SeriesIdentity(family: name, labels: labels)))
    families[name] = family
  }

  mutating func remove(_ series: any MetricSeries) { families[series.identity.family]?.remove(series) }

  /// Returns the name of the family for a label, which is created if needed.
  private mutating func family(_ label: String, _ kind: MetricKind) -> String {
    let request = Request(label: label, kind: kind)
    if let name = familyNames[request] { return name }
    let (name, isNew) = availableName(label, kind)
    familyNames[request] = name
    guard isNew else { return name }
    for sample in kind.names(name) { familyOfSample[sample] = name }
    families[name] = MetricFamily(name: name, kind: kind, help: help[name] ?? help[label])
    return name
  }

  /// Returns the family name for a label. If a family of another kind has the name, appends the kind.
  private func availableName(_ label: String, _ kind: MetricKind) -> (name: String, isNew: Bool) {
    var stem = MetricName.metric(label)
    if !kind.suffix.isEmpty, stem.hasSuffix(kind.suffix) { stem.removeLast(kind.suffix.count) }
    var (candidate, number) = (stem, 1)
    while true {
      let name = candidate + kind.suffix
      if families[name]?.kind == kind { return (name, false) }
      if kind.names(name).allSatisfy({ familyOfSample[$0] == nil }) { return (name, true) }
      candidate =
        number == 1 ? "\(stem)_\(kind.disambiguator)" : "\(stem)_\(kind.disambiguator)_\(number)"
      number += 1
    }
  }
}
