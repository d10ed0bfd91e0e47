import PriceTag
import PriceTagReading

/// What changes if prices are formatted from another pack.
///
///     let comparison = try PackComparison(old, new)
///     comparison.changes                        // each change once, with every place that has it
///     comparison.hasDrift(of: [.symbol])        // true
///
/// Formatters are compared by the bytes of their patterns. Those that differ format sample amounts, and what they write is
/// compared.
public struct PackComparison: Sendable {
  /// The versions that wrote a pack.
  public struct Origin: Hashable, Sendable {
    /// The name of the pack; empty for one that was written by this process.
    public let name: String
    /// The versions of PriceTag and its data; empty text for those that the pack does not have.
    public let versions: Versions
    /// The revision of the storefront and currency registry.
    public let registry: String

    init(_ pack: Pack, name: String) {
      (self.name, versions) = (name, pack.writerVersions)
      registry = pack.versions.first { $0.name == "registry" }?.value ?? ""
    }
  }

  /// The number of places that have changes of a class.
  public struct ClassSummary: Hashable, Sendable {
    /// The class.
    public let driftClass: DriftClass
    /// The storefronts, in the order of the pack.
    public let storefronts: [String]
    /// The number of combinations of a price locale and a currency.
    public let combinationCount: Int
  }

  /// The maximum amount of work. The differences between packs are limited by what ICU says, but not those of packs that
  /// other programs wrote.
  public struct Limits: Hashable, Sendable {
    /// The maximum number of pairs of formatters whose prices are compared.
    public var comparedPatterns: Int
    /// The maximum number of changes that are collected.
    public var changes: Int

    /// Creates limits. With the defaults, a comparison takes a few minutes at most.
    public init(comparedPatterns: Int = 100_000, changes: Int = 20_000) {
      (self.comparedPatterns, self.changes) = (comparedPatterns, changes)
    }
  }

  /// The versions of the old pack.
  public let old: Origin
  /// The versions of the new pack.
  public let new: Origin
  /// The changes, the most severe class first, then those in the most places.
  public let changes: [PackChange]
  /// The storefronts of the old pack.
  public let storefronts: [String]
  /// The price locales of the old pack that have formatters for currencies.
  public let locales: [String]
  /// The number of combinations of a price locale and a currency in the old pack.
  public let combinationCount: Int
  /// The number of phrases of the old pack, and of their languages.
  package let phraseCounts: (phrases: Int, languages: Int)
  /// The number of styles of the old pack.
  public let styleCount: Int
  /// The number of pairs of formatters whose patterns differ but write every sample amount alike.
  public let equivalentCount: Int
  /// The number of combinations of a place, a currency and a style whose patterns differ but were not compared, because a
  /// limit was reached. A change without a class, ``PackChange/isCompared``, has their places.
  public let notComparedCount: Int

  /// Compares two packs.
  ///
  /// - Parameters:
  ///   - old: The pack in use.
  ///   - new: The pack to compare with, such as that of a `PackRebuild`.
  ///   - names: The names of both, for reports.
  ///   - limits: The maximum amount of work.
  /// - Throws: `.invalidPack` for a pack with contents that this version of PriceTag does not have, or with too many
  ///   combinations.
  public init(
    _ old: Pack,
    _ new: Pack,
    names: (old: String, new: String) = ("", ""),
    limits: Limits = Limits()
  ) throws(DriftError) {
    try PackContents.checkSize(of: old)
    try PackContents.checkSize(of: new)
    self.old = Origin(old, name: names.old)
    self.new = Origin(new, name: names.new)
    var collector: PackChangeCollector
    do throws(PriceTagError) {
      collector = PackChangeCollector(try PackIndex(old), try PackIndex(new), limits)
    } catch { throw DriftError(.invalidPack, error) }
    collector.compareAll()
    changes = collector.changes
    storefronts = collector.old.storefronts.map(\.id)
    locales = collector.old.pack.locales.enumerated()
      .filter { collector.old.pack.hasRow(locale: $0.offset) }.map(\.element)
    combinationCount = collector.combinationCount
    styleCount = collector.old.styles.count
    phraseCounts = collector.phraseCounts
    equivalentCount = collector.equivalentCount
    notComparedCount = collector.notComparedCount
  }

  /// A summary of each class that occurs, the most severe first.
  public var classSummaries: [ClassSummary] {
    let byClass = Dictionary(grouping: changes, by: \.driftClass)
    return byClass.sorted { $0.key < $1.key }.map { driftClass, changes in
      let changed = Set(changes.flatMap(\.storefronts))
      return ClassSummary(
        driftClass: driftClass,
        storefronts: Self.sorted(changed, as: storefronts),
        combinationCount: Self.combinationCount(of: changes)
      )
    }
  }

  /// The storefronts that have changes, in the order of the pack.
  public var changedStorefronts: [String] {
    Self.sorted(Set(changes.flatMap(\.storefronts)), as: storefronts)
  }

  /// The number of combinations of a price locale and a currency that have changes.
  public var changedCombinationCount: Int { Self.combinationCount(of: changes) }

  /// A Boolean value that indicates whether the new pack lacks patterns of a place that it has.
  package var lacksPatterns: Bool { changes.contains { $0.driftClass == .gone && $0.subject == "pattern" } }

  /// Returns whether a change is of one of the classes, or may be because it was not compared.
  public func hasDrift(of classes: Set<DriftClass>) -> Bool {
    changes.contains { $0.isOf(classes) }
  }

  /// Returns identifiers in the order of others, and after them those that the others lack.
  private static func sorted(_ ids: Set<String>, as order: [String]) -> [String] {
    order.filter(ids.contains) + ids.subtracting(order).sorted()
  }

  private static func combinationCount(of changes: [PackChange]) -> Int {
    var combinations: [String: Set<String>] = [:]
    for change in changes {
      for entry in change.locales { combinations[entry.locale, default: []].formUnion(entry.currencies) }
    }
    return combinations.values.reduce(0) { $0 + $1.count }
  }
}
