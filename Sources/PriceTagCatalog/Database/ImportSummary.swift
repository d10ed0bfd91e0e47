/// The result of an import.
public struct ImportSummary: Hashable, Sendable {
  /// The numbers of added, changed, unchanged and removed items of one kind.
  public struct Counts: Hashable, Sendable {
    /// Items that the catalog did not have.
    public var added = 0
    /// Items that the import changed.
    public var changed = 0
    /// Items that the import did not change.
    public var unchanged = 0
    /// Items that an import in `replace` mode removed, because no file contains them.
    public var removed = 0

    /// Creates counts.
    public init(added: Int = 0, changed: Int = 0, unchanged: Int = 0, removed: Int = 0) {
      (self.added, self.changed, self.unchanged, self.removed) = (added, changed, unchanged, removed)
    }

    /// Whether no item was added, changed or removed.
    var isUnchanged: Bool { added == 0 && changed == 0 && removed == 0 }

    /// The number of items in the files.
    var imported: Int { added + changed + unchanged }
  }

  /// The counts of products.
  public var products = Counts()
  /// The counts of price tiers.
  public var tiers = Counts()
  /// The counts of subscription groups and categories.
  public var groups = Counts()
  /// The number of replaced prices that the history keeps: one for each product and storefront.
  public var replacedPrices = 0
  /// The number of rejected parts of the files, such as a product or a price.
  public var rejected = 0
  /// The number of prices in the files of which it is stated that it is not known whether they include tax.
  public var unknownTaxPrices = 0
  /// A file whose prices were read as prices of another storefront than the file names, as
  /// `ImportOptions.reinterpretAs` requested.
  public struct Reinterpretation: Hashable, Sendable {
    /// The file's name.
    public let file: String
    /// The storefront that the file names.
    public let storefront: String
    /// The storefront (alpha-3) whose prices they were read as.
    public let reinterpretedAs: String

    package init(file: String, storefront: String, reinterpretedAs: String) {
      (self.file, self.storefront, self.reinterpretedAs) = (file, storefront, reinterpretedAs)
    }
  }

  /// Files whose prices were read as prices of another storefront, in import order.
  public var reinterpretations: [Reinterpretation] = []
  /// The first 100 tiers, sorted, to which products refer but which the catalog does not have.
  public var missingTiers: [String] = []
  /// The first 100 auto-renewable subscriptions, sorted, that have no period and therefore cannot be shown.
  public var subscriptionsWithoutPeriod: [String] = []
  /// The catalog's revision after the import.
  public var revision = 0

  /// Whether the import changed nothing in the catalog.
  public var isUnchanged: Bool { products.isUnchanged && tiers.isUnchanged && groups.isUnchanged }
}
