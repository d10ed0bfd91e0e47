import PriceTag
import PriceTagReading
import PriceTagText

/// A report as text for people: summaries by class and by storefront, and each distinct difference once.
package struct DriftReportText {
  package let report: DriftReport
  /// The file that line numbers refer to: the golden file, or the shop's rows.
  package let file: String

  package init(_ report: DriftReport, file: String) {
    (self.report, self.file) = (report, file)
  }

  /// The maximum numbers of storefronts and of differences that are listed.
  private static let (maximumStorefrontCount, maximumGroupCount) = (20, 50)
  /// The maximum number of places that are listed for a difference or for what was not checked.
  package static let maximumPlaceCount = 10

  /// The complete report.
  package var plain: String {
    var text = "\(summary)\n\(origins)" + notChecked.map { "\($0)\n" }.joined()
    if report.changes.isEmpty { return text }
    text += "\n" + padded("class", 16) + padded("displays", -9) + "  storefronts\n"
    for summary in report.classSummaries {
      text +=
        padded(summary.driftClass.rawValue, 16) + padded("\(summary.displayCount)", -9)
        + "  \(shortened(summary.storefronts))\n"
    }
    let storefronts = report.storefronts
    text +=
      "\n" + padded("storefront", 16) + padded(isOfShop ? "different" : "changed", -9) + "  classes\n"
    for storefront in storefronts.prefix(Self.maximumStorefrontCount) {
      let count = "\(storefront.changes.count) of \(storefront.checked)"
      text += padded(printable(storefront.id), 10) + padded(count, -15) + "  \(names(storefront.classes))\n"
    }
    if storefronts.count > Self.maximumStorefrontCount {
      text += "… and \(counted(storefronts.count - Self.maximumStorefrontCount, "more storefront"))\n"
    }
    let groups = groups(of: report.changes)
    for group in groups.prefix(Self.maximumGroupCount) { text += "\n" + plain(group) }
    if groups.count > Self.maximumGroupCount {
      text += "\n… and \(counted(groups.count - Self.maximumGroupCount, "more difference")) (JSON has all)\n"
    }
    return text
  }

  /// Whether the displays are those of a shop, in which nothing changed: they are shown differently.
  private var isOfShop: Bool { report.current == nil }

  private var isOfGoldenFile: Bool { !report.recorded.name.isEmpty }

  /// What happened to the displays with a difference.
  package var changedVerb: String { isOfShop ? "shown differently" : "changed" }

  /// The number of changes, on one line.
  package var summary: String {
    let changed = Set(report.changes.map(\.storefront)).count
    let checked = counted(report.checked, "display")
    if report.checked == 0 { return "no displays were checked" }
    let all = counted(report.checkedByStorefront.count, "storefront")
    var text =
      changed == 0
      ? "no \(isOfShop ? "differences" : "changes"): \(checked) in \(all)"
      : "\(report.changes.count) of \(checked) \(changedVerb), in \(changed) of \(all)"
    if !isOfGoldenFile {
      text += report.notChecked.map { "; \($0.key) not checked: \($0.value.count)" }.joined()
    } else if report.unchecked > 0 {
      text += "; \(report.unchecked) more in the golden file not checked"
    }
    if !report.problems.isEmpty {
      text +=
        "; \(isOfGoldenFile ? counted(report.problems.count, "line") : "\(report.problems.count)") rejected"
    }
    return text
  }

  /// The versions and settings of both sides, one per line.
  package var origins: String {
    let recorded = described(report.recorded)
    guard let current = report.current else {
      return "\(isOfGoldenFile ? "recorded" : "formatted") with \(recorded)\n"
    }
    let now = described(current)
    var text =
      recorded == now
      ? "recorded and now with \(recorded)\n" : "recorded with \(recorded)\nnow      with \(now)\n"
    let (old, new) = (report.recorded, current)
    if old.registry != new.registry {
      text += "The registries differ: check --locale-data and its version.\n"
    }
    if old.settings != new.settings {
      text += "The settings differ: \(old.settings) and \(new.settings).\n"
    }
    return text
  }

  private func described(_ origin: DriftReport.Origin) -> String {
    "\(origin.versions.text(registry: origin.registry)), prices of \(origin.day)"
  }

  /// What was not checked and where it is, one line for each reason.
  package var notChecked: [String] {
    report.notChecked.map { "not checked: \($0.key) (\($0.value.count)): \(listed($0.value.places))" }
  }

  /// Returns the first places.
  private func listed(_ places: [String]) -> String {
    let shown = places.prefix(Self.maximumPlaceCount).map { printable($0, limit: 1000) }
    return shown.joined(separator: ", ") + (places.count > shown.count ? ", …" : "")
  }

  // MARK: Groups

  /// Displays with the same difference, in one or more storefronts.
  package struct Group {
    /// The first of the displays.
    package let first: DisplayChange
    /// The field of it that is shown; `nil` for a new or removed display.
    let field: DisplayChange.FieldChange?
    /// The classes of the changes, the most severe first.
    package let classes: [DriftClass]
    /// The storefronts, in the order of the changes.
    package fileprivate(set) var storefronts: [String]
    /// The number of displays.
    package fileprivate(set) var count: Int
    /// The files and lines of displays that were checked without a golden file.
    package fileprivate(set) var places: [(file: String, line: Int)] = []
  }

  /// Returns the changes grouped by difference, the most severe first.
  package func groups(of changes: [DisplayChange]) -> [Group] {
    var groups: [Group] = []
    var indices: [String: Int] = [:]
    func add(
      _ change: DisplayChange,
      _ field: DisplayChange.FieldChange?,
      _ classes: [DriftClass],
      _ key: String
    ) {
      let place = change.file.flatMap { file in change.line.map { (file: file, line: $0) } }
      if let index = indices[key] {
        if let place { groups[index].places.append(place) }
        groups[index].count += 1
        if groups[index].storefronts.last != change.storefront,
          !groups[index].storefronts.contains(change.storefront)
        {
          groups[index].storefronts.append(change.storefront)
        }
      } else {
        indices[key] = groups.count
        groups.append(
          Group(first: change, field: field, classes: classes, storefronts: [change.storefront], count: 1)
        )
        if let place { groups[groups.count - 1].places = [place] }
      }
    }
    for change in changes {
      if change.fields.isEmpty {
        add(change, nil, change.classes, "\(names(change.classes)) \(change.productIdentifier)")
      }
      // A change of the displayed price usually recurs in the messages that contain it.
      var seenClasses: Set<[DriftClass]> = []
      for field in change.fields where seenClasses.insert(field.comparison.classes).inserted {
        let classes = field.comparison.classes
        let key =
          switch classes.first {
          // Changed amounts and currencies are listed separately for each product and storefront.
          case .amount where change.file != nil, .currency where change.file != nil:
            "\(field.comparison.expected)\t\(field.comparison.actual)"
          case .amount, .currency: "\(change.productIdentifier) \(change.storefront)"
          case .text: "\(field.comparison.expected)\t\(field.comparison.actual)"
          case .notAPrice: field.comparison.actual
          default: signature(field.comparison)
          }
        add(change, field, classes, "\(names(classes)) \(change.code ?? "") \(key)")
      }
    }
    return groups.sorted { ($0.classes.first ?? .text, -$0.count) < ($1.classes.first ?? .text, -$1.count) }
  }

  /// Returns the characters that only one of the texts has. Digits count by script, not by value.
  private func signature(_ comparison: DisplayComparison) -> String {
    func characters(_ text: String) -> Set<UInt32> {
      Set(
        text.unicodeScalars.map { scalar in
          if case .digit(let value) = DisplayScalar(scalar, nil) { return scalar.value &- UInt32(value) }
          return scalar.value
        }
      )
    }
    let (old, new) = (characters(comparison.expected), characters(comparison.actual))
    return "\(old.subtracting(new).sorted()) \(new.subtracting(old).sorted())"
  }

  private func plain(_ group: Group) -> String {
    let change = group.first
    var text = "\(names(group.classes)): \(counted(group.count, "display"))"
    text += group.storefronts.count > 1 ? " in \(counted(group.storefronts.count, "storefront"))" : ""
    text += ", \(shortened(group.storefronts))\n  \(subject(change))"
    let places = group.places.isEmpty ? change.line.map { [(file: file, line: $0)] } ?? [] : group.places
    if !places.isEmpty { text += " (\(listed(places.map { "\($0.file):\($0.line)" })))" }
    guard let field = group.field else {
      text += "\n"
      if let display = change.display {
        text += "    \(change.classes == [.new] ? "+" : "-") \(escapedForGoldenFile(display))\n"
      }
      if let reason = change.reason { text += "    \(printable(reason))\n" }
      return text
    }
    let changedFields = change.fields.filter { $0.comparison.classes == group.classes }.map(\.field.rawValue)
    text += ": \(change.code ?? changedFields.joined(separator: ", "))\n"
    text += "    - expected   \(escapedForGoldenFile(field.comparison.expected))\n"
    let actual = escapedForGoldenFile(field.comparison.actual)
    text += "    + displayed  \(actual.isEmpty ? "(empty)" : actual)\n"
    if let reason = change.reason { text += "    \(printable(reason, limit: 1000))\n" }
    // Code points do not help where words or amounts differ.
    if [.amount, .currency, .notAPrice].contains(group.classes.first) { return text }
    let points = field.comparison.codePoints
    if group.classes.first == .text, points.count > 4 { return text }
    for point in points.prefix(4) { text += "      at \(point.position): \(point)\n" }
    if points.count > 4 { text += "      … and \(points.count - 4) more\n" }
    return text
  }

  /// Returns a group as one line, without file and line number.
  package func line(_ group: Group) -> String {
    let change = group.first
    let count = counted(group.count, "display")
    guard let field = group.field else {
      let display = change.display.map { " \(quoted($0))" } ?? ""
      let reason = change.reason.map { ": \(printable($0))" } ?? ""
      return "\(count) \(names(group.classes)), such as \(subject(change))\(display)\(reason)"
    }
    let (old, new) = (quoted(field.comparison.expected), quoted(field.comparison.actual))
    let code = change.code.map { " (\($0))" } ?? ""
    var text =
      "\(count) \(changedVerb) in \(names(group.classes))\(code), such as the \(field.field.rawValue) of \(subject(change)): \(old) is \(isOfShop ? "shown as" : "now") \(new)"
    if let reason = change.reason { text += " (\(printable(reason, limit: 1000)))" }
    let points = field.comparison.codePoints
    if ![.amount, .currency, .notAPrice, .text].contains(group.classes.first), points.count <= 4 {
      text += " (\(points.map(\.description).joined(separator: "; ")))"
    }
    return text
  }

  /// Returns the names of classes, separated by commas.
  package func names(_ classes: [DriftClass]) -> String { classes.map(\.rawValue).joined(separator: ", ") }

  private func subject(_ change: DisplayChange) -> String {
    let language = change.language.isEmpty ? "" : " (\(printable(change.language)))"
    if change.productIdentifier.isEmpty { return printable(change.storefront) }
    return "\(printable(change.productIdentifier)) in \(printable(change.storefront))\(language)"
  }
}

/// Returns names, such as those of storefronts, at most the first ones.
package func shortened(_ names: [String], limit: Int = 12) -> String {
  let separator = names.contains { $0.contains(" ") } ? "; " : " "
  let shown = names.prefix(limit).map { printable($0) }.joined(separator: separator)
  return names.count > limit ? "\(shown) … (\(names.count))" : shown
}

extension Versions {
  /// Returns the versions and the revision of the registry, on one line.
  func text(registry: String) -> String {
    let zones = zones.isEmpty ? "" : ", time zones \(zones)"
    return printable(
      "PriceTag \(priceTag), ICU \(icu), CLDR \(cldr), Unicode \(unicode)\(zones), registry \(registry)"
    )
  }

  /// Returns the same as members of a JSON object.
  func json(name: String, registry: String) -> [(String, String)] {
    [("name", name.isEmpty ? "null" : PriceTagText.json(name))]
      + ([("priceTag", priceTag), ("icu", icu), ("cldr", cldr), ("unicode", unicode)]
      + (zones.isEmpty ? [] : [("zones", zones)]) + [("registry", registry)])
      .map { ($0, PriceTagText.json($1)) }
  }
}
