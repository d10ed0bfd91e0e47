import PriceTag
import PriceTagCatalog
import PriceTagText

/// The resources of all responses in a file.
struct AppStoreConnectResources {
  private(set) var resources: [AppStoreConnectResource] = []
  private var indices: [ResourceIdentifier: Int] = [:]
  /// Those that a whole is known of.
  private(set) var parts: Set<ResourceIdentifier> = []

  subscript(identifier: ResourceIdentifier) -> AppStoreConnectResource? {
    indices[identifier].map { resources[$0] }
  }

  /// Reads responses; what is no response or no resource is set aside.
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
      try session.setAside(
        CatalogError(
          .invalidField,
          "the response goes on, and its next page is not in the file",
          fix: "add the response of its links.next, in one array",
          place: "line \(page.line)"
        )
      )
    }
  }

  private static func checkErrors(_ response: JSONFields) throws(CatalogError) {
    guard response["errors"] != nil else { return }
    let error = try? response.fields("errors").first
    let told = try? error?.optionalString("detail") ?? error?.optionalString("title")
    throw response.invalid(
      "the API answered with an error" + (told.map { ", \(quoted($0))" } ?? ""),
      "errors",
      fix: "request it again"
    )
  }

  /// What a page is told from others by.
  private static func cursor(of link: String) -> String? {
    link.split(separator: "?", maxSplits: 1).last?.split(separator: "&").first { $0.hasPrefix("cursor=") }
      .map(String.init)
  }

  // MARK: A response

  private mutating func add(_ response: JSONFields, _ session: ImportSession) throws(CatalogError) {
    let data: [JSONValue]
    switch response["data"] {
    case nil: data = []
    case .array(let values)?: data = values
    case let value?: data = [value]
    }
    var primary: [ResourceIdentifier] = []
    for value in data {
      if let identifier = try add(value, line: response.line, session) { primary.append(identifier) }
    }
    for value in try response.array("included") { _ = try add(value, line: response.line, session) }
    // The parts of a whole come in a response of their own, which only its address says the whole of.
    if let link = try response.optionalFields("links")?.optionalString("self"),
      let owner = Self.owner(in: link)
    {
      let total = try Self.total(response)
      relate(owner.whole, to: primary, as: owner.name, line: response.line, total: total)
    }
  }

  /// The whole in an address such as `https://api.appstoreconnect.apple.com/v1/subscriptions/6470878936/prices?limit=2`.
  private static func owner(in link: String) -> (whole: ResourceIdentifier, name: String)? {
    guard link.utf8.count <= 4096 else { return nil }
    let path = link.prefix { $0 != "?" && $0 != "#" }
    var parts = path.split(separator: "/").map(String.init)
    guard let version = parts.firstIndex(where: { $0.first == "v" && Int($0.dropFirst()) != nil }) else {
      return nil
    }
    parts = parts[(version + 1)...].filter { $0 != "relationships" }
    guard parts.count == 3 else { return nil }
    let whole = ResourceIdentifier(type: parts[0], id: parts[1])
    // A group names its subscriptions; that a subscription names its group is what is read.
    if parts[0] == "subscriptionGroups", parts[2] == "subscriptions" { return (whole, "subscriptions") }
    return AppStoreConnectResource.relationshipNames.contains(parts[2]) ? (whole, parts[2]) : nil
  }

  /// How many there are of which a response has some.
  private static func total(_ fields: JSONFields) throws(CatalogError) -> Int? {
    try fields.optionalFields("meta")?.optionalFields("paging")?.optionalInteger(
      "total",
      in: 0...1_000_000_000
    )
  }

  private mutating func relate(
    _ whole: ResourceIdentifier,
    to others: [ResourceIdentifier],
    as name: String,
    line: Int,
    total: Int? = nil
  ) {
    if name == "subscriptions" {
      for other in others { relate(other, to: [whole], as: "group", line: line) }
      _ = index(of: whole, line: line)
      return
    }
    resources[index(of: whole, line: line)].relate(others, as: name, total: total)
    parts.formUnion(others)
  }

  /// Where a resource is kept: one that is only named has its place, too.
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
          "another \(quoted(name)) is given elsewhere in the file",
          name,
          fix: "give responses of one moment; neither was taken",
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
    let turned = AppStoreConnectResource.wholes[identifier.type]?[member.key]
    guard turned != nil || AppStoreConnectResource.relationshipNames.contains(member.key) else { return }
    let relationship = try JSONFields(member.value, "a relationship", line: member.line)
    guard relationship.object["data"] != nil else { return }
    var others: [ResourceIdentifier] = []
    let values: [JSONValue] =
      switch relationship["data"] {
      case nil: []
      case .array(let values)?: values
      case let value?: [value]
      }
    for value in values {
      let other = try JSONFields(value, "a resource identifier", line: member.line)
      others.append(ResourceIdentifier(type: try other.string("type"), id: try other.string("id")))
    }
    if let turned {
      for other in others { relate(other, to: [identifier], as: turned, line: line) }
    } else {
      relate(identifier, to: others, as: member.key, line: line, total: try Self.total(relationship))
    }
  }
}
