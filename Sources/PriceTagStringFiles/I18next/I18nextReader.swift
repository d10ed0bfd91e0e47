import PriceTagStrings

extension StringsFile {
  /// Creates a file of i18next's format, version 4, in which a plural has a key for each category: `items_one`,
  /// `items_other`, or `place_ordinal_one` for ordinals.
  ///
  /// Keys are the branches of one entry if one of them ends in `_other` beside another category, if one of them contains
  /// `{{count}}`, or if the development language has such a plural. The suffixes of version 3, `_plural` and `_0`, are recognized, and not checked
  /// against CLDR.
  ///
  /// - Parameter plurals: The keys of plurals in the development language.
  static func i18next(
    _ tree: MessageTree,
    _ bytes: [UInt8],
    language: String,
    plurals: Set<String>
  ) -> StringsFile {
    let families = plurals.union(PluralSuffix.families(of: tree.leaves))
    var entries: [Entry] = []
    var index: [String: Int] = [:]
    for leaf in tree.leaves {
      guard let text = leaf.text else { continue }
      var (key, role) = (leaf.key, Role())
      let suffix = PluralSuffix(leaf.key)
      if let suffix, families.contains(suffix.key) {
        (key, role) = (suffix.key, Role(category: suffix.category))
      } else if families.contains(leaf.key) {
        // The singular of version 3, or the text for a call without a count.
        role = Role(category: "default")
      }
      let branch = Text(language: language, role: role, text: text, range: leaf.range)
      if role.category != nil, let place = index[key] {
        entries[place].texts.append(branch)
        continue
      }
      var entry = Entry(key: key, offset: leaf.offset)
      entry.object = leaf.object
      entry.isOrdinal = suffix?.isOrdinal ?? false
      entry.texts = [branch]
      if role.category != nil { index[key] = entries.count }
      entries.append(entry)
    }
    return StringsFile(
      format: .i18next,
      language: language,
      bytes: bytes,
      entries: entries,
      problems: tree.problems
    )
  }
}

/// The suffix of a key that is a plural branch.
struct PluralSuffix {
  /// The key without the suffix of the category.
  let key: String
  let category: String
  let isOrdinal: Bool
  /// Whether the suffix is a number of version 3.
  var isNumber: Bool { category.utf8.allSatisfy { (0x30...0x39).contains($0) } }

  init?(_ key: String) {
    guard let underscore = key.lastIndex(of: "_"), underscore > key.startIndex else { return nil }
    category = String(key[key.index(after: underscore)...])
    guard
      ["zero", "one", "two", "few", "many", "other", "plural", "0", "1", "2", "3", "4", "5"].contains(
        category
      )
    else { return nil }
    self.key = String(key[..<underscore])
    isOrdinal = self.key.hasSuffix("_ordinal")
  }

  /// Returns the keys of the plurals among texts. `reason_other` beside `reason_spam` is not a plural.
  static func families(of leaves: [MessageTree.Leaf]) -> Set<String> {
    var families: Set<String> = []
    /// The first category of each key.
    var first: [String: String] = [:]
    let others = leaves.contains { $0.key.hasSuffix("_other") || $0.key.hasSuffix("_plural") }
    let keys = others ? Set(leaves.map(\.key)) : []
    for leaf in leaves {
      guard let suffix = PluralSuffix(leaf.key) else { continue }
      let isCounted = !suffix.isNumber && leaf.text?.contains("{{count") == true
      let isPlural = suffix.category == "plural" && keys.contains(suffix.key)
      if isCounted || isPlural {
        families.insert(suffix.key)
      } else if !suffix.isNumber, let other = first.updateValue(suffix.category, forKey: suffix.key),
        other != suffix.category, keys.contains(suffix.key + "_other")
      {
        families.insert(suffix.key)
      }
    }
    return families
  }
}
