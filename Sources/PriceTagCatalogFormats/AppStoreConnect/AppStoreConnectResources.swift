import PriceTag
import PriceTagCatalog
import PriceTagText

/// The resources of all responses in a file.
struct AppStoreConnectResources {
  private(set) var resources: [AppStoreConnectResource] = []
  private var indices: [ResourceIdentifier: Int] = [:]
  /// The resources that belong to a known owner.
  private(set) var parts: Set<ResourceIdentifier> = []

  subscript(identifier: ResourceIdentifier) -> AppStoreConnectResource? {
    indices[identifier].map { resources[$0] }
  }

  /// Reads responses. Invalid responses and resources are rejected.
  init(_ responses: [JSONValue], _ session: ImportSession) throws(CatalogError) {
    var pages: [(next: String, line: Int)] = []
    var cursors: Set<String> = []
    for (index, response) in responses.enumerated() {
      _ = try session.attempt(at: responses.count > 1 ? "response \(index + 1)" : "the response") {
        () throws(CatalogError) in
        let fields = try JSONFields(response, "a response", line: 1)
        try Self.checkErrors(fields)
        try add(fields, session)
        let links = try fields.optionalFields("links")
        if let link = try links?.optionalString("next") { pages.append((link, fields.line)) }
        if let link = try links?.optionalString("self"), let cursor = Self.cursor(of: link) {
          cursors.insert(cursor)
        }
      }
    }
    for page in pages where !cursors.contains(Self.cursor(of: page.next) ?? page.next) {
      try session.reject(
        .invalidField,
        "the next page of the response is not in the file",
        fix: "add the response of its links.next, in one array",
        place: "line \(page.line)"
      )
    }
  }

  private static func checkErrors(_ response: JSONFields) throws(CatalogError) {
    guard response["errors"] != nil else { return }
    let error = try? response.fields("errors").first
    let message = try? error?.optionalString("detail") ?? error?.optionalString("title")
    throw response.invalid(
      "the API returned an error" + (message.map { " (\(quoted($0)))" } ?? ""),
      "errors",
      fix: "request it again"
    )
  }

  /// Returns the cursor of a page, which identifies the page.
  private static func cursor(of link: String) -> String? {
    link.split(separator: "?", maxSplits: 1).last?.split(separator: "&").first { $0.hasPrefix("cursor=") }
      .map(String.init)
  }

  // MARK: A response

  private mutating func add(_ response: JSONFields, _ session: ImportSession) throws(CatalogError) {
    var primary: [ResourceIdentifier] = []
    for value in response.values("data") {
      if let identifier = try add(value, line: response.line, session) { primary.append(identifier) }
    }
    for value in try response.array("included") { _ = try add(value, line: response.line, session) }
    // If parts come in a separate response, only its URL names their owner.
    if let link = try response.optionalFields("links")?.optionalString("self"),
      let (owner, name) = Self.owner(in: link)
    {
      let total = try Self.total(response)
      relate(owner, to: primary, as: name, line: response.line, total: total)
    }
  }

  /// Returns the owner and the relationship in a URL such as
  /// `https://api.appstoreconnect.apple.com/v1/subscriptions/6470878936/prices?limit=2`.
  private static func owner(in link: String) -> (owner: ResourceIdentifier, name: String)? {
    guard link.utf8.count <= 4096 else { return nil }
    let path = link.prefix { $0 != "?" && $0 != "#" }
    var parts = path.split(separator: "/").map(String.init)
    guard let version = parts.firstIndex(where: { $0.first == "v" && Int($0.dropFirst()) != nil }) else {
      return nil
    }
    parts = parts[(version + 1)...].filter { $0 != "relationships" }
    guard parts.count == 3 else { return nil }
    let owner = ResourceIdentifier(type: parts[0], id: parts[1])
    // The relationship from a group to its subscriptions is stored in the opposite direction.
    if parts[0] == "subscriptionGroups", parts[2] == "subscriptions" { return (owner, "subscriptions") }
    return AppStoreConnectResource.relationshipNames.contains(parts[2]) ? (owner, parts[2]) : nil
  }

  /// Returns the total number of resources, of which a response can contain a part.
  private static func total(_ fields: JSONFields) throws(CatalogError) -> Int? {
    try fields.optionalFields("meta")?.optionalFields("paging")?.optionalInteger(
      "total",
      in: 0...1_000_000_000
    )
  }

  private mutating func relate(
    _ owner: ResourceIdentifier,
    to others: [ResourceIdentifier],
    as name: String,
    line: Int,
    total: Int? = nil
  ) {
    if name == "subscriptions" {
      for other in others { relate(other, to: [owner], as: "group", line: line) }
      _ = index(of: owner, line: line)
      return
    }
    resources[index(of: owner, line: line)].relate(others, as: name, total: total)
    parts.formUnion(others)
  }

  /// Returns the index of a resource, which is created if it has only been referred to.
  private mutating func index(of identifier: ResourceIdentifier, line: Int) -> Int {
    if let index = indices[identifier] { return index }
    indices[identifier] = resources.count
    resources.append(AppStoreConnectResource(identifier, line: line))
    return resources.count - 1
  }

  // MARK: A resource

  private mutating func add(
    _ value: JSONValue,
    line: Int,
    _ session: ImportSession
  ) throws(CatalogError) -> ResourceIdentifier? {
    try session.attempt(at: "resource") { () throws(CatalogError) in
      let fields = try JSONFields(value, "a resource", line: line)
      let identifier = ResourceIdentifier(type: try fields.string("type"), id: try fields.string("id"))
      let index = index(of: identifier, line: fields.line)
      for member in try fields.optionalFields("relationships")?.object.members ?? [] {
        try relate(identifier, by: member, line: fields.line)
      }
      if let attributes = try fields.optionalFields("attributes"),
        let name = resources[index].add(attributes)
      {
        throw attributes.invalid(
          "the field \(quoted(name)) has different values in the file",
          name,
          fix: "use responses requested at the same time; both values are rejected",
          code: .duplicate
        )
      }
      return identifier
    }
  }

  private mutating func relate(
    _ identifier: ResourceIdentifier,
    by member: JSONObject.Member,
    line: Int
  ) throws(CatalogError) {
    let inverse = AppStoreConnectResource.inverseNames[identifier.type]?[member.key]
    guard inverse != nil || AppStoreConnectResource.relationshipNames.contains(member.key) else { return }
    let relationship = try JSONFields(member.value, "a relationship", line: member.line)
    guard relationship.object["data"] != nil else { return }
    var others: [ResourceIdentifier] = []
    for value in relationship.values("data") {
      let other = try JSONFields(value, "a resource identifier", line: member.line)
      others.append(ResourceIdentifier(type: try other.string("type"), id: try other.string("id")))
    }
    if let inverse {
      for other in others { relate(other, to: [identifier], as: inverse, line: line) }
    } else {
      relate(identifier, to: others, as: member.key, line: line, total: try Self.total(relationship))
    }
  }
}
