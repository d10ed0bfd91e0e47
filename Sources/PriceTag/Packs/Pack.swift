import PriceTagSystem
import PriceTagText

/// A pack: compiled patterns in a file, which format prices without ICU.
///
///     let pack = try Pack(contentsOf: "store.pack")
///     let pinned = LocaleData.embedded.pinned(to: pack)
///     try PriceFormatter(storefront: Storefront("JPN", in: pinned)).string(for: "1200")   // "￥1,200"
///
/// `pricetag pack` writes packs. Prices that are formatted from a pack do not change with the installed ICU.
///
/// A pack is immutable, and threads share it without a lock.
///
/// Sendable notes: the memory is written only in the initializer.
public final class Pack: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  let bytes: PackBytes
  /// The phrases; `nil` if the pack has none.
  let phrases: PhraseBytes?
  /// The index of the default style, which most formatters have; `nil` if the pack does not have it.
  let defaultStyle: Int?
  /// The form of all prices in the pack, other than names and spoken forms.
  public let writtenAs: PriceStyle.WrittenAs

  /// The maximum size of a file.
  package static let maximumByteCount = 1 << 28

  /// Creates a pack from the bytes of a file, after checking all of its fields.
  ///
  /// - Throws: `.invalidPack` if the bytes are damaged, or have a layout of another version.
  public init(_ bytes: [UInt8]) throws(PriceTagError) {
    memory = .allocate(byteCount: bytes.count, alignment: 8)
    memory.copyBytes(from: bytes)
    do throws(PackDamage) {
      let pack = try PackCheck.pack(in: UnsafeRawBufferPointer(memory))
      let key = [UInt8](repeating: 0, count: PackBytes.Style.keyLength)
      defaultStyle = key.withUnsafeBytes { key in key.baseAddress.flatMap { pack.style($0) } }
      self.bytes = pack
      phrases = try PhraseCheck.phrases(of: pack)
      writtenAs = try Self.form(of: pack)
    } catch {
      memory.deallocate()
      throw Self.error(error)
    }
  }

  /// Creates a pack from a file of at most 256 MB.
  ///
  ///     let pack = try Pack(contentsOf: "/etc/pricetag/store.pack")
  ///
  /// - Throws: `.invalidPack` with the path if the file cannot be read, is damaged, or has a layout of another version.
  public convenience init(contentsOf path: String) throws(PriceTagError) {
    let bytes: [UInt8]
    do throws(RegularFile.Failure) {
      bytes = try RegularFile.bytes(of: path, limit: Self.maximumByteCount)
    } catch {
      let isTooLarge = error.number == EFBIG
      throw PriceTagError(
        .invalidPack,
        isTooLarge ? error.reason : "cannot read the pack: \(error.reason)",
        fix: isTooLarge ? "write a pack with fewer locales, currencies or styles" : error.fix,
        place: printable(path)
      )
    }
    do throws(PriceTagError) { try self.init(bytes) } catch { throw error.at(printable(path)) }
  }

  deinit { memory.deallocate() }

  private static func error(_ damage: PackDamage) -> PriceTagError {
    let (problem, fix) =
      switch damage {
      case .notAPack: ("the file is not a pack", "write one with pricetag pack -o FILE")
      case .otherVersion:
        ("the pack has a layout of another version", "write it again with this version of PriceTag")
      case .truncated: ("the size of the pack is not the one in its header", "copy the file again")
      case .checksum: ("the pack has changed since it was written", "copy the file again")
      case .invalidField: ("a field of the pack has an invalid value", "write it again with pricetag pack")
      }
    return PriceTagError(.invalidPack, problem, fix: fix)
  }

  /// Returns the form that the metadata names; ICU's form if it names none.
  private static func form(of pack: PackBytes) throws(PackDamage) -> PriceStyle.WrittenAs {
    for index in 0..<pack.count(.metadata) {
      let entry = pack.element(index, of: .metadata)
      guard text(at: entry, pack) == "writtenAs" else { continue }
      guard let form = try? PriceStyle.WrittenAs(text(at: entry + 8, pack)) else { throw .invalidField }
      return form
    }
    return .icu
  }

  // MARK: Contents

  /// The versions of PriceTag, ICU, CLDR and Unicode that wrote the pack; empty text for a version that it does not name.
  public var writerVersions: Versions {
    let names = Dictionary(versions.map { ($0.name, $0.value) }) { first, _ in first }
    return Versions(
      priceTag: names["pricetag"] ?? "",
      icu: names["icu"] ?? "",
      cldr: names["cldr"] ?? "",
      unicode: names["unicode"] ?? ""
    )
  }

  /// The date that decided which symbols are unambiguous; `nil` for a pack without a style that depends on it.
  package var symbolDate: CalendarDate? {
    versions.first { $0.name == "date" }.flatMap { try? CalendarDate($0.value) }
  }

  /// The versions of the data in the pack, by name.
  package var versions: [(name: String, value: String)] {
    (0..<bytes.count(.metadata)).map { index in
      let entry = bytes.element(index, of: .metadata)
      return (text(at: entry), text(at: entry + 8))
    }
  }

  /// The identifiers of the storefronts in the pack, sorted.
  public var storefronts: [String] {
    (0..<bytes.count(.storefronts)).map {
      String(decoding: bytes.id(ofStorefront: $0), as: UTF8.self)
    }
  }

  /// The tags of the price locales in the pack, sorted.
  public var locales: [String] {
    (0..<bytes.count(.locales)).map { String(decoding: bytes.text(ofLocale: $0), as: UTF8.self) }
  }

  /// The codes of the currencies in the pack, sorted.
  public var currencies: [String] {
    (0..<bytes.count(.currencies)).map { String(decoding: bytes.code(ofCurrency: $0), as: UTF8.self) }
  }

  package var hasPhrases: Bool { phrases != nil }

  /// The phrases in the pack.
  package var phraseContents: PhraseContents {
    phrases.map { PhraseContents($0, of: self) } ?? PhraseContents()
  }

  /// The number of styles, including those of spoken forms.
  package var styleCount: Int { bytes.count(.styles) }

  /// The bytes of the pack's file.
  package var fileBytes: [UInt8] { Array(UnsafeRawBufferPointer(start: bytes.start, count: bytes.size)) }

  /// The number of formatters.
  package var formatterCount: Int { bytes.count(.formatters) }

  /// Returns the displayed digits of a currency; `nil` if the pack does not have it.
  func display(of code: String, cash: Bool) -> Currency.Display? {
    typealias Field = PackBytes.Currency
    guard let index = try? Self.withBytes(code, { code throws(PackProblem) in bytes.currency(code) }) else {
      return nil
    }
    let currency = bytes.element(index, of: .currencies)
    let digits = currency.uint8(at: cash ? Field.cashDigits : Field.standardDigits)
    let step = cash ? Int(currency.uint32(at: Field.cashStep)) : 1
    guard PriceStyle.fractionDigits.contains(digits), step > 0 else { return nil }
    return Currency.Display(digits: digits, step: step)
  }

  private func text(at place: UnsafeRawPointer) -> String { Self.text(at: place, bytes) }

  private static func text(at place: UnsafeRawPointer, _ bytes: PackBytes) -> String {
    String(decoding: bytes.text(at: place), as: UTF8.self)
  }

  // MARK: Formatters

  /// Returns the index of the style with a key; `nil` if the pack does not have it.
  func index(of key: [UInt8]) -> Int? {
    key.withUnsafeBytes { key in key.baseAddress.flatMap { bytes.style($0) } }
  }

  /// Calls a function with the UTF-8 of a text.
  static func withBytes<Answer>(
    _ text: String,
    _ body: (UnsafeRawBufferPointer) throws(PackProblem) -> Answer
  ) throws(PackProblem) -> Answer {
    var text = text
    let result = text.withUTF8 { utf8 -> Result<Answer, PackProblem> in
      do throws(PackProblem) { return .success(try body(UnsafeRawBufferPointer(utf8))) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// A formatter of a pack, as programs that list or compare packs use it. Prices have ``PriceFormatter``.
  package struct Formatter: Sendable {
    let pack: Pack
    let formatter: PackFormatter

    /// Returns an amount as text.
    ///
    /// - Throws: `.needsRounding`; `.amountOutOfRange`; `.missingFromPack` if the pattern has no form for the amount's
    ///   plural category.
    package func string(for amount: Amount, rounding: RoundingMode = .exact) throws(PriceTagError) -> String {
      let (displayed, pattern) = try displayed(amount, rounding)
      let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PatternBytes.maximumCapacity) {
        buffer -> String? in
        let count = pattern.write(displayed, within: buffer)
        guard count >= 0 else { return nil }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
      }
      guard let text else { throw PinnedFormatter.missingForm(of: amount) }
      return text
    }

    /// Returns the types and lengths of the parts of an amount's text.
    package func parts(
      of amount: Amount,
      rounding: RoundingMode = .exact
    ) throws(PriceTagError) -> [(type: FormattedPrice.PartType, count: Int)] {
      let (displayed, pattern) = try displayed(amount, rounding)
      var parts: [(type: FormattedPrice.PartType, count: Int)] = []
      _ = pattern.forEachPart(of: displayed, category: pattern.category(of: displayed)) { kind, count in
        parts.append((FormattedPrice.PartType(kind), count))
      }
      return parts
    }

    private func displayed(
      _ amount: Amount,
      _ rounding: RoundingMode
    ) throws(PriceTagError) -> (Amount, PatternBytes) {
      do throws(AmountProblem) {
        return try formatter.displayed(amount, rounding)
      } catch {
        guard error == .needsRounding else { throw .outOfRange("\(amount)") }
        throw PriceTagError(
          .needsRounding,
          "\(amount) has more decimals than the pattern displays (\(formatter.fractionDigits))",
          fix: "name a rounding mode such as half-even to allow rounding"
        )
      }
    }
  }
}
