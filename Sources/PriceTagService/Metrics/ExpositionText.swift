/// Builds the text of a scrape.
struct ExpositionText {
  private(set) var text = ""

  /// Writes the help and the type of a family, which precede its samples.
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

  /// Writes a sample. `boundary` is the `le` label of a bucket.
  mutating func sample(
    _ identity: SeriesIdentity,
    _ suffix: String = "",
    boundary: String? = nil,
    value: String
  ) {
    text += identity.family
    text += suffix
    let labels = identity.labels.text
    if boundary != nil || !labels.isEmpty {
      text += "{"
      text += labels
      if let boundary {
        if !labels.isEmpty { text += "," }
        text += "le=\""
        text += boundary
        text += "\""
      }
      text += "}"
    }
    text += " "
    text += value
    text += "\n"
  }
}
