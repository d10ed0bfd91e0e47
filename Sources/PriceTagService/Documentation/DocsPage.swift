import PriceTag

/// The service's OpenAPI document as a page for people: no script, nothing from elsewhere.
///
///     DocsPage(document: try JSONReader.value(of: bytes)).html
///
/// It knows as much of OpenAPI as that document uses. Made once, when the service starts.
struct DocsPage {
  let document: DocsNode

  init(document: JSONValue) {
    self.document = DocsNode(value: document)
  }

  /// An operation and where it stands.
  struct Operation {
    let method: String
    let path: String
    let node: DocsNode

    var identifier: String { node["operationId"]?.text ?? "\(method) \(path)" }
    var anchor: String { escapedForHTML("op-\(identifier)") }
  }

  /// The page.
  var html: String {
    let info = document["info"]
    let title = escapedForHTML(info?["title"]?.text ?? "")
    let version = escapedForHTML(info?["version"]?.text ?? "")
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title): the HTTP service</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <a class="skip" href="#content">Skip to content</a>
      <div class="page">
      <nav aria-label="Contents">
      \(contents)
      </nav>
      <main id="content">
      <h1>\(title) <span class="version">version \(version)</span></h1>
      \(paragraphs(info?["summary"]?.text, isLead: true))
      \(paragraphs(info?["description"]?.text))
      <p>The same for programs: <a href="/openapi.json">openapi.json</a> (OpenAPI \
      \(escapedForHTML(document["openapi"]?.text ?? "")))</p>
      \(tags.map(section).joined(separator: "\n"))
      \(commonResponses)
      \(schemas)
      \(codes)
      </main>
      </div>
      </body>
      </html>

      """
  }

  // MARK: Parts

  private var tags: [DocsNode] { document["tags"]?.items ?? [] }

  private var operations: [Operation] {
    (document["paths"]?.members ?? []).flatMap { path in
      path.node.members.map { Operation(method: $0.key.uppercased(), path: path.key, node: $0.node) }
    }
  }

  private func operations(of tag: DocsNode) -> [Operation] {
    operations.filter { $0.node["tags"]?.items.first?.text == tag["name"]?.text }
  }

  private func anchor(of tag: DocsNode) -> String {
    "tag-"
      + escapedForHTML((tag["name"]?.text ?? "").lowercased().split(separator: " ").joined(separator: "-"))
  }

  private var contents: String {
    let groups = tags.map { tag in
      let links = operations(of: tag).map { operation in
        """
        <li><a href="#\(operation.anchor)"><span class="method \(operation.method.lowercased())">\
        \(operation.method)</span> \(breakable(operation.path))</a></li>
        """
      }
      return """
        <li><a class="tag" href="#\(anchor(of: tag))">\(escapedForHTML(tag["name"]?.text ?? ""))</a>
        <ul>\(links.joined())</ul></li>
        """
    }
    return """
      <ul>\(groups.joined())
      <li><a class="tag" href="#responses">Common responses</a></li>
      <li><a class="tag" href="#schemas">Schemas</a></li>
      <li><a class="tag" href="#codes">Error codes</a></li></ul>
      """
  }

  private func section(_ tag: DocsNode) -> String {
    """
    <section aria-labelledby="\(anchor(of: tag))">
    <h2 id="\(anchor(of: tag))">\(escapedForHTML(tag["name"]?.text ?? ""))</h2>
    \(paragraphs(tag["description"]?.text))
    \(operations(of: tag).map(article).joined(separator: "\n"))
    </section>
    """
  }

  /// The responses that several operations have.
  private var commonResponses: String {
    let responses = (document["components"]?["responses"]?.members ?? []).map { member in
      """
      <section class="item"><h3 id="response-\(escapedForHTML(member.key))">\(escapedForHTML(member.key))</h3>
      \(paragraphs(member.node["description"]?.text))
      \(headers(member.node))\(contents(of: member.node["content"]))</section>
      """
    }
    return """
      <section aria-labelledby="responses"><h2 id="responses">Common responses</h2>
      <p>What several operations answer.</p>
      \(responses.joined(separator: "\n"))</section>
      """
  }

  private var namedSchemas: [(key: String, node: DocsNode)] {
    document["components"]?["schemas"]?.members ?? []
  }

  /// Codes have a section of their own.
  private func isCode(_ schema: (key: String, node: DocsNode)) -> Bool { schema.key.hasSuffix("Code") }

  private var schemas: String { schemaSection("schemas", "Schemas", namedSchemas.filter { !isCode($0) }) }

  private var codes: String { schemaSection("codes", "Error codes", namedSchemas.filter(isCode)) }

  private func schemaSection(
    _ anchor: String,
    _ title: String,
    _ schemas: [(key: String, node: DocsNode)]
  ) -> String {
    let items = schemas.map { member in
      """
      <section class="item"><h3 id="schema-\(escapedForHTML(member.key))">\(escapedForHTML(member.key))</h3>
      \(paragraphs(member.node["description"]?.text))\(details(of: member.node))</section>
      """
    }
    return """
      <section aria-labelledby="\(anchor)"><h2 id="\(anchor)">\(title)</h2>
      \(items.joined(separator: "\n"))</section>
      """
  }

  // MARK: Text

  /// A description, with a blank line between its paragraphs.
  func paragraphs(_ text: String?, isLead: Bool = false) -> String {
    guard let text, !text.isEmpty else { return "" }
    return text.split(separator: "\n", omittingEmptySubsequences: true)
      .map { "<p\(isLead ? " class=\"lead\"" : "")>\(prose(String($0)))</p>" }
      .joined(separator: "\n")
  }

  /// A description on one line; the names of schemas in it are links.
  func prose(_ text: String) -> String {
    docsProse(text) { name in document["components"]?["schemas"]?[name] != nil }
  }

  /// A path that may go on in the next line behind each of its slashes.
  func breakable(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { escapedForHTML(String($0)) }
      .joined(separator: "/<wbr>")
  }
}
