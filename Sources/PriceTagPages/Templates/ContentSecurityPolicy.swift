import PriceTagText

/// The Content-Security-Policy of pages, derived from their templates.
///
/// It allows inline scripts and styles of the templates by hash, and scripts, style sheets, and frames of other hosts by
/// origin. Browsers block everything else, including inline scripts that contain a value of a page.
package struct ContentSecurityPolicy: Sendable {
  /// The value of the `Content-Security-Policy` field.
  let value: String
  /// The parts of the templates that browsers block under this policy, with file and line.
  let blocked: [String]

  /// - Parameters:
  ///   - templates: The texts of the templates by file name.
  ///   - styleSheet: The style sheet that pages load.
  init(templates: [String: String], styleSheet: String) {
    var (scripts, styles, frames): (Set<String>, Set<String>, Set<String>) = ([], [], [])
    var blocked: [String] = []
    for (file, text) in templates.sorted(by: { $0.key < $1.key }) {
      for element in TemplateMarkup.elements(of: text) {
        let place = "\(file), line \(element.line)"
        for attribute in element.attributes where attribute.name == "style" || attribute.name.hasPrefix("on")
        {
          blocked.append("\(place): the attribute \(attribute.name) of <\(element.name)>")
        }
        switch element.name {
        case "script":
          if let source = element["src"] {
            scripts.formUnion(Self.origin(source))
          } else if Self.isScript(type: element["type"]) {
            Self.add(element, to: &scripts, &blocked, place)
          }
        case "style": Self.add(element, to: &styles, &blocked, place)
        case "link":
          let relations = (element["rel"] ?? "").lowercased().split(separator: " ")
          if relations.contains("stylesheet") { styles.formUnion(Self.origin(element["href"] ?? "")) }
        case "iframe": frames.formUnion(Self.origin(element["src"] ?? ""))
        default: break
        }
      }
    }
    for match in styleSheet.matches(of: #/@import\s+(?:url\()?\s*["']?(https?:[^"')\s;]+)/#.ignoresCase()) {
      styles.formUnion(Self.origin(String(match.1)))
    }
    func sources(_ own: [String], _ more: Set<String>) -> String {
      (own + more.sorted()).joined(separator: " ")
    }
    value = [
      "default-src 'self'",
      // WebAssembly is allowed: it does not evaluate text as a script.
      "script-src \(sources(["'self'", "'wasm-unsafe-eval'"], scripts))",
      "style-src \(sources(["'self'"], styles))",
      // Product images may be on any host, and a shop's script may connect to its checkout.
      "img-src 'self' https: http: data:", "media-src 'self' https: http: data:",
      "font-src 'self' https: data:", "connect-src 'self' https:",
      "frame-src \(sources(["'self'"], frames))", "object-src 'none'", "base-uri 'self'",
    ].joined(separator: "; ")
    self.blocked = blocked
  }

  private static func add(
    _ element: TemplateMarkup.Element,
    to allowed: inout Set<String>,
    _ blocked: inout [String],
    _ place: String
  ) {
    guard !element.contents.contains("{{") else {
      blocked.append("\(place): a <\(element.name)> that contains a {{tag}}")
      return
    }
    allowed.insert(hashSource(of: element.contents))
  }

  /// Returns the source expression that allows an inline script or style: `'sha256-…'`.
  package static func hashSource(of text: String) -> String {
    // Browsers normalize line ends before hashing.
    let normalized = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    return "'sha256-\(base64(SHA256.hash(normalized.utf8)))'"
  }

  /// Returns the origin of an absolute address as a source expression; empty for a relative address.
  private static func origin(_ address: String) -> [String] {
    let address = address.hasPrefix("//") ? "https:\(address)" : address
    guard let match = address.prefixMatch(of: #/https?://[A-Za-z0-9.\-:\[\]]+/#) else { return [] }
    return [String(match.0).lowercased()]
  }

  /// Returns whether browsers run a `<script>` of this type. Other types, such as JSON-LD, are data.
  private static func isScript(type: String?) -> Bool {
    guard let type = type?.lowercased(), !type.isEmpty else { return true }
    return ["module", "importmap", "speculationrules"].contains(type)
      || ["javascript", "ecmascript", "jscript", "livescript"].contains { type.contains($0) }
  }
}
