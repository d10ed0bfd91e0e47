import PriceTagText

/// The Content-Security-Policy of pages, derived from their templates.
///
/// It allows inline scripts and styles of the templates by hash, and scripts, style sheets, frames and targets of forms of
/// other hosts by origin. Browsers block everything else, including inline scripts that contain a value of a page, and do not
/// show a page in a frame of another site, which could trick a shopper into buying.
package struct ContentSecurityPolicy: Sendable {
  private let directives: [String]
  private let forms: Set<String>
  /// The parts of the templates that browsers block under this policy, with file and line.
  let blocked: [String]

  /// - Parameters:
  ///   - templates: The texts of the templates by file name.
  ///   - styleSheet: The style sheet that pages load.
  init(templates: [String: String], styleSheet: String) {
    var (scripts, styles): (Set<String>, Set<String>) = ([], [])
    var (frames, forms): (Set<String>, Set<String>) = ([], [])
    var blocked: [String] = []
    for (file, text) in templates.sorted(by: { $0.key < $1.key }) {
      for element in TemplateMarkup.elements(of: text) {
        let place = "\(file), line \(element.line)"
        for attribute in element.attributes where attribute.name == "style" || attribute.name.hasPrefix("on")
        {
          blocked.append("\(place): the attribute \(attribute.name) of <\(element.name)>")
        }
        forms.formUnion(Self.origin(element["formaction"] ?? ""))
        switch element.name {
        case "form": forms.formUnion(Self.origin(element["action"] ?? ""))
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
    directives = [
      "default-src 'self'",
      // WebAssembly is allowed: it does not evaluate text as a script.
      "script-src \(Self.sources(["'self'", "'wasm-unsafe-eval'"], scripts))",
      "style-src \(Self.sources(["'self'"], styles))",
      // Product images may be on any host, and a shop's script may connect to its checkout.
      "img-src 'self' https: http: data:", "media-src 'self' https: http: data:",
      "font-src 'self' https: data:", "connect-src 'self' https:",
      "frame-src \(Self.sources(["'self'"], frames))", "object-src 'none'", "base-uri 'self'",
      "frame-ancestors 'self'",
    ]
    (self.forms, self.blocked) = (forms, blocked)
  }

  /// Returns the value of the `Content-Security-Policy` field.
  ///
  /// - Parameter checkout: The address of the shop's checkout, which a form of a template may lead to.
  func value(checkout: String?) -> String {
    let forms = Self.sources(["'self'"], forms.union(Self.origin(checkout ?? "")))
    return (directives + ["form-action \(forms)"]).joined(separator: "; ")
  }

  private static func sources(_ own: [String], _ more: Set<String>) -> String {
    (own + more.sorted()).joined(separator: " ")
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
