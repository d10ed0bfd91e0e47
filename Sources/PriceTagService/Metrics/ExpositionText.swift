/// The text of a scrape while it is written.
struct ExpositionText {
  private(set) var text = ""

  /// What stands above the samples of a family.
  mutating func header(_ family: String, type: String, help: String?) {
    if let help {
      text += "# HELP \(family) "
      for scalar in help.unicodeScalars {
        switch scalar {
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        default: text.unicodeScalars.append(scalar)
        }
      }
      text += "\n"
    }
    text += "# TYPE \(family) \(type)\n"
  }

  /// One sample; `border` is the `le` of a bucket.
  mutating func sample(_ place: MetricPlace, _ ending: String = "", border: String? = nil, value: String) {
    text += place.family
    text += ending
    let labels = place.labels.text
    if border != nil || !labels.isEmpty {
      text += "{"
      text += labels
      if let border {
        if !labels.isEmpty { text += "," }
        text += "le=\""
        text += border
        text += "\""
      }
      text += "}"
    }
    text += " "
    text += value
    text += "\n"
  }
}
