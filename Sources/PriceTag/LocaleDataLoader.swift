import CICU
import PriceTagText
import Synchronization

extension LocaleData {
  /// Turns files into currencies and storefronts, checking every fact that can be checked.
  struct Loader: Sendable {
    private let folder: LocaleDataFolder?
    private var overrides: [CurrencyOverride.Entry] = []

    /// The contents of a folder's files, and of the embedded ones that it does not replace.
    static func contents(of folder: LocaleDataFolder?) throws(PriceTagError) -> Contents {
      var loader = Loader(folder: folder)
      for entry in try loader.open(.overrides, fields: ["overrides"])
        .entries("overrides", calledBy: "storefront", "currency")
      {
        loader.overrides.append(try CurrencyOverride.Entry(entry))
      }
      let currencies = try loader.currencies()
      let storefronts = try loader.storefronts(charging: currencies)
      for slot in storefronts.sorted { _ = try slot.storefront() }
      return Contents(folder: folder, currencies: currencies, storefronts: storefronts)
    }

    private init(folder: LocaleDataFolder?) {
      self.folder = folder
    }

    private func open(_ file: LocaleDataFile, fields: [String]) throws(PriceTagError) -> LocaleDataEntry {
      let contents = try file.contents(in: folder)
      guard try contents.integer("schema", in: 0...999_999) == 1 else {
        throw contents.invalid(
          "the schema is not 1, the one that this version reads",
          "schema",
          fix: "use the PriceTag version that the file was made for"
        )
      }
      try contents.allow(["schema"] + fields)
      return contents
    }

    // MARK: currencies.json

    private func currencies() throws(PriceTagError) -> CurrencyTable {
      let file = try open(.currencies, fields: ["sources", "currencies", "minorUnitExceptions"])
      let sources = try file.table("sources")
      let entries = try file.entries("currencies", calledBy: "code")
      let exceptions = try MinorUnitExceptions.Table(
        file.entries("minorUnitExceptions", calledBy: "provider", "code"),
        sources: sources
      )
      let reader = CurrencyReader(
        sources: sources,
        exceptions: MinorUnitExceptions(exceptions),
        overrides: overrides
      )
      var slots: [CurrencySlot] = []
      var successors: [(String, LocaleDataEntry)] = []
      var codes: Set<String> = []
      var money: Set<String> = []
      for entry in entries {
        try entry.allow(["code", "numeric", "kind", "minorUnits", "from", "until", "replacedBy", "source"])
        let code = try entry.string("code")
        guard code.utf8.count == 3, isCapitalLetters(code) else {
          throw entry.invalid("a code is three capital letters", "code")
        }
        guard codes.insert(code).inserted else { throw entry.invalid("the code stands twice", "code") }
        let slot = CurrencySlot(code: code, entry: .read(entry), reader: reader)
        if try slot.currency() != nil { money.insert(code) }
        if let successor = try entry.optionalString("replacedBy") { successors.append((successor, entry)) }
        slots.append(slot)
      }
      for (successor, entry) in successors where !codes.contains(successor) {
        throw entry.invalid("\(quoted(successor)) is no code of this file", "replacedBy")
      }
      for code in exceptions.digits.keys.sorted() where !money.contains(code) {
        throw file.invalid(
          "the exception of \(quoted(code)) is for a code that has no entry",
          "minorUnitExceptions"
        )
      }
      return CurrencyTable(slots)
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
      for entry in try file.entries("storefronts", calledBy: "id") {
        let (id, alpha2) = (try entry.string("id"), try entry.string("alpha2"))
        for (code, count, field) in [(id, 3, "id"), (alpha2, 2, "alpha2")] {
          guard code.utf8.count == count, isCapitalLetters(code) else {
            throw entry.invalid("\(quoted(code)) is not \(count) capital letters", field)
          }
          guard ids.updateValue(id, forKey: code) == nil else {
            throw entry.invalid("\(code) stands twice", field)
          }
        }
        entries.append((id, alpha2, entry))
      }
      let reader = StorefrontReader(
        currencies: currencies,
        overrides: try resolvedOverrides(entries, ids: ids, currencies: currencies),
        sources: sources
      )
      return StorefrontTable(
        entries.map { StorefrontSlot(id: $0.id, alpha2: $0.alpha2, entry: .read($0.entry), reader: reader) }
      )
    }

    /// Gives each override to its storefront, whichever code it is called by.
    private func resolvedOverrides(
      _ entries: [(id: String, alpha2: String, entry: LocaleDataEntry)],
      ids: [String: String],
      currencies: CurrencyTable
    ) throws(PriceTagError) -> [String: [String: CurrencyOverride]] {
      var resolved: [String: [String: CurrencyOverride]] = [:]
      var seen: Set<[String]> = []
      for entry in overrides {
        let id = try entry.checkedStorefront(ids: ids, currencies: currencies) { id, currency in
          let periods = try? entries.first { $0.id == id }?.entry.entries("currencies")
          return periods?.contains { (try? $0.string("currency")) == currency } == true
        }
        let code = entry.currency ?? ""
        guard seen.insert([id ?? "", code]).inserted else { throw entry.standsTwice }
        if let id { resolved[id, default: [:]][code] = entry.override }
      }
      return resolved
    }
  }
}
