import PriceTag

/// What changed between a golden and what is displayed now.
public struct DriftReport: Sendable {
  /// With what displays were made.
  public struct Origin: Hashable, Sendable {
    /// A golden's name, or what is running.
    public let name: String
    /// The versions that wrote them.
    public let versions: Versions
    /// The registry of storefronts and currencies.
    public let registry: String
    /// The day of the prices.
    public let date: CalendarDate
    /// The style, the storefronts and the languages, in the golden's words.
    public let made: String

    init(_ header: GoldenHeader, name: String) {
      (self.name, versions, registry, date) = (name, header.versions, header.registry, header.date)
      made = header.made
    }
  }

  /// How many displays of a storefront have changes of one class.
  public struct Sum: Hashable, Sendable {
    /// The class.
    public let drift: DriftClass
    /// How many displays.
    public let displays: Int
    /// In which storefronts, in order.
    public let storefronts: [String]
  }

  /// A storefront's changes.
  public struct Storefront: Sendable {
    /// Its identifier.
    public let id: String
    /// How many of its displays were checked.
    public let checked: Int
    /// Its changes, in the order of the golden.
    public let changes: [DisplayChange]
    /// The kinds of changes, the worst first.
    public let classes: [DriftClass]
  }

  /// What the displays were recorded with.
  public let recorded: Origin
  /// What they are made with now; `nil` for a shop's own displays.
  public let current: Origin?
  /// The changes, in the order of the golden.
  public let changes: [DisplayChange]
  /// How many displays were checked, of each storefront.
  public let checkedByStorefront: [String: Int]
  /// How many displays of the golden a shop's own rows do not tell of; 0 where a catalogue or a golden is compared.
  public let unchecked: Int
  /// Lines and rows that were set aside.
  public let problems: [DriftError]

  /// How many displays were checked.
  public var checked: Int { checkedByStorefront.values.reduce(0, +) }

  /// The sums of each class that there is, the worst class first.
  public var sums: [Sum] {
    var displays: [DriftClass: Int] = [:]
    var storefronts: [DriftClass: Set<String>] = [:]
    for change in changes {
      for drift in change.classes {
        displays[drift, default: 0] += 1
        storefronts[drift, default: []].insert(change.storefront)
      }
    }
    return displays.keys.sorted().map {
      Sum(drift: $0, displays: displays[$0] ?? 0, storefronts: (storefronts[$0] ?? []).sorted())
    }
  }

  /// The storefronts that changed: those with the worst class first, of these those with the most changes.
  public var storefronts: [Storefront] {
    Dictionary(grouping: changes, by: \.storefront).map { id, changes in
      Storefront(
        id: id,
        checked: checkedByStorefront[id] ?? 0,
        changes: changes,
        classes: Set(changes.flatMap(\.classes)).sorted()
      )
    }.sorted { first, second in
      guard let one = first.classes.first, let other = second.classes.first, one == other else {
        return (first.classes.first ?? .directionMarks) < (second.classes.first ?? .directionMarks)
      }
      return (-first.changes.count, first.id) < (-second.changes.count, second.id)
    }
  }

  /// The report without changes that a tolerance lets pass.
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

  /// Whether something changed in one of some classes.
  public func hasDrift(of classes: Set<DriftClass>) -> Bool {
    changes.contains { !classes.isDisjoint(with: $0.classes) }
  }
}
