/// What an import did.
public struct ImportSummary: Hashable, Sendable {
  /// How many of one kind were added, changed, left as they were, or removed.
  public struct Counts: Hashable, Sendable {
    /// That were not there before.
    public var added = 0
    /// That said something else before.
    public var changed = 0
    /// That said the same before.
    public var unchanged = 0
    /// That no file speaks of, when the catalogue is replaced.
    public var removed = 0

    /// Counts of their parts.
    public init(added: Int = 0, changed: Int = 0, unchanged: Int = 0, removed: Int = 0) {
      (self.added, self.changed, self.unchanged, self.removed) = (added, changed, unchanged, removed)
    }

    /// Whether nothing is other than before.
    var isUnchanged: Bool { added == 0 && changed == 0 && removed == 0 }
  }

  /// Of products.
  public var products = Counts()
  /// Of price tiers.
  public var tiers = Counts()
  /// Of subscription groups and categories.
  public var groups = Counts()
  /// How many parts of the files were set aside.
  public var setAside = 0
  /// A file whose prices were read as another storefront's than the file names, as `ImportOptions.reinterpretAs` asked.
  public struct Reinterpretation: Hashable, Sendable {
    /// The file's name.
    public let file: String
    /// The storefront that the file names.
    public let storefront: String
    /// The storefront, alpha-3, that its prices were read as.
    public let reinterpretedAs: String

    package init(file: String, storefront: String, reinterpretedAs: String) {
      (self.file, self.storefront, self.reinterpretedAs) = (file, storefront, reinterpretedAs)
    }
  }

  /// Files whose prices were read as another storefront's, in the order of the import.
  public var reinterpretations: [Reinterpretation] = []
  /// Tiers that products refer to and that the catalogue does not have, at most a hundred, in order.
  public var missingTiers: [String] = []
  /// Auto-renewable subscriptions that no source gives a period, at most a hundred, in order: they cannot be shown.
  public var subscriptionsWithoutPeriod: [String] = []
  /// The catalogue's revision after the import.
  public var revision = 0

  /// Whether the catalogue says what it said before.
  public var isUnchanged: Bool { products.isUnchanged && tiers.isUnchanged && groups.isUnchanged }
}
