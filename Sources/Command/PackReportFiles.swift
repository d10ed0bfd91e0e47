import PriceTag
import PriceTagDrift
import PriceTagText

/// A comparison of packs in the formats of other tools.
struct PackReportFiles {
  private let text: PackReportText
  private let failOn: Set<DriftClass>

  init(_ text: PackReportText, failOn: Set<DriftClass>) {
    (self.text, self.failOn) = (text, failOn)
  }

  /// The maximum numbers of annotations, and of changes of a test case.
  private static let (maximumChangeCount, maximumLineCount) = (50, 20)

  /// Commands of GitHub Actions: an annotation for each change, as an error if its class fails, else as a warning.
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
    let failureCount = names.count { name in hasFailed(changes[name] ?? []) }
    let counts = "tests=\"\(names.count)\" failures=\"\(failureCount)\" errors=\"0\""
    var document =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pricetag check\" \(counts)>\n"
    document += "  <testsuite name=\"\(xml(text.file))\" \(counts)>\n"
    document +=
      "    <properties><property name=\"versions\" value=\"\(xml(text.origins.onOneLine))\"/></properties>\n"
    for name in names {
      document += "    <testcase classname=\"\(xml(text.file))\" name=\"\(xml(name))\""
      document += changes[name].map { content($0) + "</testcase>\n" } ?? "/>\n"
    }
    return document + "  </testsuite>\n</testsuites>\n"
  }

  private func hasFailed(_ changes: [PackChange]) -> Bool {
    changes.contains { $0.isOf(failOn) }
  }

  /// Returns the rest of a test case: the end of its start tag, and its changes.
  private func content(_ changes: [PackChange]) -> String {
    var lines = changes.prefix(Self.maximumLineCount).map { change in
      xml(text.line(change))
    }
    if changes.count > Self.maximumLineCount {
      lines.append("… and \(counted(changes.count - Self.maximumLineCount, "more change"))")
    }
    let all = lines.joined(separator: "\n")
    let classes = Set(changes.map(\.driftClass)).sorted().map(\.rawValue).joined(separator: ", ")
    return hasFailed(changes)
      ? "><failure type=\"\(classes)\" message=\"\(counted(changes.count, "change"))\">\(all)</failure>"
      : "><system-out>\(all)</system-out>"
  }

  private func xml(_ text: String) -> String { escapedForHTML(printable(text, limit: .max)) }
}
