import Synchronization

extension LocaleData {
  /// The contents of the files. All copies of a registry share one object.
  final class Contents: Sendable {
    /// The folder of the files; `nil` for the embedded files.
    let folder: LocaleDataFolder?
    /// The digest of the files that were read from the folder; `nil` for the embedded files, which belong to the program.
    let digest: String?
    let currencies: CurrencyTable
    let storefronts: StorefrontTable
    /// The storefronts of territories; `nil` for the embedded map.
    let territories: TerritoryMap?
    /// The pack that formats the prices, and the same contents without it; `nil` for ICU.
    let pinned: (pack: Pack, unpinned: Contents)?
    private let lazySuggestions = AtomicLazyReference<LocaleDataSuggestions>()

    /// The suggestions for unknown names.
    var suggestions: LocaleDataSuggestions {
      lazySuggestions.load() ?? lazySuggestions.storeIfNil(LocaleDataSuggestions(self))
    }

    init(
      folder: LocaleDataFolder?,
      digest: String?,
      currencies: CurrencyTable,
      storefronts: StorefrontTable,
      territories: TerritoryMap? = nil
    ) {
      (self.folder, self.currencies, self.storefronts) = (folder, currencies, storefronts)
      (self.digest, self.territories) = (digest, territories)
      pinned = nil
    }

    /// Creates contents whose prices a pack formats. The entries are read when they are first used.
    init(_ contents: Contents, pinnedTo pack: Pack) {
      (folder, digest, territories) = (contents.folder, contents.digest, contents.territories)
      currencies = CurrencyTable(contents.currencies, pinnedTo: pack)
      storefronts = StorefrontTable(contents.storefronts, pinnedTo: pack, currencies)
      pinned = (pack, contents)
    }
  }

  /// The currencies of ISO 4217, and those of the merchant's own.
  final class CurrencyTable: Sendable {
    private let slots: [CurrencySlot]
    private let places: LetterCodeIndex
    /// The places of codes that do not have three letters.
    private let customPlaces: [String: Int]?
    private let lazySorted = AtomicLazyReference<Box<[CurrencySlot]>>()

    /// All slots, sorted by code.
    var sorted: [CurrencySlot] {
      (lazySorted.load() ?? lazySorted.storeIfNil(Box(slots.sorted { $0.code < $1.code }))).value
    }

    init(_ slots: [CurrencySlot]) {
      self.slots = slots
      var places = LetterCodeIndex(count: slots.count)
      var customPlaces: [String: Int]?
      for (place, slot) in slots.enumerated() {
        if let code = LetterCode(slot.code) {
          places.insert(code, at: place)
        } else {
          customPlaces = customPlaces ?? [:]
          customPlaces?[slot.code] = place
        }
      }
      self.places = places
      self.customPlaces = customPlaces
    }

    /// Creates the currencies of a pinned registry.
    convenience init(_ table: CurrencyTable, pinnedTo pack: Pack) {
      self.init(table.slots.map { CurrencySlot($0, pinnedTo: pack) })
    }

    /// Returns the slot of a code in any case.
    subscript(code: String) -> CurrencySlot? {
      if let code = LetterCode(code) { return places[code].map { slots[$0] } }
      // Uppercasing makes ASCII letters of some others: SS of ß.
      guard let customPlaces, code.utf8.count <= CustomCurrency.codeLengths.upperBound,
        code.utf8.allSatisfy({ $0 < 0x80 })
      else { return nil }
      return customPlaces[code.uppercased()].map { slots[$0] }
    }

    /// Returns the currency of a code in capitals; `nil` if the code is unknown or is one without money.
    func currency(_ code: String) throws(PriceTagError) -> Currency? {
      guard let slot = self[code], slot.code == code else { return nil }
      return try slot.currency()
    }
  }

  /// The storefronts.
  final class StorefrontTable: Sendable {
    private let slots: [StorefrontSlot]
    private let places: LetterCodeIndex
    private let lazySorted = AtomicLazyReference<Box<[StorefrontSlot]>>()

    /// All slots, sorted by identifier.
    var sorted: [StorefrontSlot] {
      (lazySorted.load() ?? lazySorted.storeIfNil(Box(slots.sorted { $0.id < $1.id }))).value
    }

    init(_ slots: [StorefrontSlot]) {
      self.slots = slots
      var places = LetterCodeIndex(count: 2 * slots.count)
      for (place, slot) in slots.enumerated() {
        if let id = LetterCode(slot.id) { places.insert(id, at: place) }
        if let alpha2 = LetterCode(slot.alpha2) { places.insert(alpha2, at: place) }
      }
      self.places = places
    }

    /// Creates the storefronts of a pinned registry.
    convenience init(_ table: StorefrontTable, pinnedTo pack: Pack, _ currencies: CurrencyTable) {
      self.init(table.slots.map { StorefrontSlot($0, pinnedTo: pack, currencies) })
    }

    /// Returns the slot of an alpha-3 or alpha-2 code in any case.
    subscript(id: String) -> StorefrontSlot? {
      guard let code = LetterCode(id), let place = places[code] else { return nil }
      return slots[place]
    }
  }

  /// A code of ISO 4217 or a custom currency. The entry of a code is read on first use, so that a process that formats one
  /// price does not read 305 currencies.
  final class CurrencySlot: Sendable {
    /// The contents of an entry.
    enum Contents: Sendable {
      case currency(Currency)
      /// A code without money (XXX or XTS), with its kind.
      case notMoney(kind: String)
    }

    private enum Source: Sendable {
      case entry(EntrySource, CurrencyReader)
      case custom(Currency)
      case pinned(CurrencySlot, Pack)
    }

    let code: String
    private let source: Source
    private let loaded = SetOnce<Box<Contents>>()

    init(code: String, entry: EntrySource, reader: CurrencyReader) {
      (self.code, source) = (code, .entry(entry, reader))
    }

    /// Creates the slot of a custom currency, which has already been read.
    init(currency: Currency) {
      (code, source) = (currency.code, .custom(currency))
    }

    /// Creates the slot of a pinned registry.
    init(_ slot: CurrencySlot, pinnedTo pack: Pack) {
      (code, source) = (slot.code, .pinned(slot, pack))
    }

    func contents() throws(PriceTagError) -> Contents {
      if let loaded = loaded.load() { return loaded.value }
      switch source {
      case .custom(let currency): return .currency(currency)
      case .pinned(let slot, let pack):
        guard let currency = try slot.currency() else { return try slot.contents() }
        return loaded.storeIfNil(Box(.currency(currency.pinned(to: pack)))).value
      case .entry(let entry, let reader):
        return loaded.storeIfNil(Box(try entry.read(reader.contents))).value
      }
    }

    /// Returns the currency; `nil` for a code without money.
    func currency() throws(PriceTagError) -> Currency? {
      if case .currency(let currency) = try contents() { return currency }
      return nil
    }
  }

  /// A storefront of the registry. Its entry is read on first use, so that a process that formats one price does not read
  /// 175 storefronts.
  final class StorefrontSlot: Sendable {
    let id: String
    let alpha2: String
    private let source: Source
    private let loaded = SetOnce<Box<Storefront>>()

    private enum Source: Sendable {
      case entry(EntrySource, StorefrontReader)
      case pinned(StorefrontSlot, Pack, CurrencyTable)
    }

    init(id: String, alpha2: String, entry: EntrySource, reader: StorefrontReader) {
      (self.id, self.alpha2, source) = (id, alpha2, .entry(entry, reader))
    }

    /// Creates the slot of a pinned registry.
    init(_ slot: StorefrontSlot, pinnedTo pack: Pack, _ currencies: CurrencyTable) {
      (id, alpha2, source) = (slot.id, slot.alpha2, .pinned(slot, pack, currencies))
    }

    func storefront() throws(PriceTagError) -> Storefront {
      if let loaded = loaded.load() { return loaded.value }
      let storefront: Storefront
      switch source {
      case .entry(let entry, let reader): storefront = try entry.read(reader.storefront)
      case .pinned(let slot, let pack, let currencies):
        storefront = try Storefront(slot.storefront(), pinnedTo: pack, currencies)
      }
      return loaded.storeIfNil(Box(storefront)).value
    }

    /// Returns the key of the price locale's source.
    func priceLocaleSource() throws(PriceTagError) -> String {
      switch source {
      case .entry(let entry, _):
        try entry.read { (entry) throws(PriceTagError) in try entry.table("sources")["priceLocale"] ?? "" }
      case .pinned(let slot, _, _): try slot.priceLocaleSource()
      }
    }
  }

  /// The source of a slot's entry.
  enum EntrySource: Sendable {
    /// An entry of a file that was read completely.
    case read(LocaleDataEntry)
    /// A range of bytes in an embedded file.
    case embedded(LocaleDataFile, Range<Int>, identifiedBy: String)

    func read<Value>(
      _ body: (LocaleDataEntry) throws(PriceTagError) -> Value
    ) throws(PriceTagError) -> Value {
      switch self {
      case .read(let entry): return try body(entry)
      case .embedded(let file, let range, let field):
        do throws(PriceTagError) {
          return try body(file.embeddedEntry(at: range, identifiedBy: field))
        } catch {
          // Reads the complete file, since the entry does not know its line. This throws the first error of the file.
          _ = try LocaleData.readEmbeddedCompletely()
          throw error
        }
      }
    }
  }
}
