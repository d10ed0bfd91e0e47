import PriceTagText

/// What pages may load and run, by what their templates have: a browser refuses everything else.
///
/// Inline scripts and styles of templates are allowed by their hashes; scripts, style sheets and frames of other hosts by
/// the origins that templates name. What depends on a value of a page cannot be hashed, and is refused: so is a value
/// that would act as a script.
package struct ContentSecurityPolicy: Sendable {
  /// The value of the field `Content-Security-Policy`.
  let value: String
  /// What templates have that browsers refuse under this policy, with its file and line.
  let refused: [String]

  /// - Parameters:
  ///   - templates: The texts of templates, by the names of their files.
  ///   - styleSheet: The style sheet that pages load.
  init(templates: [String: String], styleSheet: String) {
    var (scripts, styles, frames): (Set<String>, Set<String>, Set<String>) = ([], [], [])
    var refused: [String] = []
    for (file, text) in templates.sorted(by: { $0.key < $1.key }) {
      for element in TemplateMarkup.elements(of: text) {
        let place = "\(file), line \(element.line)"
        for attribute in element.attributes where attribute.name == "style" || attribute.name.hasPrefix("on")
        {
          refused.append("\(place): the attribute \(attribute.name) of <\(element.name)>")
        }
        switch element.name {
        case "script":
          if let source = element["src"] {
            scripts.formUnion(Self.origin(source))
          } else if Self.isScript(type: element["type"]) {
            Self.add(element, to: &scripts, &refused, place)
          }
        case "style": Self.add(element, to: &styles, &refused, place)
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
      // The pages may run WebAssembly, which compiles what it is given and evaluates no text.
      "script-src \(sources(["'self'", "'wasm-unsafe-eval'"], scripts))",
      "style-src \(sources(["'self'"], styles))",
      // Products name pictures anywhere, and a shop's script may talk to its own checkout.
      "img-src 'self' https: http: data:", "media-src 'self' https: http: data:",
      "font-src 'self' https: data:", "connect-src 'self' https:",
      "frame-src \(sources(["'self'"], frames))", "object-src 'none'", "base-uri 'self'",
    ].joined(separator: "; ")
    self.refused = refused
  }

  private static func add(
    _ element: TemplateMarkup.Element,
    to allowed: inout Set<String>,
    _ refused: inout [String],
    _ place: String
  ) {
    guard !element.contents.contains("{{") else {
      refused.append("\(place): the <\(element.name)> with a {{tag}} in it")
      return
    }
    allowed.insert(hashSource(of: element.contents))
  }

  /// Returns the source expression that allows an inline script or style: `'sha256-…'`.
  package static func hashSource(of text: String) -> String {
    // Browsers hash what they have read, whose line ends are line feeds.
    let read = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    return "'sha256-\(base64(SHA256.hash(read.utf8)))'"
  }

  /// The origin of an address of another host, as a source expression; none for an address of the site's own.
  private static func origin(_ address: String) -> [String] {
    let address = address.hasPrefix("//") ? "https:\(address)" : address
    guard let match = address.prefixMatch(of: #/https?://[A-Za-z0-9.\-:\[\]]+/#) else { return [] }
    return [String(match.0).lowercased()]
  }

  /// Whether browsers run a `<script>` of this type, and do not leave it as data, such as JSON-LD.
  private static func isScript(type: String?) -> Bool {
    guard let type = type?.lowercased(), !type.isEmpty else { return true }
    return ["module", "importmap", "speculationrules"].contains(type)
      || ["javascript", "ecmascript", "jscript", "livescript"].contains { type.contains($0) }
  }
}
