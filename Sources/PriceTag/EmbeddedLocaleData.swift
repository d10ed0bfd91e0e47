import PriceTagLocaleData
import PriceTagText

extension LocaleData.Contents {
  /// The embedded data, of which each entry is read when it is first needed; `nil` where it has to be read completely.
  ///
  /// What a folder's files are checked for is checked by a test here.
  static func embedded() -> LocaleData.Contents? {
    guard let overrides = LocaleDataFile.overrides.embeddedBytes,
      JSONEntryScanner.entries(of: "overrides", in: overrides)?.isEmpty == true,
      let currencies = LocaleData.CurrencyTable.embedded(),
      let storefronts = LocaleData.StorefrontTable.embedded(charging: currencies)
    else { return nil }
    return LocaleData.Contents(folder: nil, currencies: currencies, storefronts: storefronts)
  }
}

extension LocaleData.CurrencyTable {
  fileprivate static func embedded() -> LocaleData.CurrencyTable? {
    let file = LocaleDataFile.currencies
    guard let bytes = file.embeddedBytes,
      let entries = JSONEntryScanner.entries(of: "currencies", in: bytes, first: "code")
    else { return nil }
    let reader = CurrencyReader(sources: nil, exceptions: MinorUnitExceptions(), overrides: [])
    var slots: [LocaleData.CurrencySlot] = []
    slots.reserveCapacity(entries.count)
    for entry in entries {
      guard let code = entry.first else { return nil }
      slots.append(
        LocaleData.CurrencySlot(
          code: String(decoding: bytes[code], as: UTF8.self),
          entry: .embedded(file, entry.range, calledBy: "code"),
          reader: reader
        )
      )
    }
    return LocaleData.CurrencyTable(slots)
  }
}

extension LocaleData.StorefrontTable {
  fileprivate static func embedded(
    charging currencies: LocaleData.CurrencyTable
  ) -> LocaleData.StorefrontTable? {
    let file = LocaleDataFile.storefronts
    guard let bytes = file.embeddedBytes,
      let entries = JSONEntryScanner.entries(of: "storefronts", in: bytes, first: "id", second: "alpha2")
    else { return nil }
    let reader = StorefrontReader(currencies: currencies, overrides: [:], sources: nil)
    var slots: [LocaleData.StorefrontSlot] = []
    slots.reserveCapacity(entries.count)
    for entry in entries {
      guard let id = entry.first, let alpha2 = entry.second else { return nil }
      slots.append(
        LocaleData.StorefrontSlot(
          id: String(decoding: bytes[id], as: UTF8.self),
          alpha2: String(decoding: bytes[alpha2], as: UTF8.self),
          entry: .embedded(file, entry.range, calledBy: "id"),
          reader: reader
        )
      )
    }
    return LocaleData.StorefrontTable(slots)
  }
}

extension LocaleDataFile {
  /// The bytes in the binary; they live as long as the process. `nil` where the file is not embedded.
  var embeddedBytes: UnsafeBufferPointer<UInt8>? {
    var count = 0
    guard let start = pricetag_locale_data(rawValue, &count) else { return nil }
    return UnsafeBufferPointer(start: start, count: count)
  }

  /// An entry of the embedded file, by its bytes.
  func embeddedEntry(at range: Range<Int>, calledBy name: String) throws(PriceTagError) -> LocaleDataEntry {
    var problem = "the entry is not an object"
    if let bytes = embeddedBytes, bytes.indices.contains(range) {
      do throws(JSONError) {
        let value = try JSONReader.value(of: UnsafeBufferPointer(rebasing: bytes[range]))
        if case .object(let object) = value {
          return LocaleDataEntry(object: object, file: rawValue, names: [name])
        }
      } catch {
        problem = error.problem
      }
    }
    throw PriceTagError(.invalidLocaleData, problem, fix: "build the package again", place: rawValue)
  }

  /// The entries of an array of the embedded file; none where it has no such array.
  func embeddedEntries(of field: StaticString) throws(PriceTagError) -> [LocaleDataEntry] {
    guard let bytes = embeddedBytes else { return [] }
    var entries: [LocaleDataEntry] = []
    for entry in JSONEntryScanner.entries(of: field, in: bytes) ?? [] {
      entries.append(try embeddedEntry(at: entry.range, calledBy: "code"))
    }
    return entries
  }
}
