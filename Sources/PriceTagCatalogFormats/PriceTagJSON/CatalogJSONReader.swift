import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Reads the objects of PriceTag's own JSON.
struct CatalogJSONReader {
  let session: ImportSession

  /// Reads an object of a section and adds it to the session. An invalid price or text is rejected separately; any other
  /// fault rejects the complete object.
  func read(_ fields: JSONFields, of section: CatalogJSON.Section) throws(CatalogError) {
    let nameField =
      switch section {
      case .tiers: "tier"
      case .categories, .subscriptionGroups: "identifier"
      case .products: "productIdentifier"
      }
    let name: String? = if case .string(let text)? = fields[nameField] { text } else { nil }
    let label = section.type + (name.map { " \(quoted($0))" } ?? "")
    let item = try session.attempt(at: label, line: fields.line) { () throws(CatalogError) -> ImportedItem in
      if let type = try fields.optionalString("type"), type != section.type {
        throw fields.invalid(
          "the field \"type\" must be \(quoted(section.type)), not \(quoted(type))",
          "type",
          fix: "correct the type, or move the object to the array of its type"
        )
      }
      return switch section {
      case .tiers: .tier(try tier(fields, label))
      case .categories: .group(try group(fields, .category))
      case .subscriptionGroups: .group(try group(fields, .subscriptionGroup))
      case .products: .product(try product(fields, label))
      }
    }
    if let item { try session.add(item, at: "line \(fields.line), \(label)") }
  }

  private func tier(_ fields: JSONFields, _ label: String) throws(CatalogError) -> PriceTier {
    try fields.allow(CatalogJSON.tierFields)
    return PriceTier(try fields.name("tier"), prices: try prices(fields, label))
  }

  private func group(_ fields: JSONFields, _ kind: ProductGroup.Kind) throws(CatalogError) -> ProductGroup {
    try fields.allow(CatalogJSON.groupFields)
    var group = ProductGroup(kind, try fields.name("identifier"))
    group.names = try table(fields, "names", session.language) { (value) throws(CatalogError) in
      if case .string(let name) = value, !name.isEmpty { return name }
      throw CatalogError(.invalidField, "a name must be a non-empty string", fix: "write a string")
    }
    return group
  }

  /// Returns the values of an object whose keys are languages or storefronts.
  private func table<Value>(
    _ fields: JSONFields,
    _ field: String,
    _ key: (String) throws(CatalogError) -> String,
    _ value: (JSONValue) throws(CatalogError) -> Value
  ) throws(CatalogError) -> [String: Value] {
    var table: [String: Value] = [:]
    for member in try fields.optionalFields(field)?.object.members ?? [] {
      try JSONFields.reading(member) { () throws(CatalogError) in
        let key = try key(member.key)
        guard table.updateValue(try value(member.value), forKey: key) == nil else { throw .repeated(key) }
      }
    }
    return table
  }

  private func product(_ fields: JSONFields, _ label: String) throws(CatalogError) -> CatalogProduct {
    try fields.allow(CatalogJSON.productFields)
    var product = try fields.product("productIdentifier")
    product.kind = try fields.optionalCase("kind")
    product.referenceName = try fields.optionalString("referenceName")
    product.category = try fields.optionalValue("category", CatalogName.check)
    product.subscriptionGroup = try fields.optionalValue("subscriptionGroup", CatalogName.check)
    product.groupLevel = try fields.optionalInteger("groupLevel", in: 1...9999)
    product.subscriptionPeriod = try fields.optionalValue("subscriptionPeriod", session.period)
    for member in try fields.optionalFields("localizations")?.object.members ?? [] {
      _ = try session.attempt(at: "\(label), line \(member.line), language \(quoted(member.key))") {
        () throws(CatalogError) in
        let text = try JSONFields(member.value, "a localization", line: member.line)
        try text.allow(CatalogJSON.textFields)
        try product.localizations.add(text.productText(), in: session.language(member.key))
      }
    }
    product.tiers = try tiers(fields)
    product.prices = try prices(fields, label, tiers: product.tiers, CatalogJSON.productPriceFields)
    product.taxInclusion = try fields.optionalTaxInclusion("taxIncluded")
    product.priceLocales = try table(fields, "priceLocales", storefront) { (value) throws(CatalogError) in
      if case .string(let tag) = value { return try session.priceLocale(tag) }
      throw CatalogError(
        .invalidField,
        "a price locale must be a string",
        fix: "write a BCP 47 tag such as de-CH"
      )
    }
    let offers = try offers(fields, label)
    // If all offers were rejected, the product's offers are unknown, not empty.
    product.offers = offers.isEmpty && fields["offers"]?.isEmptyArray != true ? nil : offers
    product.isApproved = try fields.optionalBool("approved")
    product.clearedForSale = try clearance(fields)
    product.image = try fields.optionalValue("image", ImageAddress.check)
    product.images = try images(fields)
    product.related = try related(fields, of: product.identifier)
    product.sortOrder = try fields.optionalInteger("sortOrder", in: -1_000_000_000...1_000_000_000)
    try readContent(fields, into: &product)
    product.history = try history(fields, label)
    return product
  }

  /// Reads the content and the unit of reference. An invalid one rejects the complete product: its new prices would
  /// otherwise be combined with a stored content.
  private func readContent(_ fields: JSONFields, into product: inout CatalogProduct) throws(CatalogError) {
    product.content = try fields.optionalValue("content", session.content)
    product.unitReference = try fields.optionalValue("unitReference", session.unitReference)
    let checked = product
    try fields.reading("unitReference") { () throws(CatalogError) in try checked.checkUnitReference() }
  }

  /// Returns the pictures; an error in one of them names its line.
  private func images(_ fields: JSONFields) throws(CatalogError) -> [ProductImage]? {
    guard fields["images"] != nil else { return nil }
    let objects = try fields.fields("images")
    // Too many are not read at all.
    guard objects.count <= ProductImage.maximumCount else {
      throw fields.invalid(
        "the product has \(objects.count) images",
        "images",
        fix: "use at most \(ProductImage.maximumCount)",
        code: .tooLarge
      )
    }
    var images: [ProductImage] = []
    for object in objects { images.append(try image(of: object)) }
    try fields.reading("images") { () throws(CatalogError) in try ProductImage.check(images) }
    return images
  }

  private func image(of fields: JSONFields) throws(CatalogError) -> ProductImage {
    try fields.allow(CatalogJSON.imageFields)
    let address = try fields.value("src", ImageAddress.check)
    let texts = try table(fields, "alt", session.language) { (value) throws(CatalogError) in
      if case .string(let text) = value { return text }
      throw CatalogError(.invalidField, "an alternative text must be a string", fix: "write a string")
    }
    var sources: [ProductImage.Source] = []
    for source in try fields.fields("sources") {
      try source.allow(CatalogJSON.sourceFields)
      let address = try source.value("src", ImageAddress.check)
      let width = try source.required(
        source.optionalInteger("width", in: ProductImage.allowedSides),
        "width"
      )
      sources.append(
        try source.reading("src") { () throws(CatalogError) in
          try ProductImage.Source(address, width: width)
        }
      )
    }
    let (width, height) = (
      try fields.optionalInteger("width", in: ProductImage.allowedSides),
      try fields.optionalInteger("height", in: ProductImage.allowedSides)
    )
    let allSources = sources
    return try fields.reading("sources") { () throws(CatalogError) in
      try ProductImage(
        address,
        width: width,
        height: height,
        alternativeTexts: texts,
        sources: allSources
      )
    }
  }

  private func related(
    _ fields: JSONFields,
    of product: String
  ) throws(CatalogError) -> [String]? {
    guard fields["related"] != nil else { return nil }
    let identifiers = try fields.strings("related")
    try fields.reading("related") { () throws(CatalogError) in
      try RelatedProducts.check(identifiers, of: product)
    }
    return identifiers
  }

  private func storefront(_ id: String) throws(CatalogError) -> String { try session.storefront(id).id }

  private func clearance(_ fields: JSONFields) throws(CatalogError) -> Clearance? {
    func storefronts(_ fields: JSONFields, _ field: String) throws(CatalogError) -> Set<String> {
      var found: Set<String> = []
      for id in try fields.strings(field) {
        found.insert(try fields.reading(field) { () throws(CatalogError) in try storefront(id) })
      }
      return found
    }
    switch fields["clearedForSale"] {
    case nil: return nil
    case .bool(let isCleared)?: return isCleared ? .everywhere : .nowhere
    case .array?: return .only(try storefronts(fields, "clearedForSale"))
    case .object(let object)?:
      let exception = JSONFields(object)
      try exception.allow(CatalogJSON.exceptionFields)
      guard exception["except"] != nil else {
        throw exception.invalid("the field \"except\" is missing", "except", fix: "add it")
      }
      return .except(try storefronts(exception, "except"))
    case let other?:
      throw fields.invalid(
        "the field \"clearedForSale\" must be true, false, an array or an object, not \(other.kind)",
        "clearedForSale",
        fix: #"write true, false, an array of storefronts, or {"except":[…]}"#
      )
    }
  }

  // MARK: Prices

  private func history(_ fields: JSONFields, _ label: String) throws(CatalogError) -> [PriceRecord] {
    var records: [PriceRecord] = []
    for record in try fields.fields("history") {
      try record.allow(CatalogJSON.historyFields)
      let day = try record.value("day") { (text) throws(CatalogError) in
        try withCatalogErrors { () throws(PriceTagError) in try StoreDay(text) }
      }
      var added: [String] = []
      for id in try record.strings("added") {
        added.append(try record.reading("added") { () throws(CatalogError) in try storefront(id) })
      }
      let prices = try prices(record, "\(label), history")
      guard records.isEmpty || !prices.isEmpty || !added.isEmpty else {
        throw record.invalid(
          "a record of the history has no prices",
          "prices",
          fix: "add them, or remove the record"
        )
      }
      records.append(PriceRecord(day: day, prices: prices, added: added))
    }
    return records
  }

  private func days(_ fields: JSONFields) throws(CatalogError) -> DateRange {
    let first = try fields.optionalValue("from", session.date)
    let last = try fields.optionalValue("until", session.date)
    return try fields.reading("until") { () throws(CatalogError) in try DateRange(from: first, until: last) }
  }

  private func tiers(_ fields: JSONFields) throws(CatalogError) -> [TierPeriod]? {
    switch fields["tier"] {
    case nil: return nil
    case .string?: return [TierPeriod(try fields.name("tier"))]
    default:
      var tiers: [TierPeriod] = []
      for period in try fields.fields("tier") {
        try period.allow(CatalogJSON.tierPeriodFields)
        tiers.append(TierPeriod(try period.name("tier"), days: try days(period)))
      }
      return try fields.reading("tier") { () throws(CatalogError) in try TierPeriod.sorted(tiers) }
    }
  }

  /// Returns the prices by storefront. Invalid prices are rejected.
  private func prices(
    _ fields: JSONFields,
    _ label: String,
    tiers: [TierPeriod]? = nil,
    _ priceFields: [String] = CatalogJSON.priceFields
  ) throws(CatalogError) -> PriceTable {
    var table = PriceTable()
    var isComplete = true
    func add(_ value: JSONValue, _ member: JSONObject.Member) throws(CatalogError) {
      let added: Void? = try session.attempt(
        at: "\(label), line \(member.line), price of \(printable(member.key, limit: 48))"
      ) {
        () throws(CatalogError) in
        try table.add(try price(value, in: member.key, line: member.line, priceFields))
      }
      if added == nil { isComplete = false }
    }
    for member in try fields.optionalFields("prices")?.object.members ?? [] {
      guard case .array(let values) = member.value else {
        try add(member.value, member)
        continue
      }
      for value in values { try add(value, member) }
    }
    if !isComplete, let tiers, !tiers.isEmpty {
      let error = CatalogError.tierWouldReplaceRejectedPrice
      throw fields.invalid(error.problem, "prices", fix: error.fix, code: error.code)
    }
    return table
  }

  private func price(
    _ value: JSONValue,
    in id: String,
    line: Int,
    _ priceFields: [String]
  ) throws(CatalogError) -> CatalogPrice {
    switch value {
    case .string(let text), .number(let text): return try session.price(text, in: id)
    default:
      let storefront = try session.storefront(id)
      let fields = try JSONFields(value, "a price", line: line)
      try fields.allow(priceFields)
      guard let amount = try fields.optionalDecimal("amount") else {
        throw CatalogError(.invalidField, "the field \"amount\" is missing", fix: "add it")
      }
      let currency = try fields.optionalString("currency").map(session.currency)
      let tax = try fields.optionalTaxInclusion("taxIncluded")
      return try session.price(amount, currency, in: storefront, days: days(fields), tax)
    }
  }

  private func offers(_ fields: JSONFields, _ label: String) throws(CatalogError) -> [CatalogOffer] {
    var offers: [CatalogOffer] = []
    for (index, offer) in try fields.fields("offers").enumerated() {
      let place = "\(label), offer \(index + 1)"
      if let read = try session.attempt(
        at: place,
        line: offer.line,
        { () throws(CatalogError) in try self.offer(offer, place) }
      ) {
        offers.append(read)
      }
    }
    return offers
  }

  private func offer(_ fields: JSONFields, _ label: String) throws(CatalogError) -> CatalogOffer {
    try fields.allow(CatalogJSON.offerFields)
    let kind: CatalogOffer.Kind? = try fields.optionalCase("kind")
    var phases = [try phase(fields, label)]
    for (index, later) in try fields.fields("laterPhases").enumerated() {
      let place = "\(label), phase \(index + 2)"
      do throws(CatalogError) {
        try later.allow(CatalogJSON.phaseFields)
        phases.append(try phase(later, place))
      } catch { throw error.at("phase \(index + 2)", line: later.line) }
    }
    return try CatalogOffer(
      kind ?? .introductory,
      identifier: fields.optionalString("identifier"),
      phases: phases,
      clearedForSale: clearance(fields) ?? .everywhere,
      days: days(fields)
    )
  }

  /// Reads how an offer, or a later phase of it, is paid.
  private func phase(_ fields: JSONFields, _ label: String) throws(CatalogError) -> CatalogOffer.Phase {
    guard let mode: CatalogOffer.PaymentMode = try fields.optionalCase("paymentMode"),
      let period = try fields.optionalValue("period", session.period)
    else {
      throw fields.invalid(
        "the field \"paymentMode\" or \"period\" is missing",
        "paymentMode",
        fix: "add both"
      )
    }
    let periodCount = try fields.optionalInteger("periodCount", in: 1...999) ?? 1
    let tiers = try tiers(fields) ?? []
    return try CatalogOffer.Phase(
      mode,
      period: period,
      periodCount: periodCount,
      prices: prices(fields, label, tiers: tiers),
      tiers: tiers
    )
  }
}

extension JSONFields {
  /// Returns what a field states about tax: true, false, or the string "unknown".
  fileprivate func optionalTaxInclusion(_ field: String) throws(CatalogError) -> TaxInclusion? {
    switch self[field] {
    case nil: return nil
    case .bool(let isIncluded)?: return isIncluded ? .included : .excluded
    case .string(TaxInclusion.unknown.rawValue)?: return .unknown
    case let other?:
      let value = if case .string(let text) = other { quoted(text) } else { "\(other.kind)" }
      throw invalid(
        "the field \(quoted(field)) must be true, false or \"unknown\", not \(value)",
        field,
        fix: #"write true, false or "unknown""#
      )
    }
  }
}
