import PriceTagDrift
import PriceTagReading
import PriceTagText

/// A report of `pricetag check` in each of its formats.
protocol CheckReport {
  var plain: String { get }
  var json: String { get }
  /// Commands of GitHub Actions: an annotation for each difference, as an error if its class fails, else as a warning.
  var gitHub: String { get }
  var junit: String { get }
}

/// A report of changes in the formats of other tools.
struct DriftReportFiles: CheckReport {
  let text: DriftReportText
  let failOn: Set<DriftClass>

  var plain: String { text.plain }
  var json: String { text.report.json + "\n" }

  /// The maximum number of rejected lines in a report.
  private static let maximumProblemCount = 20

  /// The maximum number of annotations for differences.
  private static let maximumGroupCount = 50

  var gitHub: String {
    var lines = ""
    let groups = text.groups(of: text.report.changes)
    for group in groups.prefix(Self.maximumGroupCount) {
      let level = failOn.isDisjoint(with: group.classes) ? "warning" : "error"
      let title = "\(text.names(group.classes)): \(shortened(group.storefronts))"
      let places = group.places.isEmpty ? [(file: text.file, line: group.first.line ?? 1)] : group.places
      for place in places.prefix(DriftReportText.maximumPlaceCount) {
        lines += gitHubAnnotation(level, place.file, line: place.line, title, text.line(group)) + "\n"
      }
    }
    if groups.count > Self.maximumGroupCount {
      lines += "::notice::\(counted(groups.count - Self.maximumGroupCount, "more difference"))\n"
    }
    for problem in text.report.problems.prefix(Self.maximumProblemCount) {
      lines += gitHubAnnotation("error", text.file, line: 1, "rejected", problem.description) + "\n"
    }
    lines += text.notChecked.map { "::notice::\($0)\n" }.joined()
    return lines + "::notice::\(text.summary). \(text.origins.onOneLine)\n"
  }

  /// JUnit XML: a test case for each storefront, which fails if a change in it does, and one for rejected lines.
  var junit: String {
    let changed = Dictionary(text.report.storefronts.map { ($0.id, $0) }) { first, _ in first }
    let ids = text.report.checkedByStorefront.keys.sorted()
    var report = JUnitReport(file: text.file, origins: text.origins)
    for id in ids {
      guard let storefront = changed[id] else {
        report.add(id)
        continue
      }
      let message =
        "\(storefront.changes.count) of \(counted(storefront.checked, "display")) \(text.changedVerb)"
      report.add(
        id,
        text.groups(of: storefront.changes).map(text.line),
        failure: failOn.isDisjoint(with: storefront.classes) ? nil : (text.names(storefront.classes), message)
      )
    }
    if !text.notChecked.isEmpty { report.add("not checked", text.notChecked) }
    let problems = text.report.problems
    if !problems.isEmpty {
      report.add(
        "valid lines",
        problems.prefix(Self.maximumProblemCount).map(\.description),
        failure: ("rejected", "\(counted(problems.count, "line")) rejected")
      )
    }
    return report.xml
  }
}

/// A report as JUnit XML.
struct JUnitReport {
  private let name: String
  private let file: String
  private let origins: String
  private var cases: [String] = []
  private var failureCount = 0

  /// - Parameters:
  ///   - file: The file that is checked.
  ///   - origins: The versions and settings of both sides, one per line; empty if there are none.
  ///   - name: The command that checks.
  init(file: String, origins: String, name: String = "pricetag check") {
    (self.file, self.origins, self.name) = (Self.escaped(file), origins.onOneLine, name)
  }

  /// Adds a test case.
  ///
  /// - Parameters:
  ///   - name: What is tested, such as a storefront.
  ///   - lines: The changes of it.
  ///   - failure: The classes and the message of a case that fails.
  mutating func add(_ name: String, _ lines: [String] = [], failure: (type: String, message: String)? = nil) {
    let text = lines.map(Self.escaped).joined(separator: "\n")
    var content = lines.isEmpty ? "/>" : "><system-out>\(text)</system-out></testcase>"
    if let (type, message) = failure {
      failureCount += 1
      content = "><failure type=\"\(type)\" message=\"\(message)\">\(text)</failure></testcase>"
    }
    cases.append("    <testcase classname=\"\(file)\" name=\"\(Self.escaped(name))\"\(content)\n")
  }

  /// The document.
  var xml: String {
    let counts = "tests=\"\(cases.count)\" failures=\"\(failureCount)\" errors=\"0\""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="\(name)" \(counts)>
        <testsuite name="\(file)" \(counts)>
      \(origins.isEmpty ? "" : "    <properties><property name=\"versions\" value=\"\(Self.escaped(origins))\"/></properties>\n")\(cases.joined())  </testsuite>
      </testsuites>

      """
  }

  private static func escaped(_ text: String) -> String { escapedForHTML(printable(text, limit: .max)) }
}

extension String {
  /// The lines, joined with semicolons: for an attribute or a message that has one line.
  var onOneLine: String { split(separator: "\n").joined(separator: "; ") }
}
