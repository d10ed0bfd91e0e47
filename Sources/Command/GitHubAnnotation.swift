import PriceTagText

/// Returns a command of GitHub Actions that shows a message next to a line of a pull request.
func gitHubAnnotation(_ level: String, _ file: String, line: Int, _ title: String, _ message: String)
  -> String
{
  func escaped(_ text: String, isProperty: Bool) -> String {
    var text = text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    if isProperty { text = text.replacing(":", with: "%3A").replacing(",", with: "%2C") }
    return text
  }
  return
    "::\(level) file=\(escaped(file, isProperty: true)),line=\(line),title=\(escaped(title, isProperty: true))::"
    + escaped(message, isProperty: false)
}
