import CPriceTagPack

/// A pack: compiled patterns, which write prices without ICU.
///
///     let formatter = try PriceFormatter(storefront: "JPN")
///     try formatter.string(for: Amount(decimal: "1200"))   // "￥1,200"
///
/// Sendable notes: the memory is written only in the initializer, and is not freed, because formatters refer to it.
public struct Pack: @unchecked Sendable {
  let bytes: PackBytes

  /// The pack of the formatters that name none: that of the CLDR to which PriceTag refers.
  ///
  /// - Throws: `.invalidPack` if the file of the package was damaged.
  public static var embedded: Pack {
    get throws(PriceTagError) { try checked.get() }
  }

  private static let checked: Result<Pack, PriceTagError> = {
    var size = 0
    let bytes = UnsafeRawBufferPointer(start: price_tag_embedded_pack(&size), count: size)
    do throws(PriceTagError) { return .success(try Pack(checking: bytes)) } catch { return .failure(error) }
  }()

  /// Creates a pack of this package: all storefronts, as one version of CLDR writes their prices.
  ///
  ///     let pack = try Pack(named: "cldr-48")
  ///
  /// - Throws: `.invalidPack` for a name other than `cldr-42` and `cldr-48`.
  public init(named name: String) throws(PriceTagError) {
    var size = 0
    guard let bytes = price_tag_named_pack(name, &size) else {
      throw PriceTagError(
        .invalidPack,
        "unknown pack \(name.debugDescription)",
        fix: "use cldr-42 or cldr-48"
      )
    }
    try self.init(checking: UnsafeRawBufferPointer(start: bytes, count: size))
  }

  /// Creates a pack from the bytes of a file, after checking all of its fields. Their memory is not freed: create it once.
  ///
  /// - Throws: `.invalidPack`.
  public init(_ bytes: [UInt8]) throws(PriceTagError) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    memory.copyBytes(from: bytes)
    do throws(PriceTagError) { try self.init(checking: UnsafeRawBufferPointer(memory)) } catch {
      memory.deallocate()
      throw error
    }
  }

  private init(checking bytes: UnsafeRawBufferPointer) throws(PriceTagError) {
    do throws(PackDamage) { self.bytes = try PackCheck.pack(in: bytes) } catch {
      throw PriceTagError(error)
    }
  }

  /// The identifiers of the storefronts, sorted.
  public var storefronts: [String] {
    (0..<bytes.count(.storefronts)).map { String(decoding: bytes.id(ofStorefront: $0), as: UTF8.self) }
  }

  /// The codes of the currencies, sorted.
  public var currencies: [String] { (0..<bytes.count(.currencies)).map { bytes.currencyCode($0) } }

  /// The tags of the price locales, sorted.
  public var locales: [String] { (0..<bytes.count(.locales)).map { bytes.localeTag($0) } }

  /// Returns the number of digits of a currency's minor unit in ISO 4217: 2 for `USD`, 0 for `JPY`; `nil` if it has none.
  ///
  /// - Throws: `.unknownCurrency` for a currency that the pack does not have.
  public func minorUnitDigits(of currency: String) throws(PriceTagError) -> Int? {
    guard let digits = Self.withBytes(currency, { bytes.minorUnitDigits(ofCurrency: $0) }) else {
      throw PriceTagError(PackProblem.unknownCurrency, currency: currency)
    }
    return digits == PackBytes.Currency.noMinorUnit ? nil : digits
  }

  /// Returns a version of the data: that of `cldr`, `icu`, `pricetag` or `unicode`; `nil` for another name.
  public func version(_ name: String) -> String? {
    Self.withBytes(name) { name in bytes.version(name).map { String(decoding: $0, as: UTF8.self) } }
  }

  static func withBytes<Result, Failure>(
    _ text: String,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = Array(text.utf8)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    return try body(UnsafeRawBufferPointer(memory))
  }
}
