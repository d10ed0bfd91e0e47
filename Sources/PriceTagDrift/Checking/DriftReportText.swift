import PriceTag

/// A report of changes as a person reads it: sums, and for each storefront an example of each kind of change.
package struct DriftReportText {
  package let report: DriftReport
  /// The golden, or the shop's rows: what lines are of.
  package let file: String

  package init(_ report: DriftReport, file: String) {
    (self.report, self.file) = (report, file)
  }

  /// How many storefronts are told one by one.
  private static let mostStorefronts = 20

  /// The whole report.
  package var plain: String {
    var text = "\(summary)\n\(origins)"
    if report.changes.isEmpty { return text }
    let sums = report.sums
    text += "\n" + padded("class", 16) + padded("displays", -9) + "  storefronts\n"
    for sum in sums {
      let shown = sum.storefronts.prefix(12).joined(separator: " ")
      let more = sum.storefronts.count > 12 ? " … (\(sum.storefronts.count))" : ""
      text += padded(sum.drift.rawValue, 16) + padded("\(sum.displays)", -9) + "  \(shown)\(more)\n"
    }
    let storefronts = report.storefronts
    for storefront in storefronts.prefix(Self.mostStorefronts) {
      text +=
        "\n\(printable(storefront.id)): \(storefront.changes.count) of \(counted(storefront.checked, "display"))\n"
      for group in groups(of: storefront) { text += plain(group) }
    }
    if storefronts.count > Self.mostStorefronts {
      text +=
        "\n… and \(counted(storefronts.count - Self.mostStorefronts, "more storefront")) (JSON has all)\n"
    }
    return text
  }

  /// What changed, on a line.
  package var summary: String {
    let changed = report.storefronts.count
    let checked = counted(report.checked, "display")
    let all = counted(report.checkedByStorefront.count, "storefront")
    return changed == 0
      ? "nothing changed: \(checked) in \(all)"
      : "\(report.changes.count) of \(checked) changed, in \(changed) of \(all)"
  }

  private var origins: String {
    let recorded = described(report.recorded)
    guard let current = report.current else { return "recorded with \(recorded)\n" }
    let now = described(current)
    if recorded == now { return "recorded and now with \(now)\n" }
    return "recorded with \(recorded)\nnow      with \(now)\n"
  }

  private func described(_ origin: DriftReport.Origin) -> String {
    let versions = origin.versions
    return printable(
      "PriceTag \(versions.priceTag), ICU \(versions.icu), CLDR \(versions.cldr), Unicode \(versions.unicode), registry \(origin.registry), prices of \(origin.date)"
    )
  }

  // MARK: Groups

  /// Changes of a storefront that are alike.
  package struct Group {
    /// The first display of them.
    package let first: DisplayChange
    /// What of it is shown; `nil` for a display that is new or gone.
    let field: DisplayChange.FieldChange?
    /// The kinds of changes, the worst first.
    package let classes: [DriftClass]
    /// The fields that changed so, in order.
    fileprivate(set) var fields: [RecordedDisplay.Field]
    /// How many displays changed so.
    fileprivate(set) var count: Int
    /// The last display that was counted.
    fileprivate var last: Int
  }

  /// The changes of a storefront by their kinds, the worst first.
  package func groups(of storefront: DriftReport.Storefront) -> [Group] {
    var groups: [Group] = []
    func add(
      _ number: Int,
      _ change: DisplayChange,
      _ field: DisplayChange.FieldChange?,
      _ classes: [DriftClass]
    ) {
      let known = groups.firstIndex {
        $0.classes == classes && ($0.field == nil) == (field == nil) && $0.first.reason == change.reason
      }
      guard let known else {
        let fields = [field?.field].compactMap(\.self)
        groups.append(
          Group(first: change, field: field, classes: classes, fields: fields, count: 1, last: number)
        )
        return
      }
      if groups[known].last != number { groups[known].count += 1 }
      groups[known].last = number
      if let field, !groups[known].fields.contains(field.field) { groups[known].fields.append(field.field) }
    }
    for (number, change) in storefront.changes.enumerated() {
      if change.fields.isEmpty { add(number, change, nil, change.classes) }
      for field in change.fields { add(number, change, field, field.comparison.classes) }
    }
    return groups.sorted { ($0.classes.first ?? .text, -$0.count) < ($1.classes.first ?? .text, -$1.count) }
  }

  private func plain(_ group: Group) -> String {
    let change = group.first
    let place = change.line.map { " (\(printable(file)):\($0))" } ?? ""
    let more = group.count > 1 ? ", and \(group.count - 1) more like it" : ""
    var text = "  \(names(group.classes)): \(who(change))\(place)\(more)\n"
    guard let comparison = group.field?.comparison else {
      if let display = change.display {
        text += "    \(change.classes == [.new] ? "+" : "-") \(seen(display))\n"
      }
      if let reason = change.reason { text += "    \(printable(reason))\n" }
      return text
    }
    if group.fields != [.display] {
      text += "    in its \(group.fields.map(\.rawValue).joined(separator: ", "))\n"
    }
    text += "    - \(seen(comparison.expected))\n    + \(seen(comparison.actual))\n"
    for difference in comparison.codePoints.prefix(4) { text += "      \(difference)\n" }
    if comparison.codePoints.count > 4 { text += "      … and \(comparison.codePoints.count - 4) more\n" }
    return text
  }

  /// A group on a line, without its place.
  package func line(_ group: Group) -> String {
    let change = group.first
    let count = counted(group.count, "display")
    guard let field = group.field else {
      let reason = change.reason.map { ": \(printable($0))" } ?? ""
      return "\(count) \(names(group.classes)), such as \(who(change))\(reason)"
    }
    let points = field.comparison.codePoints
    let more = points.count > 4 ? "; …" : ""
    return
      "\(count) changed in \(names(group.classes)), such as the \(field.field.rawValue) of \(who(change)): \(quoted(field.comparison.expected)) is now \(quoted(field.comparison.actual)) (\(points.prefix(4).map(\.description).joined(separator: "; "))\(more))"
  }

  /// Classes by their names.
  package func names(_ classes: [DriftClass]) -> String { classes.map(\.rawValue).joined(separator: ", ") }

  private func who(_ change: DisplayChange) -> String {
    printable(change.productIdentifier) + (change.language.isEmpty ? "" : " (\(printable(change.language)))")
  }

  /// A text on a line, isolated so that it moves nothing around it.
  private func seen(_ text: String) -> String { "\u{2068}\(goldenEscaped(text))\u{2069}" }

  private func padded(_ text: String, _ width: Int) -> String {
    let space = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? space + text : text + space
  }
}
