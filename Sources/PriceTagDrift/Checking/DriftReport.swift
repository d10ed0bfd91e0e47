import PriceTag
import PriceTagReading

/// What changed between a golden file and what is displayed now.
public struct DriftReport: Sendable {
  /// The versions and settings that displays were formatted with.
  public struct Origin: Hashable, Sendable {
    /// The name of the golden file; empty for displays formatted by the running process.
    public let name: String
    /// The versions of PriceTag and its data.
    public let versions: Versions
    /// The revision of the storefront and currency registry.
    public let registry: String
    /// The day of the prices.
    public let day: StoreDay
    /// The style, the products, the storefronts, and the languages, as the golden file's header writes them.
    public let settings: String

    init(_ header: GoldenFileHeader, name: String) {
      (self.name, versions, registry, day) = (name, header.versions, header.registry, header.day)
      settings = header.settings
    }

    /// Creates the origin of displays that the running process formats.
    init(in localeData: LocaleData, on day: StoreDay) throws(DriftError) {
      (name, settings, self.day) = ("", "", day)
      versions = localeData.versions(on: day)
      do throws(PriceTagError) { registry = try localeData.revision() } catch {
        throw DriftError(.catalogFailed, error)
      }
    }
  }

  /// The number of displays with changes of one class, and their storefronts.
  public struct ClassSummary: Hashable, Sendable {
    /// The class.
    public let driftClass: DriftClass
    /// The number of displays.
    public let displayCount: Int
    /// The storefronts, sorted.
    public let storefronts: [String]
  }

  /// The changes of a storefront.
  public struct Storefront: Sendable {
    /// The storefront's identifier.
    public let id: String
    /// The number of its displays that were checked.
    public let checked: Int
    /// Its changes, in the order of the golden file.
    public let changes: [DisplayChange]
    /// The classes of the changes, the most severe first.
    public let classes: [DriftClass]
  }

  /// The versions and settings of the golden file; without one, those of the expected displays.
  public let recorded: Origin
  /// The current versions and settings; `nil` for a shop's own displays.
  public let current: Origin?
  /// The changes, in the order of the golden file.
  public let changes: [DisplayChange]
  /// The number of checked displays by storefront.
  public let checkedByStorefront: [String: Int]
  /// The number of displays in the golden file without a row in ``ShopDisplays``; 0 when comparing with a catalog or a
  /// golden file. Without a golden file, the number of displayed prices that cannot be checked.
  public let unchecked: Int
  /// The rejected lines and rows.
  public let problems: [DriftError]
  /// What cannot be checked without a golden file, such as prices without a storefront.
  package var notChecked: [(key: String, value: ShownPriceCheck.Unchecked)] = []

  /// The number of displays that were checked.
  public var checked: Int { checkedByStorefront.values.reduce(0, +) }

  /// A summary of each class that occurs, the most severe first.
  public var classSummaries: [ClassSummary] {
    let entries = changes.flatMap { change in change.classes.map { ($0, change.storefront) } }
    return Dictionary(grouping: entries, by: \.0).sorted { $0.key < $1.key }.map { driftClass, entries in
      ClassSummary(
        driftClass: driftClass,
        displayCount: entries.count,
        storefronts: Set(entries.map(\.1)).sorted()
      )
    }
  }

  /// The storefronts with changes, sorted by their most severe class, then by their number of changes.
  public var storefronts: [Storefront] {
    Dictionary(grouping: changes, by: \.storefront).map { id, changes in
      Storefront(
        id: id,
        checked: checkedByStorefront[id] ?? 0,
        changes: changes,
        classes: Set(changes.flatMap(\.classes)).sorted()
      )
    }.sorted { first, second in
      (first.classes.first ?? .directionMarks, -first.changes.count, first.id)
        < (second.classes.first ?? .directionMarks, -second.changes.count, second.id)
    }
  }

  /// Returns the report without the changes that a tolerance allows.
  public func beyond(_ tolerance: DisplayTolerance) -> DriftReport {
    DriftReport(
      recorded: recorded,
      current: current,
      changes: changes.filter { !$0.classes.allSatisfy(tolerance.allows) },
      checkedByStorefront: checkedByStorefront,
      unchecked: unchecked,
      problems: problems
    )
  }

  /// Returns whether a display has a change of one of the classes.
  public func hasDrift(of classes: Set<DriftClass>) -> Bool {
    changes.contains { !classes.isDisjoint(with: $0.classes) }
  }
}
