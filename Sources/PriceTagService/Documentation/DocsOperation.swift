import PriceTag

extension DocsPage {
  /// An operation: what it takes and what it answers.
  func article(_ operation: Operation) -> String {
    let node = operation.node
    return """
      <article class="item" aria-labelledby="\(operation.anchor)">
      <h3 id="\(operation.anchor)">\(escapedForHTML(node["summary"]?.text ?? operation.identifier))</h3>
      <p class="route"><span class="method \(operation.method.lowercased())">\(operation.method)</span> \
      <code>\(breakable(operation.path))</code></p>
      \(paragraphs(node["description"]?.text))
      \(commands(node["x-codeSamples"]?.items ?? []))
      \(parameters(node["parameters"]?.items ?? []))
      \(requestBody(node["requestBody"]))
      \(responses(node["responses"]?.members ?? []))
      </article>
      """
  }

  /// The command lines that make a request.
  private func commands(_ samples: [DocsNode]) -> String {
    samples.compactMap { $0["source"]?.text }.map { line in
      "<pre tabindex=\"0\" aria-label=\"Example request\"><code>\(escapedForHTML(line))</code></pre>"
    }.joined(separator: "\n")
  }

  private func parameters(_ parameters: [DocsNode]) -> String {
    guard !parameters.isEmpty else { return "" }
    let rows = parameters.map(resolved).map { parameter in
      let schema = parameter["schema"]
      let example = parameter["example"].map { example in
        // A list stands in the query as its items with commas between.
        let text = example.text ?? example.items.compactMap(\.text).joined(separator: ",")
        return text.isEmpty
          ? "" : " <span class=\"note\">Such as <code>\(escapedForHTML(text))</code>.</span>"
      }
      return """
        <tr><th scope="row"><code>\(escapedForHTML(parameter["name"]?.text ?? ""))</code>\
        \(requiredMark(parameter["required"]?.isTrue ?? false))</th>
        <td>\(escapedForHTML(parameter["in"]?.text ?? ""))</td><td>\(schema.map(typeText) ?? "")</td>
        <td>\(prose(parameter["description"]?.text ?? ""))\(schema.map(constraints) ?? "")\
        \(example ?? "")</td></tr>
        """
    }
    return "<h4>Parameters</h4>" + table(["Name", "In", "Type", "Description"], rows)
  }

  private func requestBody(_ body: DocsNode?) -> String {
    guard let body else { return "" }
    return """
      <h4>Request body</h4>
      \(paragraphs(body["description"]?.text))
      \(contents(of: body["content"], isWhole: true))
      """
  }

  private func responses(_ responses: [(key: String, node: DocsNode)]) -> String {
    // What several operations answer is told once, below.
    let own = responses.filter { $0.node.referenceName == nil }
    let shared = responses.compactMap { response in response.node.referenceName.map { (response.key, $0) } }
    let items = own.map { response in
      """
      <div class="response"><p><strong class="status">\(escapedForHTML(response.key))</strong> \
      \(prose(response.node["description"]?.text ?? ""))</p>
      \(headers(response.node))\(contents(of: response.node["content"]))</div>
      """
    }
    let others = shared.map { code, name in
      "<li><a href=\"#response-\(escapedForHTML(name))\"><strong>\(escapedForHTML(code))</strong> "
        + "\(escapedForHTML(name))</a></li>"
    }
    return "<h4>Responses</h4>" + items.joined(separator: "\n")
      + (others.isEmpty ? "" : "<ul class=\"others\">\(others.joined())</ul>")
  }

  /// The headers of a response.
  func headers(_ response: DocsNode) -> String {
    let names = (response["headers"]?.members ?? []).map { "<code>\(escapedForHTML($0.key))</code>" }
    return names.isEmpty ? "" : "<p class=\"note\">Headers: \(names.joined(separator: ", "))</p>"
  }

  /// Bodies by their media types: schema and examples.
  ///
  /// - Parameter isWhole: Whether the schema's fields are listed here too, not only linked.
  func contents(of content: DocsNode?, isWhole: Bool = false) -> String {
    (content?.members ?? []).map { media in
      let schema = media.node["schema"]
      let fields =
        isWhole ? schema.map(resolved).flatMap { $0["properties"] == nil ? nil : details(of: $0) } : nil
      let note = schema?["description"]?.text.map { ". " + prose($0) }
      return """
        <p><code>\(escapedForHTML(media.key))</code>: \(schema.map(typeText) ?? "")\(note ?? "")</p>
        \(fields ?? "")
        \(examples(media.node))
        """
    }.joined(separator: "\n")
  }

  private func examples(_ media: DocsNode) -> String {
    (media["examples"]?.members ?? []).map { example in
      let value = example.node["value"]
      // Lines are shown as they are sent.
      let text = value?.text.map(DocsNode.visible) ?? value?.json() ?? ""
      let title = example.node["summary"]?.text ?? example.key
      return """
        <details\(text.utf8.count < 900 ? " open" : "")><summary>Example: \(escapedForHTML(title))</summary>
        <pre tabindex="0"><code>\(escapedForHTML(text))</code></pre></details>
        """
    }.joined(separator: "\n")
  }

  // MARK: Parts

  /// A node, or what it refers to.
  func resolved(_ node: DocsNode) -> DocsNode {
    node["$ref"]?.text.flatMap(document.target) ?? node
  }

  func requiredMark(_ isRequired: Bool) -> String {
    isRequired ? " <span class=\"required\">required</span>" : ""
  }

  /// A table that can be scrolled sideways where it is wider than the screen.
  func table(_ titles: [String], _ rows: [String]) -> String {
    let head = titles.map { "<th scope=\"col\">\($0)</th>" }.joined()
    return """
      <div class="table"><table><thead><tr>\(head)</tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></div>
      """
  }
}
