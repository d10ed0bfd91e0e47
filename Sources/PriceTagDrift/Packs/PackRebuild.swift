import PriceTag
import PriceTagStrings

/// A pack that is written again: with the storefronts, price locales, currencies, styles and phrases of another pack, but
/// with the locale data, the strings and the ICU of this process.
///
///     let pack = try Pack(contentsOf: "store.pack")
///     let rebuild = try PackRebuild(of: pack)
///     try PackComparison(pack, rebuild.pack).changes   // what would change
///
/// The same versions of PriceTag, ICU and the locale data give the same bytes.
public struct PackRebuild: Sendable {
  /// The bytes of the new pack.
  public let bytes: [UInt8]
  /// The new pack.
  public let pack: Pack
  /// What the locale data or ICU no longer have: storefronts, price locales and currencies.
  public let missing: [PriceTagError]
  /// The combinations that the new pack does not have: no pattern reproduces ICU's output, or ICU cannot write them.
  package let omissions: [PackWriter.Omission]

  /// Writes a pack again.
  ///
  /// - Parameters:
  ///   - pack: The pack whose contents to write.
  ///   - localeData: The storefronts and currencies.
  ///   - strings: The messages of the phrases. The pack's messages of a shop's own stay as they are.
  ///   - date: The date that decides which symbols are ambiguous; `nil` for the date in the pack, or today in UTC if the
  ///     pack has none.
  /// - Throws: `.invalidPack` for a pack with contents that this version of PriceTag does not have, such as a language, or
  ///   with too many combinations.
  public init(
    of pack: Pack,
    in localeData: LocaleData = .embedded,
    strings: StoreStrings = .embedded,
    on date: CalendarDate? = nil
  ) throws(DriftError) {
    let date = date ?? pack.symbolDate ?? .todayInUTC
    try PackContents.checkSize(of: pack)
    // A pack has what ICU writes, not what another pack has.
    let localeData = localeData.unpinned
    let phrases = try Self.phrases(pack.phraseContents, strings)
    do throws(PriceTagError) {
      var missing: [PriceTagError] = []
      var writer = PackWriter(exactly: Set(try pack.styles), on: date)
      for storefront in pack.storefronts {
        do throws(PriceTagError) {
          writer.add(try Storefront(storefront, in: localeData), in: localeData)
        } catch {
          missing.append(error)
        }
      }
      let currencies = Self.currencies(of: pack, in: localeData, &missing)
      for (index, locale) in pack.locales.enumerated() where pack.hasRow(locale: index) {
        do throws(PriceTagError) {
          writer.add(try PriceLocale(locale, allowsNumberingSystem: true), currencies)
        } catch { missing.append(error) }
      }
      bytes = writer.bytes(revision: try localeData.revision(), phrases: phrases)
      self.pack = try Pack(bytes)
      self.missing = missing
      omissions = writer.omissions
    } catch { throw DriftError(.invalidPack, error) }
  }

  private static func phrases(_ contents: PhraseContents, _ strings: StoreStrings) throws(DriftError)
    -> [UInt8]
  {
    if contents.languages.isEmpty { return [] }
    do throws(StringsError) { return try PackPhrases(again: contents, of: strings).bytes } catch {
      throw DriftError(.invalidPack, error)
    }
  }

  /// Returns the currencies that a pack has for its locales. Those that only storefronts charge have no formatters there.
  private static func currencies(
    of pack: Pack,
    in localeData: LocaleData,
    _ missing: inout [PriceTagError]
  ) -> [Currency] {
    let charged = Set(((try? pack.storefrontContents) ?? []).flatMap(\.periods).map(\.currency))
    var currencies: [Currency] = []
    for (index, code) in pack.currencies.enumerated() {
      let isInLocale = (0..<pack.rowCount).contains { pack.formatterIndex(ofRow: $0, currency: index) != nil }
      do throws(PriceTagError) {
        // A custom currency of storefronts may be missing too.
        let currency = try Currency(code, in: localeData)
        if isInLocale || !charged.contains(code) { currencies.append(currency) }
      } catch { missing.append(error) }
    }
    return currencies
  }
}

/// The combinations that a new pack does not have for the same reason.
package struct PackOmissionKind: CustomStringConvertible {
  private let first: PackWriter.Omission
  private var count = 0

  private init(_ first: PackWriter.Omission) { self.first = first }

  /// Returns the kinds of omissions, those with the most combinations first.
  package static func kinds(of omissions: [PackWriter.Omission]) -> [PackOmissionKind] {
    var kinds: [String: PackOmissionKind] = [:]
    for omission in omissions { kinds[omission.reason, default: PackOmissionKind(omission)].count += 1 }
    return kinds.values.sorted { ($1.count, $0.first.reason) < ($0.count, $1.first.reason) }
  }

  /// The number of combinations, one of them, and the reason.
  package var description: String {
    let example = "\(first.currency) in \(first.locale), \(first.style)"
    return count == 1
      ? "\(example): \(first.reason)"
      : "\(count) combinations, such as \(example): \(first.reason)"
  }
}

/// Limits of the packs that are compared.
enum PackContents {
  /// The maximum number of combinations of a locale, a currency and a style. All locales, currencies and widths have some
  /// two million.
  private static let maximumCombinationCount = 20_000_000

  /// - Throws: `.invalidPack` for a pack that would take minutes.
  static func checkSize(of pack: Pack) throws(DriftError) {
    guard pack.comparisonStepCount <= maximumCombinationCount else {
      throw DriftError(
        .invalidPack,
        "the pack has more than \(maximumCombinationCount) combinations of a locale, a currency and a style",
        fix: "check packs of fewer locales, currencies or styles"
      )
    }
  }
}
