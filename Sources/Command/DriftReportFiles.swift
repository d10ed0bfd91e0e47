import PriceTag
import PriceTagDrift
import PriceTagText

/// A report of changes in the formats of other tools.
struct DriftReportFiles {
  private let text: DriftReportText
  private let failOn: Set<DriftClass>

  init(_ text: DriftReportText, failOn: Set<DriftClass>) {
    (self.text, self.failOn) = (text, failOn)
  }

  /// The maximum number of rejected lines in a report.
  private static let maximumProblemCount = 20

  /// The maximum number of annotations for differences.
  private static let maximumGroupCount = 50

  /// Commands of GitHub Actions: an annotation for each difference, as an error if its class fails, else as a warning.
  var gitHub: String {
    var lines = ""
    let groups = text.groups(of: text.report.changes)
    for group in groups.prefix(Self.maximumGroupCount) {
      let level = failOn.isDisjoint(with: group.classes) ? "warning" : "error"
      let title = "\(text.names(group.classes)): \(text.shortened(group.storefronts))"
      lines +=
        gitHubAnnotation(level, text.file, line: group.first.line ?? 1, title, text.line(group)) + "\n"
    }
    if groups.count > Self.maximumGroupCount {
      lines += "::notice::\(counted(groups.count - Self.maximumGroupCount, "more difference"))\n"
    }
    for problem in text.report.problems.prefix(Self.maximumProblemCount) {
      lines += gitHubAnnotation("error", text.file, line: 1, "rejected", problem.description) + "\n"
    }
    return lines + "::notice::\(text.summary). \(text.origins.onOneLine)\n"
  }

  /// JUnit XML: a test case for each storefront, which fails if a change in it does, and one for rejected lines.
  var junit: String {
    let changed = Dictionary(text.report.storefronts.map { ($0.id, $0) }) { first, _ in first }
    let ids = text.report.checkedByStorefront.keys.sorted()
    let failed = { (storefront: DriftReport.Storefront) in !failOn.isDisjoint(with: storefront.classes) }
    let problems = text.report.problems
    let (more, failures) = (problems.isEmpty ? 0 : 1, changed.values.count(where: failed))
    let counts = "tests=\"\(ids.count + more)\" failures=\"\(failures + more)\" errors=\"0\""
    var document =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pricetag check\" \(counts)>\n"
    document += "  <testsuite name=\"\(xml(text.file))\" \(counts)>\n"
    document +=
      "    <properties><property name=\"versions\" value=\"\(xml(text.origins.onOneLine))\"/></properties>\n"
    for id in ids {
      document += "    <testcase classname=\"\(xml(text.file))\" name=\"\(xml(id))\""
      guard let storefront = changed[id] else {
        document += "/>\n"
        continue
      }
      let message =
        "\(storefront.changes.count) of \(counted(storefront.checked, "display")) \(text.changedVerb)"
      let lines = text.groups(of: storefront.changes).map { xml(text.line($0)) }.joined(separator: "\n")
      document +=
        failed(storefront)
        ? "><failure type=\"\(text.names(storefront.classes))\" message=\"\(message)\">\(lines)</failure></testcase>\n"
        : "><system-out>\(lines)</system-out></testcase>\n"
    }
    if !problems.isEmpty {
      let lines = problems.prefix(Self.maximumProblemCount).map { xml($0.description) }.joined(
        separator: "\n"
      )
      document +=
        "    <testcase classname=\"\(xml(text.file))\" name=\"valid lines\"><failure type=\"rejected\" message=\"\(counted(problems.count, "line")) rejected\">\(lines)</failure></testcase>\n"
    }
    return document + "  </testsuite>\n</testsuites>\n"
  }

  private func xml(_ text: String) -> String { escapedForHTML(printable(text, limit: .max)) }
}

extension String {
  /// The lines, joined with semicolons: for an attribute or a message that has one line.
  var onOneLine: String { split(separator: "\n").joined(separator: "; ") }
}
