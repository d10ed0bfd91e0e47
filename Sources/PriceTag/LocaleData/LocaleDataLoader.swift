import CICU
import PriceTagSystem
import PriceTagText
import Synchronization

extension LocaleData {
  /// Reads files, checks them, and creates their currencies and storefronts.
  struct Loader: Sendable {
    private let folder: LocaleDataFolder?
    private var overrides: [CurrencyOverride.Entry] = []
    private var customCurrencies: [(code: String, custom: CustomCurrency, entry: LocaleDataEntry)] = []
    private let narrowSymbols = NarrowSymbols.Registry()

    /// Returns the contents of a folder's files, and of the embedded files that the folder does not replace.
    static func contents(of folder: LocaleDataFolder?) throws(PriceTagError) -> Contents {
      // Before the files are read, so that it is never the digest of a later change.
      let digest = folder == nil ? nil : try LocaleDataFile.fingerprint(in: folder)
      var loader = Loader(folder: folder)
      for entry in try loader.open(.overrides, fields: ["overrides"])
        .entries("overrides", identifiedBy: "storefront", "currency")
      {
        loader.overrides.append(try CurrencyOverride.Entry(entry))
      }
      let currencies = try loader.currencies()
      let storefronts = try loader.storefronts(charging: currencies)
      for slot in storefronts.sorted { _ = try slot.storefront() }
      loader.narrowSymbols.setCurrencies(currencies.sorted.compactMap { try? $0.currency() })
      return Contents(
        folder: folder,
        digest: digest,
        currencies: currencies,
        storefronts: storefronts,
        territories: try loader.territories(storefronts)
      )
    }

    private func open(_ file: LocaleDataFile, fields: [String]) throws(PriceTagError) -> LocaleDataEntry {
      let contents = try file.contents(in: folder)
      guard try contents.integer("schema", in: 0...999_999) == 1 else {
        throw contents.invalid(
          "the schema is not 1, which this version reads",
          "schema",
          fix: "use the PriceTag version that the file was written for"
        )
      }
      try contents.checkFields(["schema"] + fields)
      return contents
    }

    // MARK: currencies.json

    private mutating func currencies() throws(PriceTagError) -> CurrencyTable {
      let file = try open(.currencies, fields: ["sources", "currencies", "minorUnitExceptions"])
      let sources = try file.table("sources")
      let entries = try file.entries("currencies", identifiedBy: "code")
      let exceptions = try MinorUnitExceptions.Table(
        file.entries("minorUnitExceptions", identifiedBy: "provider", "code"),
        sources: sources
      )
      let reader = CurrencyReader(
        sources: sources,
        exceptions: MinorUnitExceptions(exceptions),
        overrides: overrides,
        narrowSymbols: narrowSymbols
      )
      var slots: [CurrencySlot] = []
      var successors: [(String, LocaleDataEntry)] = []
      var codes: Set<String> = []
      var money: Set<String> = []
      for entry in entries {
        try entry.checkFields([
          "code", "numeric", "kind", "minorUnits", "from", "until", "replacedBy", "source",
        ])
        let code = try entry.string("code")
        guard code.utf8.count == 3, isCapitalLetters(code) else {
          throw entry.invalid("\(quoted(code)) is not 3 capital letters", "code", fix: "use an ISO 4217 code")
        }
        guard codes.insert(code).inserted else {
          throw entry.invalid("\(quoted(code)) appears twice", "code", fix: "remove one")
        }
        let slot = CurrencySlot(code: code, entry: .read(entry), reader: reader)
        if try slot.currency() != nil { money.insert(code) }
        if let successor = try entry.optionalString("replacedBy") { successors.append((successor, entry)) }
        slots.append(slot)
      }
      for (successor, entry) in successors where !codes.contains(successor) {
        throw entry.unknown("currency", successor, "replacedBy", fix: "use a code from this file")
      }
      for code in exceptions.digits.keys.sorted() where !money.contains(code) {
        throw file.unknown("currency", code, "minorUnitExceptions", fix: "use a code from this file")
      }
      try readCustomCurrencies(codes: codes, money: money)
      slots += customCurrencies.map { code, custom, _ in
        CurrencySlot(currency: reader.currency(code, custom))
      }
      return CurrencyTable(slots)
    }

    // MARK: custom-currencies.json

    /// Reads the currencies of the merchant's own, if the folder has any. `codes` and `money` are those of ISO 4217.
    private mutating func readCustomCurrencies(
      codes: Set<String>,
      money: Set<String>
    ) throws(PriceTagError) {
      let name = LocaleDataFile.customCurrencies
      guard folder?.has(name.rawValue) == true else { return }
      let file = try open(name, fields: ["currencies"])
      let entries = try file.entries("currencies", identifiedBy: "code")
      guard entries.count <= CustomCurrency.maximumCount else {
        throw file.invalid(
          "there are more than \(CustomCurrency.maximumCount) custom currencies",
          "currencies",
          fix: "remove those that are not used"
        )
      }
      var seen: Set<String> = []
      for entry in entries {
        let custom = try CustomCurrency(
          entry,
          isCode: { codes.contains($0) },
          isMoney: { money.contains($0) }
        )
        let code = try entry.string("code")
        guard seen.insert(code).inserted else {
          throw entry.invalid("\(quoted(code)) appears twice", "code", fix: "remove one")
        }
        customCurrencies.append((code, custom, entry))
      }
    }

    private func isCapitalLetters(_ text: String) -> Bool {
      text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    // MARK: storefronts.json

    private func storefronts(charging currencies: CurrencyTable) throws(PriceTagError) -> StorefrontTable {
      let file = try open(.storefronts, fields: ["sources", "storefronts"])
      let sources = try file.table("sources")
      var entries: [(id: String, alpha2: String, entry: LocaleDataEntry)] = []
      var ids: [String: String] = [:]
      for entry in try file.entries("storefronts", identifiedBy: "id") {
        let (id, alpha2) = (try entry.string("id"), try entry.string("alpha2"))
        for (code, count, field) in [(id, 3, "id"), (alpha2, 2, "alpha2")] {
          guard code.utf8.count == count, isCapitalLetters(code) else {
            throw entry.invalid(
              "\(quoted(code)) is not \(count) capital letters",
              field,
              fix: "use an ISO 3166-1 code"
            )
          }
          guard ids.updateValue(id, forKey: code) == nil else {
            throw entry.invalid("\(quoted(code)) appears twice", field, fix: "remove one")
          }
        }
        entries.append((id, alpha2, entry))
      }
      for (_, custom, entry) in customCurrencies { try custom.checkStorefronts(ids: ids, entry) }
      let reader = StorefrontReader(
        currencies: currencies,
        overrides: try resolvedOverrides(entries, ids: ids, currencies: currencies),
        sources: sources
      )
      return StorefrontTable(
        entries.map { StorefrontSlot(id: $0.id, alpha2: $0.alpha2, entry: .read($0.entry), reader: reader) }
      )
    }

    // MARK: territories.json

    /// Reads the map of territories; returns `nil` for the embedded one, which is read on first use, if the folder has none.
    private func territories(_ storefronts: StorefrontTable) throws(PriceTagError) -> TerritoryMap? {
      if let folder, !folder.has(LocaleDataFile.territories.rawValue) { return nil }
      let codes = storefronts.sorted.flatMap { [($0.id, $0.id), ($0.alpha2, $0.id)] }
      return try TerritoryMap(
        open(.territories, fields: ["sources", "territories"]),
        identifiers: Dictionary(codes) { first, _ in first }
      )
    }

    /// Returns the overrides by storefront identifier and currency. Entries may name a storefront by either of its codes.
    private func resolvedOverrides(
      _ entries: [(id: String, alpha2: String, entry: LocaleDataEntry)],
      ids: [String: String],
      currencies: CurrencyTable
    ) throws(PriceTagError) -> [String: [String: CurrencyOverride]] {
      var resolved: [String: [String: CurrencyOverride]] = [:]
      var seen: Set<[String]> = []
      for entry in overrides {
        let id = try entry.checkedStorefront(ids: ids, currencies: currencies) { id, currency in
          let store = entries.first { $0.id == id }
          if let custom = customCurrencies.first(where: { $0.code == currency })?.custom {
            return custom.isCharged(id: id, alpha2: store?.alpha2 ?? "")
          }
          let periods = try? store?.entry.entries("currencies")
          return periods?.contains { (try? $0.string("currency")) == currency } == true
        }
        let code = entry.currency ?? ""
        guard seen.insert([id ?? "", code]).inserted else { throw entry.duplicateError }
        if let id { resolved[id, default: [:]][code] = entry.override }
      }
      return resolved
    }
  }
}
