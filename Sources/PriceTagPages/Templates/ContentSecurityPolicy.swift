import PriceTagText

/// The Content-Security-Policy of pages: a constant, and what the checkout and the shop's own templates add to it.
///
/// Inline scripts and styles of templates are allowed by hash, and scripts, style sheets, frames and targets of forms of other
/// hosts by origin. Browsers block everything else, including inline scripts that contain a value of a page, and do not show a
/// page in a frame of another site, which could trick a shopper into buying.
package struct ContentSecurityPolicy: Sendable {
  private var scripts: Set<String> = []
  private var styles: Set<String> = []
  private var frames: Set<String> = []
  private var forms: Set<String> = []
  /// The parts of the templates that browsers block under this policy, with file and line.
  private(set) var blocked: [String] = []

  /// - Parameters:
  ///   - templates: The texts of the shop's own templates by file name.
  ///   - styleSheet: The shop's own style sheet.
  init(templates: [String: String], styleSheet: String) {
    for (file, text) in templates.sorted(by: { $0.key < $1.key }) {
      for element in Self.elements(of: text) { add(element, "\(file), line \(element.line)") }
    }
    for match in styleSheet.matches(of: #/@import\s+(?:url\()?\s*["']?(https?:[^"')\s;]+)/#.ignoresCase()) {
      styles.formUnion(Self.origin(String(match.1)))
    }
  }

  /// Returns the value of the `Content-Security-Policy` field.
  ///
  /// - Parameter checkout: The address of the shop's checkout, which a form of a template may lead to.
  func value(checkout: String?) -> String {
    func list(_ sources: Set<String>) -> String { sources.sorted().map { " \($0)" }.joined() }
    // WebAssembly is allowed: it does not evaluate text as a script. Product images may be on any host, and a shop's script
    // may connect to its checkout.
    return """
      default-src 'self'; script-src 'self' 'wasm-unsafe-eval'\(list(scripts)); style-src 'self'\(list(styles)); \
      img-src 'self' https: http: data:; media-src 'self' https: http: data:; font-src 'self' https: data:; \
      connect-src 'self' https:; frame-src 'self'\(list(frames)); object-src 'none'; base-uri 'self'; \
      frame-ancestors 'self'; form-action 'self'\(list(forms.union(Self.origin(checkout))))
      """
  }

  // MARK: Templates

  /// A start tag of a template; for `<script>` and `<style>` also the contents of the element.
  private struct Element {
    let name: String
    let attributes: [(name: String, value: String)]
    let contents: String
    let line: Int

    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
  }

  /// Returns the elements of a template, in order. Comments and Mustache tags are skipped.
  private static func elements(of text: String) -> [Element] {
    // HTML and Mustache end at their characters, also if a combining mark follows.
    let tag =
      #/(?s)<!--.*?-->|\{\{.*?\}\}|<(?<name>[A-Za-z][A-Za-z0-9-]*+)(?<attributes>(?:\{\{.*?\}\}|"[^"]*"|'[^']*'|[^>"'])*+)>/#
      .matchingSemantics(.unicodeScalar)
    let attribute =
      #/(?s)\{\{.*?\}\}|([^\s"'=\/{]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|((?:\{\{.*?\}\}|[^\s"'])+))/#
      .matchingSemantics(.unicodeScalar)
    var elements: [Element] = []
    var (rest, line) = (text[...], 1)
    while let match = rest.firstMatch(of: tag) {
      line += rest[..<match.range.lowerBound].utf8.count { $0 == 0x0A }
      let tagLine = line
      line += match.0.utf8.count { $0 == 0x0A }
      rest = rest[match.range.upperBound...]
      guard let name = match.name?.lowercased(), let attributes = match.attributes else { continue }
      var contents: Substring = ""
      if name == "script" || name == "style" {
        let end = rest.firstRange(of: name == "script" ? #/(?i)<\/script/# : #/(?i)<\/style/#)
        contents = rest[..<(end?.lowerBound ?? rest.endIndex)]
        line += contents.utf8.count { $0 == 0x0A }
        rest = rest[contents.endIndex...]
      }
      elements.append(
        Element(
          name: name,
          attributes: attributes.matches(of: attribute).compactMap { part in
            part.1.map { (name: $0.lowercased(), value: String(part.2 ?? part.3 ?? part.4 ?? "")) }
          },
          contents: String(contents),
          line: tagLine
        )
      )
    }
    return elements
  }

  /// Adds the sources that an element needs, and what is blocked.
  private mutating func add(_ element: Element, _ place: String) {
    for (name, _) in element.attributes where name == "style" || name.hasPrefix("on") {
      blocked.append("\(place): the attribute \(name) of <\(element.name)>")
    }
    forms.formUnion(Self.origin(element["formaction"]))
    switch element.name {
    case "form": forms.formUnion(Self.origin(element["action"]))
    case "iframe": frames.formUnion(Self.origin(element["src"]))
    case "link" where element["rel"]?.lowercased().split(separator: " ").contains("stylesheet") == true:
      styles.formUnion(Self.origin(element["href"]))
    case "script" where element["src"] != nil: scripts.formUnion(Self.origin(element["src"]))
    case "script" where !Self.isScript(type: element["type"]): break
    case "script", "style":
      guard !element.contents.contains("{{") else {
        blocked.append("\(place): a <\(element.name)> that contains a {{tag}}")
        return
      }
      let hash = Self.hashSource(of: element.contents)
      if element.name == "script" { scripts.insert(hash) } else { styles.insert(hash) }
    default: break
    }
  }

  /// Returns the source expression that allows an inline script or style: `'sha256-…'`.
  package static func hashSource(of text: String) -> String {
    // Browsers normalize line ends before hashing.
    let normalized = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    return "'sha256-\(base64(SHA256.hash(normalized.utf8)))'"
  }

  /// Returns the origin of an absolute address as a source expression; empty for a relative address.
  private static func origin(_ address: String?) -> [String] {
    guard let match = address?.prefixMatch(of: #/(?:https?:)?//[A-Za-z0-9.\-:\[\]]+/#) else { return [] }
    return [(match.0.hasPrefix("//") ? "https:" : "") + match.0.lowercased()]
  }

  /// Returns whether browsers run a `<script>` of this type. Other types, such as JSON-LD, are data.
  private static func isScript(type: String?) -> Bool {
    guard let type = type?.lowercased(), !type.isEmpty else { return true }
    return ["module", "importmap", "speculationrules"].contains(type)
      || ["javascript", "ecmascript", "jscript", "livescript"].contains { type.contains($0) }
  }
}
