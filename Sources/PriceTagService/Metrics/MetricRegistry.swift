/// All families, by their names.
struct MetricRegistry: Sendable {
  private struct Request: Hashable {
    let label: String
    let kind: MetricKind
  }

  private let help: [String: String]
  private let limit: Int
  private var families: [String: MetricFamily] = [:]
  /// The family of each name as the program has it.
  private var answered: [Request: String] = [:]
  /// The family that took each name of a sample.
  private var taken: [String: String] = [:]

  init(help: [String: String], limit: Int) { (self.help, self.limit) = (help, limit) }

  /// In the order of their names.
  var sorted: [MetricFamily] {
    families.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The series of a name and labels.
  mutating func series<Series: MetricSeries>(
    _ label: String,
    _ kind: MetricKind,
    _ labels: MetricLabels,
    _ make: (MetricPlace) -> Series
  ) -> Series {
    let name = family(label, kind)
    return families[name, default: MetricFamily(name: name, kind: kind, help: nil)]
      .series(labels, limit: limit, make)
  }

  /// Puts a series in the place of the one that has its labels: the program's own, which no bound is for.
  mutating func put(
    _ label: String,
    _ kind: MetricKind,
    _ labels: MetricLabels,
    help: String,
    _ make: (MetricPlace) -> some MetricSeries
  ) {
    let name = family(label, kind)
    var family = families[name] ?? MetricFamily(name: name, kind: kind, help: nil)
    if family.help == nil { family.help = help }
    family.put(make(MetricPlace(family: name, labels: labels)))
    families[name] = family
  }

  mutating func remove(_ series: any MetricSeries) { families[series.place.family]?.remove(series) }

  /// The family for a name as the program has it; a new one where there is none.
  private mutating func family(_ label: String, _ kind: MetricKind) -> String {
    let request = Request(label: label, kind: kind)
    if let name = answered[request] { return name }
    let (name, isNew) = free(label, kind)
    answered[request] = name
    guard isNew else { return name }
    for sample in kind.names(name) { taken[sample] = name }
    families[name] = MetricFamily(name: name, kind: kind, help: help[name] ?? help[label])
    return name
  }

  /// The name itself, or one with the kind behind it where another kind was first.
  private func free(_ label: String, _ kind: MetricKind) -> (name: String, isNew: Bool) {
    var stem = MetricName.metric(label)
    if !kind.ending.isEmpty, stem.hasSuffix(kind.ending) { stem.removeLast(kind.ending.count) }
    var (candidate, number) = (stem, 1)
    while true {
      let name = candidate + kind.ending
      if families[name]?.kind == kind { return (name, false) }
      if kind.names(name).allSatisfy({ taken[$0] == nil }) { return (name, true) }
      candidate = number == 1 ? "\(stem)_\(kind.word)" : "\(stem)_\(kind.word)_\(number)"
      number += 1
    }
  }
}
