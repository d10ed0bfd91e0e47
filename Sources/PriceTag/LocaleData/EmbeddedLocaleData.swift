import PriceTagLocaleData
import PriceTagText

extension LocaleData.Contents {
  /// Returns the embedded data, each entry of which is read when it is first used; `nil` if it must be read completely.
  ///
  /// The files of a folder are checked when they are loaded. The embedded files are checked by a test instead.
  static func embedded() -> LocaleData.Contents? {
    guard let overrides = LocaleDataFile.overrides.embeddedBytes,
      JSONEntryScanner.entries(of: "overrides", in: overrides)?.isEmpty == true,
      let currencies = LocaleData.CurrencyTable.embedded(),
      let storefronts = LocaleData.StorefrontTable.embedded(charging: currencies)
    else { return nil }
    return LocaleData.Contents(folder: nil, digest: nil, currencies: currencies, storefronts: storefronts)
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
          entry: .embedded(file, entry.range, identifiedBy: "code"),
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
          entry: .embedded(file, entry.range, identifiedBy: "id"),
          reader: reader
        )
      )
    }
    return LocaleData.StorefrontTable(slots)
  }
}

extension LocaleDataFile {
  /// The bytes of the file in the binary, which are never freed; `nil` if the file is not embedded.
  var embeddedBytes: UnsafeBufferPointer<UInt8>? {
    var count = 0
    guard let start = pricetag_locale_data(rawValue, &count) else { return nil }
    return UnsafeBufferPointer(start: start, count: count)
  }

  /// Reads an entry of the embedded file from a range of its bytes.
  func embeddedEntry(at range: Range<Int>, identifiedBy field: String) throws(PriceTagError)
    -> LocaleDataEntry
  {
    var problem = "the entry is not an object"
    if let bytes = embeddedBytes, bytes.indices.contains(range) {
      do throws(JSONError) {
        let value = try JSONReader.value(of: UnsafeBufferPointer(rebasing: bytes[range]))
        if case .object(let object) = value {
          return LocaleDataEntry(object: object, file: rawValue, identifyingFields: [field])
        }
      } catch {
        problem = error.problem
      }
    }
    throw PriceTagError(.invalidLocaleData, problem, fix: "rebuild the package", place: rawValue)
  }

  /// Reads the entries of an array of the embedded file. Returns no entries if the file has no such array.
  func embeddedEntries(of field: StaticString) throws(PriceTagError) -> [LocaleDataEntry] {
    guard let bytes = embeddedBytes else { return [] }
    var entries: [LocaleDataEntry] = []
    for entry in JSONEntryScanner.entries(of: field, in: bytes) ?? [] {
      entries.append(try embeddedEntry(at: entry.range, identifiedBy: "code"))
    }
    return entries
  }
}
