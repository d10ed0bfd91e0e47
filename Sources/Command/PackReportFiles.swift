import PriceTagDrift
import PriceTagReading
import PriceTagText

/// A comparison of packs in the formats of other tools.
struct PackReportFiles: CheckReport {
  let text: PackReportText
  let failOn: Set<DriftClass>

  var plain: String { text.plain }
  var json: String { text.comparison.json + "\n" }

  /// The maximum numbers of annotations, and of changes of a test case.
  private static let (maximumChangeCount, maximumLineCount) = (50, 20)

  var gitHub: String {
    var lines = ""
    let changes = text.comparison.changes
    for change in changes.prefix(Self.maximumChangeCount) {
      let level = change.isOf(failOn) ? "error" : "warning"
      lines += gitHubAnnotation(level, text.file, line: 1, text.title(change), text.line(change)) + "\n"
    }
    if changes.count > Self.maximumChangeCount {
      lines += "::notice::\(counted(changes.count - Self.maximumChangeCount, "more change"))\n"
    }
    if text.comparison.notComparedCount > 0 { lines += "::notice::\(text.notCompared)\n" }
    return lines + "::notice::\(text.summary). \(text.origins.onOneLine)\n"
  }

  /// JUnit XML: a test case for each storefront and for each price locale, which fails if a change in it does, and one for
  /// changes of currencies and styles.
  var junit: String {
    let comparison = text.comparison
    var changes: [String: [PackChange]] = [:]
    for change in comparison.changes {
      for storefront in change.storefronts { changes[storefront, default: []].append(change) }
      for entry in change.locales { changes["locale \(entry.locale)", default: []].append(change) }
      if change.storefronts.isEmpty, change.locales.isEmpty {
        changes["currencies and styles", default: []].append(change)
      }
    }
    let old = comparison.storefronts + comparison.locales.map { "locale \($0)" }
    let names = old + Set(changes.keys).subtracting(old).sorted()
    var report = JUnitReport(file: text.file, origins: text.origins)
    for name in names {
      let own = changes[name] ?? []
      var lines = own.prefix(Self.maximumLineCount).map(text.line)
      if own.count > Self.maximumLineCount {
        lines.append("… and \(counted(own.count - Self.maximumLineCount, "more change"))")
      }
      let classes = Set(own.map(\.driftClass)).sorted().map(\.rawValue).joined(separator: ", ")
      let hasFailed = own.contains { $0.isOf(failOn) }
      report.add(name, lines, failure: hasFailed ? (classes, counted(own.count, "change")) : nil)
    }
    return report.xml
  }
}
