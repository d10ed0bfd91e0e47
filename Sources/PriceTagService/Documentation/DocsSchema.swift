import PriceTag

extension DocsPage {
  /// What a value is, in a few words; schemas that have a name are links.
  func typeText(_ schema: DocsNode) -> String {
    if let name = schema.referenceName {
      return "<a href=\"#schema-\(escapedForHTML(name))\">\(escapedForHTML(name))</a>"
    }
    if let constant = schema["const"] { return "<code>\(escapedForHTML(constant.json()))</code>" }
    if let choices = schema["oneOf"]?.items, schema["type"] == nil {
      return choices.map(typeText).joined(separator: " or ")
    }
    if let title = schema["title"]?.text { return escapedForHTML(title.lowercased()) }
    let types = schema["type"].map { type in type.text.map { [$0] } ?? type.items.compactMap(\.text) } ?? []
    return types.map { type in
      guard type == "array", let items = schema["items"] else { return escapedForHTML(type) }
      return "array of \(typeText(items))"
    }.joined(separator: " or ")
  }

  /// What a value may be, behind its description.
  func constraints(_ schema: DocsNode) -> String {
    var notes: [String] = []
    // A name's own section tells more.
    if schema.referenceName == nil {
      if schema["x-enumDescriptions"] == nil, let values = schema["enum"]?.items {
        notes.append("One of \(values.map(code).joined(separator: ", ")).")
      }
      let (least, most) = (schema["minimum"].map(code), schema["maximum"].map(code))
      switch (least, most) {
      case (let least?, let most?): notes.append("From \(least) to \(most).")
      case (let least?, nil): notes.append("At least \(least).")
      case (nil, let most?): notes.append("At most \(most).")
      default: break
      }
      if let format = schema["format"]?.text {
        notes.append("Format <code>\(escapedForHTML(format))</code>.")
      }
      if schema["format"] == nil, let pattern = schema["pattern"]?.text {
        notes.append("Pattern <code>\(escapedForHTML(pattern))</code>.")
      }
    }
    if let value = resolved(schema)["default"] { notes.append("Default \(code(value)).") }
    let values = schema.referenceName == nil ? enumeration(schema, isNested: true) : ""
    return (notes.isEmpty ? "" : " <span class=\"note\">\(notes.joined(separator: " "))</span>") + values
  }

  /// A schema's fields, values or choices.
  func details(of schema: DocsNode) -> String {
    if let properties = schema["properties"]?.members {
      let required = schema["required"]?.items.compactMap(\.text) ?? []
      let rows = properties.map { property in row(property.key, property.node, required) }
      let isOpen = schema["additionalProperties"]?.isTrue ?? false
      return table(["Field", "Type", "Description"], rows)
        + (isOpen ? "<p class=\"note\">Other fields may be there.</p>" : "")
    }
    if schema["enum"] != nil { return enumeration(schema, isNested: false) + defaultNote(schema) }
    if let choices = schema["oneOf"]?.items {
      let items = choices.map { choice in
        let description = choice["description"]?.text.map { ": " + prose($0) } ?? ""
        let fields = (choice["properties"]?.members ?? []).map { "<code>\(escapedForHTML($0.key))</code>" }
        let names = fields.isEmpty ? "" : " (\(fields.joined(separator: ", ")))"
        return "<li>\(typeText(choice))\(names)\(description)\(constraints(choice))</li>"
      }
      return "<ul>\(items.joined())</ul>" + defaultNote(schema)
    }
    return schema["type"] == nil ? "" : "<p>\(typeText(schema))\(constraints(schema))</p>"
  }

  /// A field; those of an object without a name follow it.
  private func row(_ name: String, _ schema: DocsNode, _ required: [String], under parent: String = "")
    -> String
  {
    let path = parent + name
    let description = schema["description"]?.text ?? resolved(schema)["description"]?.text ?? ""
    let line = """
      <tr><th scope="row"><code>\(escapedForHTML(path))</code>\(requiredMark(required.contains(name)))</th>
      <td>\(typeText(schema))</td><td>\(prose(description))\(constraints(schema))</td></tr>
      """
    let inner =
      schema["properties"] != nil ? schema : schema["oneOf"]?.items.first { $0["properties"] != nil }
    guard let inner, let properties = inner["properties"]?.members else { return line }
    let innerRequired = inner["required"]?.items.compactMap(\.text) ?? []
    return line
      + properties.map { row($0.key, $0.node, innerRequired, under: "\(path).") }.joined(separator: "\n")
  }

  /// Values and what each means.
  private func enumeration(_ schema: DocsNode, isNested: Bool) -> String {
    guard let meanings = schema["x-enumDescriptions"]?.members else { return "" }
    if isNested {
      let items = meanings.map { meaning in
        "<li><code>\(escapedForHTML(meaning.key))</code>: \(prose(meaning.node.text ?? ""))</li>"
      }
      return "<ul class=\"values\">\(items.joined())</ul>"
    }
    let rows = meanings.map { meaning in
      "<tr><th scope=\"row\"><code>\(escapedForHTML(meaning.key))</code></th>"
        + "<td>\(prose(meaning.node.text ?? ""))</td></tr>"
    }
    return table(["Value", "Meaning"], rows)
  }

  private func defaultNote(_ schema: DocsNode) -> String {
    schema["default"].map { "<p class=\"note\">Default \(code($0)).</p>" } ?? ""
  }

  private func code(_ value: DocsNode) -> String {
    "<code>\(escapedForHTML(value.text ?? value.json()))</code>"
  }
}
