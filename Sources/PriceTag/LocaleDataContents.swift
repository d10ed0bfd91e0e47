import Synchronization

extension LocaleData {
  /// What the files say. One for all copies of the data.
  final class Contents: Sendable {
    /// The folder that they are read from; `nil` for the embedded ones.
    let folder: LocaleDataFolder?
    let currencies: CurrencyTable
    let storefronts: StorefrontTable
    private let lazyNames = AtomicLazyReference<LocaleDataNames>()

    /// What unknown names may mean.
    var names: LocaleDataNames { lazyNames.load() ?? lazyNames.storeIfNil(LocaleDataNames(self)) }

    init(folder: LocaleDataFolder?, currencies: CurrencyTable, storefronts: StorefrontTable) {
      (self.folder, self.currencies, self.storefronts) = (folder, currencies, storefronts)
    }
  }

  /// The codes of ISO 4217.
  final class CurrencyTable: Sendable {
    private final class Sorted: Sendable {
      let slots: [CurrencySlot]
      init(_ slots: [CurrencySlot]) { self.slots = slots.sorted { $0.code < $1.code } }
    }

    private let slots: [CurrencySlot]
    private let places: LetterCodeIndex
    private let lazySorted = AtomicLazyReference<Sorted>()

    /// In the order of their codes.
    var sorted: [CurrencySlot] { (lazySorted.load() ?? lazySorted.storeIfNil(Sorted(slots))).slots }

    init(_ slots: [CurrencySlot]) {
      self.slots = slots
      var places = LetterCodeIndex(count: slots.count)
      for (place, slot) in slots.enumerated() {
        if let code = LetterCode(slot.code) { places.insert(code, at: place) }
      }
      self.places = places
    }

    /// The slot of a code in any case.
    subscript(code: String) -> CurrencySlot? {
      guard let code = LetterCode(code), let place = places[code] else { return nil }
      return slots[place]
    }

    /// The currency of a code in capitals; `nil` for a code that is unknown or no money.
    func currency(_ code: String) throws(PriceTagError) -> Currency? {
      guard let slot = self[code], slot.code == code else { return nil }
      return try slot.currency()
    }
  }

  /// The storefronts.
  final class StorefrontTable: Sendable {
    private final class Sorted: Sendable {
      let slots: [StorefrontSlot]
      init(_ slots: [StorefrontSlot]) { self.slots = slots.sorted { $0.id < $1.id } }
    }

    private let slots: [StorefrontSlot]
    private let places: LetterCodeIndex
    private let lazySorted = AtomicLazyReference<Sorted>()

    /// In the order of their identifiers.
    var sorted: [StorefrontSlot] { (lazySorted.load() ?? lazySorted.storeIfNil(Sorted(slots))).slots }

    init(_ slots: [StorefrontSlot]) {
      self.slots = slots
      var places = LetterCodeIndex(count: 2 * slots.count)
      for (place, slot) in slots.enumerated() {
        if let id = LetterCode(slot.id) { places.insert(id, at: place) }
        if let alpha2 = LetterCode(slot.alpha2) { places.insert(alpha2, at: place) }
      }
      self.places = places
    }

    /// The slot of an alpha-3 or alpha-2 in any case.
    subscript(id: String) -> StorefrontSlot? {
      guard let code = LetterCode(id), let place = places[code] else { return nil }
      return slots[place]
    }
  }

  /// A code of ISO 4217, read from its entry when it is first needed: a process that formats one price does not wait for
  /// 305 currencies.
  final class CurrencySlot: Sendable {
    /// What the entry of a code says.
    enum Contents: Sendable {
      case currency(Currency)
      /// No money: XXX and XTS, with their kind.
      case notMoney(kind: String)
    }

    private final class Made: Sendable {
      let contents: Contents
      init(_ contents: Contents) { self.contents = contents }
    }

    let code: String
    private let entry: EntrySource
    private let reader: CurrencyReader
    private let made = SetOnce<Made>()

    init(code: String, entry: EntrySource, reader: CurrencyReader) {
      (self.code, self.entry, self.reader) = (code, entry, reader)
    }

    func contents() throws(PriceTagError) -> Contents {
      if let made = made.load() { return made.contents }
      return made.storeIfNil(Made(try entry.read(reader.contents))).contents
    }

    /// The currency; `nil` for a code that is no money.
    func currency() throws(PriceTagError) -> Currency? {
      if case .currency(let currency) = try contents() { return currency }
      return nil
    }
  }

  /// A storefront of the registry, read from its entry when it is first needed: a process that formats one price does
  /// not wait for 175 storefronts.
  final class StorefrontSlot: Sendable {
    let id: String
    let alpha2: String
    private let entry: EntrySource
    private let reader: StorefrontReader
    private let made = SetOnce<Made>()

    private final class Made: Sendable {
      let storefront: Storefront
      init(_ storefront: Storefront) { self.storefront = storefront }
    }

    init(id: String, alpha2: String, entry: EntrySource, reader: StorefrontReader) {
      (self.id, self.alpha2, self.entry, self.reader) = (id, alpha2, entry, reader)
    }

    func storefront() throws(PriceTagError) -> Storefront {
      if let made = made.load() { return made.storefront }
      return made.storeIfNil(Made(try entry.read(reader.storefront))).storefront
    }
  }

  /// Where the entry of a slot is.
  enum EntrySource: Sendable {
    /// Read, with all of its file.
    case read(LocaleDataEntry)
    /// In an embedded file that was not read.
    case embedded(LocaleDataFile, Range<Int>, calledBy: String)

    func read<Value>(
      _ body: (LocaleDataEntry) throws(PriceTagError) -> Value
    ) throws(PriceTagError) -> Value {
      switch self {
      case .read(let entry): return try body(entry)
      case .embedded(let file, let range, let name):
        do throws(PriceTagError) {
          return try body(file.embeddedEntry(at: range, calledBy: name))
        } catch {
          // An entry knows neither its line nor what is wrong with others.
          _ = try LocaleData.readEmbeddedCompletely()
          throw error
        }
      }
    }
  }
}
