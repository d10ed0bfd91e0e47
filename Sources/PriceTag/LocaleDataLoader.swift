import CICU
import Synchronization

extension LocaleData {
  /// What the files say. One for all copies of the data.
  final class Contents: Sendable {
    /// The folder that they are read from; `nil` for the embedded ones.
    let folder: LocaleDataFolder?
    let currencies: [Currency]
    let currencyByCode: [String: Currency]
    /// Codes of ISO 4217 that are no money, XXX and XTS, with their kind.
    let codesWithoutMoney: [String: String]
    let storefronts: [StorefrontSlot]
    /// By alpha-3 and by alpha-2.
    let storefrontByID: [String: StorefrontSlot]
    private let lazyNames = AtomicLazyReference<LocaleDataNames>()

    /// What unknown names may mean.
    var names: LocaleDataNames { lazyNames.load() ?? lazyNames.storeIfNil(LocaleDataNames(self)) }

    fileprivate init(_ loader: Loader, _ storefronts: [StorefrontSlot]) {
      folder = loader.folder
      currencies = loader.currencies.values.sorted { $0.code < $1.code }
      currencyByCode = loader.currencies
      codesWithoutMoney = loader.codesWithoutMoney
      self.storefronts = storefronts.sorted { $0.id < $1.id }
      var storefrontByID: [String: StorefrontSlot] = [:]
      for storefront in storefronts {
        storefrontByID[storefront.id] = storefront
        storefrontByID[storefront.alpha2] = storefront
      }
      self.storefrontByID = storefrontByID
    }
  }

  /// A storefront of the registry, read from its entry by whoever asks first: a process that formats one price does
  /// not wait for 175 storefronts.
  final class StorefrontSlot: Sendable {
    let id: String
    let alpha2: String
    private let loader: Loader
    private let entry: LocaleDataEntry
    private let made = AtomicLazyReference<Made>()

    private final class Made: Sendable {
      let storefront: Storefront
      init(_ storefront: Storefront) { self.storefront = storefront }
    }

    fileprivate init(id: String, alpha2: String, loader: Loader, entry: LocaleDataEntry) {
      (self.id, self.alpha2, self.loader, self.entry) = (id, alpha2, loader, entry)
    }

    func storefront() throws(PriceTagError) -> Storefront {
      if let made = made.load() { return made.storefront }
      return made.storeIfNil(Made(try loader.storefront(id: id, alpha2: alpha2, entry))).storefront
    }
  }

  /// Turns files into currencies and storefronts, checking every fact that can be checked.
  struct Loader: Sendable {
    fileprivate let folder: LocaleDataFolder?
    private var overrides: [CurrencyOverride.Entry] = []
    /// What is overridden for a storefront: of one currency, or (under an empty code) of all.
    private var storefrontOverrides: [String: [String: CurrencyOverride]] = [:]
    fileprivate private(set) var currencies: [String: Currency] = [:]
    fileprivate private(set) var codesWithoutMoney: [String: String] = [:]
    private var storefrontSources: [String: String] = [:]

    /// The contents of a folder's files, and of the embedded ones that it does not replace.
    static func contents(of folder: LocaleDataFolder?) throws(PriceTagError) -> Contents {
      var loader = Loader(folder: folder)
      for entry in try loader.open(.overrides, fields: ["overrides"])
        .entries("overrides", calledBy: "storefront", "currency")
      {
        loader.overrides.append(try CurrencyOverride.Entry(entry))
      }
      try loader.loadCurrencies()
      return Contents(loader, try loader.loadStorefronts())
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

    private mutating func loadCurrencies() throws(PriceTagError) {
      let file = try open(.currencies, fields: ["sources", "currencies", "minorUnitExceptions"])
      let sources = try file.table("sources")
      let entries = try file.entries("currencies", calledBy: "code")
      let (exceptions, providers) = try exceptions(of: file, sources: sources)
      var successors: [(String, LocaleDataEntry)] = []
      var codes: Set<String> = []
      for entry in entries {
        try entry.allow(["code", "numeric", "kind", "minorUnits", "from", "until", "replacedBy", "source"])
        let code = try entry.string("code")
        guard code.utf8.count == 3, isCapitalLetters(code) else {
          throw entry.invalid("a code is three capital letters", "code")
        }
        guard codes.insert(code).inserted else { throw entry.invalid("the code stands twice", "code") }
        let (from, until) = (try entry.optionalDate("from"), try entry.optionalDate("until"))
        if let from, let until, until < from {
          throw entry.invalid("the last day \(until) is before the first day \(from)", "until")
        }
        try check(entry, "source", sources)
        let kind = try entry.string("kind")
        let minorUnits = try entry.optionalInteger("minorUnits", in: 0...6)
        let numeric = try entry.optionalInteger("numeric", in: 1...999)
        let successor = try entry.optionalString("replacedBy")
        if let successor { successors.append((successor, entry)) }
        if kind == "test" || kind == "none" {
          codesWithoutMoney[code] = kind
          continue
        }
        guard let kind = Currency.Kind(rawValue: kind) else {
          throw entry.invalid("\(quoted(kind)) is no kind of currency", "kind")
        }
        currencies[code] = Currency(
          record: Currency.Record(
            code: code,
            numericCode: numeric,
            kind: kind,
            minorUnitDigits: minorUnits,
            firstDay: from,
            lastDay: until,
            successor: successor,
            providerDigits: exceptions[code] ?? [:],
            providers: providers,
            override: overrides.first { $0.storefront == nil && $0.currency == code }?.override
          )
        )
      }
      for (successor, entry) in successors where !codes.contains(successor) {
        throw entry.invalid("\(quoted(successor)) is no code of this file", "replacedBy")
      }
      for code in exceptions.keys.sorted() where currencies[code] == nil {
        throw file.invalid(
          "the exception of \(quoted(code)) is for a code that has no entry",
          "minorUnitExceptions"
        )
      }
    }

    /// How payment providers count otherwise than ISO, by code and provider; and the providers.
    private func exceptions(
      of file: LocaleDataEntry,
      sources: [String: String]
    ) throws(PriceTagError) -> ([String: [String: Int]], providers: [String]) {
      var exceptions: [String: [String: Int]] = [:]
      var providers: Set<String> = []
      for entry in try file.entries("minorUnitExceptions", calledBy: "provider", "code") {
        try entry.allow(["provider", "code", "minorUnits", "reason", "source"])
        try check(entry, "source", sources)
        if try entry.string("reason").isEmpty {
          throw entry.invalid("an exception needs its reason", "reason")
        }
        let provider = try entry.string("provider")
        providers.insert(provider)
        let digits = try entry.integer("minorUnits", in: 0...6)
        let earlier = exceptions[try entry.string("code"), default: [:]].updateValue(digits, forKey: provider)
        if earlier != nil { throw entry.invalid("the exception stands twice", "code") }
      }
      return (exceptions, providers.sorted())
    }

    private func isCapitalLetters(_ text: String) -> Bool {
      text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    private func check(
      _ entry: LocaleDataEntry,
      _ field: String,
      _ sources: [String: String]
    ) throws(PriceTagError) {
      let source = try entry.string(field)
      guard sources[source] != nil else {
        throw entry.invalid("\(quoted(source)) is not among the sources", field)
      }
    }

    // MARK: storefronts.json

    private mutating func loadStorefronts() throws(PriceTagError) -> [StorefrontSlot] {
      let file = try open(.storefronts, fields: ["sources", "storefronts"])
      storefrontSources = try file.table("sources")
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
      try resolveOverrides(entries, ids: ids)
      return entries.map { StorefrontSlot(id: $0.id, alpha2: $0.alpha2, loader: self, entry: $0.entry) }
    }

    /// Gives each override to its storefront, whichever code it is called by.
    private mutating func resolveOverrides(
      _ entries: [(id: String, alpha2: String, entry: LocaleDataEntry)],
      ids: [String: String]
    ) throws(PriceTagError) {
      var seen: Set<[String]> = []
      for entry in overrides {
        let id = try entry.checkedStorefront(ids: ids, currencies: currencies) { id, currency in
          let periods = try? entries.first { $0.id == id }?.entry.entries("currencies")
          return periods?.contains { (try? $0.string("currency")) == currency } == true
        }
        let code = entry.currency ?? ""
        guard seen.insert([id ?? "", code]).inserted else { throw entry.standsTwice }
        if let id { storefrontOverrides[id, default: [:]][code] = entry.override }
      }
    }

    fileprivate func storefront(
      id: String,
      alpha2: String,
      _ entry: LocaleDataEntry
    ) throws(PriceTagError) -> Storefront {
      try entry.allow([
        "id", "alpha2", "currencies", "priceLocale", "defaultLanguage", "languages", "sources",
      ])
      try checkCodes(id: id, alpha2: alpha2, entry)
      try checkSources(entry)
      let periods = try periods(of: entry, sources: storefrontSources)
      guard let latest = periods.last?.currency else {
        throw entry.invalid("there is no currency", "currencies")
      }
      let priceLocale = try locale(entry.string("priceLocale"), entry, "priceLocale")
      guard priceLocale.region == alpha2 else {
        throw entry.invalid("\(priceLocale) is not a locale of \(alpha2)", "priceLocale")
      }
      let languages = try languages(of: entry)
      return Storefront(
        id: id,
        alpha2: alpha2,
        currencyPeriods: periods,
        latestCurrency: latest,
        priceLocale: priceLocale,
        defaultLanguage: languages.first ?? "",
        languages: languages,
        overrides: storefrontOverrides[id] ?? [:]
      )
    }

    /// The territory is one that CLDR knows, and both codes are its own. (CLDR has no alpha-3 for Kosovo's XKS.)
    private func checkCodes(id: String, alpha2: String, _ entry: LocaleDataEntry) throws(PriceTagError) {
      guard text(filledBy: { cicu_region_canonical(alpha2, $0, $1) }) == alpha2 else {
        throw entry.invalid("CLDR knows no territory \(alpha2)", "alpha2")
      }
      if let other = text(filledBy: { cicu_region_canonical(id, $0, $1) }), other != alpha2 {
        throw entry.invalid("\(id) is the territory \(other), not \(alpha2)", "alpha2")
      }
    }

    private func checkSources(_ entry: LocaleDataEntry) throws(PriceTagError) {
      let fields = ["id", "priceLocale", "languages"]
      let sources = try entry.table("sources")
      for field in fields where sources[field] == nil {
        throw entry.invalid("the source of \(field) is missing", "sources")
      }
      for (field, source) in sources.sorted(by: { $0.key < $1.key }) {
        guard fields.contains(field) else {
          throw entry.invalid("there is no field \(quoted(field))", "sources")
        }
        guard storefrontSources[source] != nil else {
          throw entry.invalid("\(quoted(source)) is not among the sources", "sources")
        }
      }
    }

    /// The languages in canonical spelling, the default one first.
    private func languages(of entry: LocaleDataEntry) throws(PriceTagError) -> [String] {
      let languages = try entry.strings("languages")
      let defaultLanguage = try entry.string("defaultLanguage")
      guard languages.first == defaultLanguage else {
        throw entry.invalid("the default language \(quoted(defaultLanguage)) is not the first", "languages")
      }
      guard Set(languages).count == languages.count else {
        throw entry.invalid("a language stands twice", "languages")
      }
      for language in languages {
        let known = try locale(language, entry, "languages")
        guard known.identifier == language, known.numberingSystem == nil else {
          throw entry.invalid("\(quoted(language)) is not the canonical spelling of a language", "languages")
        }
      }
      return languages
    }

    private func locale(
      _ tag: String,
      _ entry: LocaleDataEntry,
      _ field: String
    ) throws(PriceTagError) -> PriceLocale {
      do throws(PriceTagError) {
        return try PriceLocale(tag, allowsNumberingSystem: true)
      } catch {
        throw entry.invalid(error.problem, field, fix: error.fix)
      }
    }

    private func periods(
      of entry: LocaleDataEntry,
      sources: [String: String]
    ) throws(PriceTagError) -> [Storefront.CurrencyPeriod] {
      var periods: [Storefront.CurrencyPeriod] = []
      for period in try entry.entries("currencies", calledBy: "currency") {
        try period.allow(["currency", "from", "until", "source"])
        try check(period, "source", sources)
        let code = try period.string("currency")
        guard let currency = currencies[code] else {
          throw period.invalid("\(quoted(code)) is no currency of currencies.json", "currency")
        }
        let (from, until) = (try period.optionalDate("from"), try period.optionalDate("until"))
        let expected = periods.last?.lastDay?.next
        if !periods.isEmpty, expected == nil {
          throw period.invalid("it follows a period that does not end", "currency")
        }
        guard from == expected else {
          throw period.invalid(
            expected.map { "it must start on \($0): periods leave no gap and do not overlap" }
              ?? "the first period has no first day",
            "from"
          )
        }
        if let from, let until, until < from { throw period.invalid("it ends before it starts", "until") }
        guard currency.kind == .currency else {
          throw period.invalid("\(code) is a \(currency.kind.rawValue), no money", "currency")
        }
        if let last = currency.lastDay, until.map({ $0 > last }) ?? true {
          throw period.invalid("\(code) was current until \(last) only", "until")
        }
        periods.append(Storefront.CurrencyPeriod(currency: currency, firstDay: from, lastDay: until))
      }
      guard periods.last?.lastDay == nil else { throw entry.invalid("the last period ends", "currencies") }
      return periods
    }
  }
}
