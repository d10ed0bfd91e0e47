import PriceTag
import PriceTagText

/// A report of changes as a person reads it: sums by kind and by storefront, and each difference once.
package struct DriftReportText {
  package let report: DriftReport
  /// The golden, or the shop's rows: what lines are of.
  package let file: String

  package init(_ report: DriftReport, file: String) {
    (self.report, self.file) = (report, file)
  }

  /// How many storefronts, and how many differences, are told one by one.
  private static let (mostStorefronts, mostGroups) = (20, 50)

  /// The whole report.
  package var plain: String {
    var text = "\(summary)\n\(origins)"
    if report.changes.isEmpty { return text }
    text += "\n" + padded("class", 16) + padded("displays", -9) + "  storefronts\n"
    for sum in report.sums {
      text +=
        padded(sum.drift.rawValue, 16) + padded("\(sum.displays)", -9) + "  \(shortened(sum.storefronts))\n"
    }
    let storefronts = report.storefronts
    text += "\n" + padded("storefront", 16) + padded("changed", -9) + "  classes\n"
    for storefront in storefronts.prefix(Self.mostStorefronts) {
      let count = "\(storefront.changes.count) of \(storefront.checked)"
      text += padded(printable(storefront.id), 10) + padded(count, -15) + "  \(names(storefront.classes))\n"
    }
    if storefronts.count > Self.mostStorefronts {
      text += "… and \(counted(storefronts.count - Self.mostStorefronts, "more storefront"))\n"
    }
    let groups = groups(of: report.changes)
    for group in groups.prefix(Self.mostGroups) { text += "\n" + plain(group) }
    if groups.count > Self.mostGroups {
      text += "\n… and \(counted(groups.count - Self.mostGroups, "more difference")) (JSON has all)\n"
    }
    return text
  }

  /// What changed, on a line.
  package var summary: String {
    let changed = Set(report.changes.map(\.storefront)).count
    let checked = counted(report.checked, "display")
    if report.checked == 0 { return "nothing was checked" }
    let all = counted(report.checkedByStorefront.count, "storefront")
    var text =
      changed == 0
      ? "nothing changed: \(checked) in \(all)"
      : "\(report.changes.count) of \(checked) changed, in \(changed) of \(all)"
    if report.unchecked > 0 { text += "; \(report.unchecked) more of the golden were not told of" }
    if !report.problems.isEmpty { text += "; \(counted(report.problems.count, "line")) set aside" }
    return text
  }

  /// With what both sides were made, on lines.
  package var origins: String {
    let recorded = described(report.recorded)
    guard let current = report.current else { return "recorded with \(recorded)\n" }
    let now = described(current)
    var text =
      recorded == now
      ? "recorded and now with \(recorded)\n" : "recorded with \(recorded)\nnow      with \(now)\n"
    let (old, new) = (report.recorded, current)
    if old.registry != new.registry {
      text += "The registries differ: other locale data (--locale-data), or another version of it.\n"
    }
    if old.made != new.made { text += "They are not of the same: \(old.made) and \(new.made).\n" }
    return text
  }

  private func described(_ origin: DriftReport.Origin) -> String {
    let versions = origin.versions
    return printable(
      "PriceTag \(versions.priceTag), ICU \(versions.icu), CLDR \(versions.cldr), Unicode \(versions.unicode), registry \(origin.registry), prices of \(origin.date)"
    )
  }

  // MARK: Groups

  /// Changes that are alike: the same difference in one storefront or in many.
  package struct Group {
    /// The first display of them.
    package let first: DisplayChange
    /// What of it is shown; `nil` for a display that is new or gone.
    let field: DisplayChange.FieldChange?
    /// The kinds of changes, the worst first.
    package let classes: [DriftClass]
    /// The storefronts, in the order of the changes.
    package fileprivate(set) var storefronts: [String]
    /// How many displays changed so.
    package fileprivate(set) var count: Int
  }

  /// Changes by their differences, the worst first.
  package func groups(of changes: [DisplayChange]) -> [Group] {
    var groups: [Group] = []
    var known: [String: Int] = [:]
    func add(
      _ change: DisplayChange,
      _ field: DisplayChange.FieldChange?,
      _ classes: [DriftClass],
      _ key: String
    ) {
      if let index = known[key] {
        groups[index].count += 1
        if groups[index].storefronts.last != change.storefront,
          !groups[index].storefronts.contains(change.storefront)
        {
          groups[index].storefronts.append(change.storefront)
        }
      } else {
        known[key] = groups.count
        groups.append(
          Group(first: change, field: field, classes: classes, storefronts: [change.storefront], count: 1)
        )
      }
    }
    for change in changes {
      if change.fields.isEmpty {
        add(change, nil, change.classes, "\(names(change.classes)) \(change.productIdentifier)")
      }
      // What changed in the display changed in the words around it too.
      var told: Set<[DriftClass]> = []
      for field in change.fields where told.insert(field.comparison.classes).inserted {
        let classes = field.comparison.classes
        let key =
          switch classes.first {
          // Each of these is looked at by itself.
          case .amount, .currency: "\(change.productIdentifier) \(change.storefront)"
          case .text: "\(field.comparison.expected)\t\(field.comparison.actual)"
          default: signature(field.comparison)
          }
        add(change, field, classes, "\(names(classes)) \(key)")
      }
    }
    return groups.sorted { ($0.classes.first ?? .text, -$0.count) < ($1.classes.first ?? .text, -$1.count) }
  }

  /// The characters that one text has and the other has not; digits by their script.
  private func signature(_ comparison: DisplayComparison) -> String {
    func kinds(_ text: String) -> Set<UInt32> {
      Set(
        text.unicodeScalars.map { scalar in
          if case .digit(let value) = DisplayScalar(scalar, nil) { return scalar.value &- UInt32(value) }
          return scalar.value
        }
      )
    }
    let (old, new) = (kinds(comparison.expected), kinds(comparison.actual))
    return "\(old.subtracting(new).sorted()) \(new.subtracting(old).sorted())"
  }

  private func plain(_ group: Group) -> String {
    let change = group.first
    var text = "\(names(group.classes)): \(counted(group.count, "display"))"
    text += group.storefronts.count > 1 ? " in \(counted(group.storefronts.count, "storefront"))" : ""
    text += ", \(shortened(group.storefronts))\n  \(who(change))"
    text += change.line.map { " (\(printable(file)):\($0))" } ?? ""
    guard let field = group.field else {
      text += "\n"
      if let display = change.display {
        text += "    \(change.classes == [.new] ? "+" : "-") \(goldenEscaped(display))\n"
      }
      if let reason = change.reason { text += "    \(printable(reason))\n" }
      return text
    }
    let alike = change.fields.filter { $0.comparison.classes == group.classes }.map(\.field.rawValue)
    text += ": \(alike.joined(separator: ", "))\n"
    text += "    - expected   \(goldenEscaped(field.comparison.expected))\n"
    let actual = goldenEscaped(field.comparison.actual)
    text += "    + displayed  \(actual.isEmpty ? "(nothing)" : actual)\n"
    // Where other words or amounts are seen, single characters say nothing.
    if [.amount, .currency].contains(group.classes.first) { return text }
    let points = field.comparison.codePoints
    if group.classes.first == .text, points.count > 4 { return text }
    for point in points.prefix(4) { text += "      at \(point.position): \(point)\n" }
    if points.count > 4 { text += "      … and \(points.count - 4) more\n" }
    return text
  }

  /// A group on a line, without its place.
  package func line(_ group: Group) -> String {
    let change = group.first
    let count = counted(group.count, "display")
    guard let field = group.field else {
      let display = change.display.map { " \(quoted($0))" } ?? ""
      let reason = change.reason.map { ": \(printable($0))" } ?? ""
      return "\(count) \(names(group.classes)), such as \(who(change))\(display)\(reason)"
    }
    let (old, new) = (quoted(field.comparison.expected), quoted(field.comparison.actual))
    var text =
      "\(count) changed in \(names(group.classes)), such as the \(field.field.rawValue) of \(who(change)): \(old) is now \(new)"
    let points = field.comparison.codePoints
    if ![.amount, .currency, .text].contains(group.classes.first), points.count <= 4 {
      text += " (\(points.map(\.description).joined(separator: "; ")))"
    }
    return text
  }

  /// Classes by their names.
  package func names(_ classes: [DriftClass]) -> String { classes.map(\.rawValue).joined(separator: ", ") }

  /// Storefronts by their identifiers, the first of many.
  package func shortened(_ storefronts: [String]) -> String {
    let shown = storefronts.prefix(12).map { printable($0) }.joined(separator: " ")
    return storefronts.count > 12 ? "\(shown) … (\(storefronts.count))" : shown
  }

  private func who(_ change: DisplayChange) -> String {
    let language = change.language.isEmpty ? "" : " (\(printable(change.language)))"
    return "\(printable(change.productIdentifier)) in \(printable(change.storefront))\(language)"
  }

  private func padded(_ text: String, _ width: Int) -> String {
    let space = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? space + text : text + space
  }
}
