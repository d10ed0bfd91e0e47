import PriceTag
import PriceTagText

extension CompiledMessage {
  /// Returns a block in the layout of `PhraseCode`.
  ///
  /// Its lengths fit into 16 bits: a message has at most 16 KB, and no piece of it, such as `=1{a}`, takes more than three times
  /// its bytes.
  ///
  /// - Parameters:
  ///   - hasPlaces: Whether the code has the places of arguments, for errors.
  ///   - index: Returns the index of an argument in the result.
  func code(of block: Block, hasPlaces: Bool, _ index: (Int) -> Int) -> [UInt8] {
    nodes[block].reduce(into: Bytes(hasPlaces: hasPlaces)) { code, node in
      switch node {
      case .literal(let range):
        code.append(PhraseCode.text)
        code.append16(range.count)
        code.bytes += literals[range]
      case .argument(let argument):
        code.append(PhraseCode.value)
        code.append16(index(argument))
      case .number(let argument, let style, let offset):
        code.append(PhraseCode.number)
        code.append16(index(argument))
        code.append(style.code)
        code.append(place: Int(offset))
      case .hash: code.append(PhraseCode.hash)
      case .plural(let plural): code.append(plurals[plural], self, index)
      case .select(let select): code.append(selects[select], self, index)
      }
    }.block
  }

  fileprivate struct Bytes {
    let hasPlaces: Bool
    var bytes: [UInt8] = []

    var block: [UInt8] {
      var head = Bytes(hasPlaces: false)
      head.append16(bytes.count)
      return head.bytes + bytes
    }

    mutating func append(_ value: Int) { bytes.append(UInt8(truncatingIfNeeded: value)) }

    mutating func append16(_ value: Int) {
      append(value)
      append(value >> 8)
    }

    mutating func append(place: Int) { append16(hasPlaces ? place : 0) }

    mutating func append(_ amount: Amount) {
      append(amount.scale)
      for shift in 0..<8 { append(Int(amount.coefficient >> Int64(8 * shift) & 0xFF)) }
    }

    /// Appends a node with the number of its bytes.
    mutating func append(_ kind: Int, _ argument: Int, _ rest: Bytes) {
      append(kind)
      append16(argument)
      append16(5 + rest.bytes.count)
      bytes += rest.bytes
    }

    mutating func append(_ plural: Plural, _ message: CompiledMessage, _ index: (Int) -> Int) {
      let categories = PluralRules.Category.allCases.filter { category in
        category == .other || plural.categories.contains { $0.category == category }
      }
      var rest = Bytes(hasPlaces: hasPlaces)
      rest.append(
        (plural.isOrdinal ? PhraseCode.isOrdinal : 0) | plural.style.code << Int(PhraseCode.styleShift)
      )
      rest.append(categories.reduce(0) { $0 | 1 << $1.place })
      rest.append16(plural.exact.count)
      rest.append(plural.offset)
      rest.append(place: plural.place)
      for (number, block) in plural.exact {
        rest.append(number.normalized)
        rest.bytes += message.code(of: block, hasPlaces: hasPlaces, index)
      }
      for category in categories {
        rest.bytes += message.code(of: plural.block(of: category), hasPlaces: hasPlaces, index)
      }
      append(PhraseCode.plural, index(plural.argument), rest)
    }

    mutating func append(_ select: Select, _ message: CompiledMessage, _ index: (Int) -> Int) {
      // The last branch is for all other keywords.
      let branches = select.branches.filter { $0.keyword != "other" } + [("other", select.other)]
      var rest = Bytes(hasPlaces: hasPlaces)
      rest.append16(branches.count)
      rest.append(place: select.offset)
      for (keyword, block) in branches {
        rest.append16(keyword.utf8.count)
        rest.bytes += Array(keyword.utf8) + message.code(of: block, hasPlaces: hasPlaces, index)
      }
      append(PhraseCode.select, index(select.argument), rest)
    }
  }
}

extension CompiledMessage.NumberStyle {
  fileprivate var code: Int {
    switch self {
    case .plain: PhraseCode.plain
    case .integer: PhraseCode.integer
    case .percent: PhraseCode.percent
    }
  }
}

// MARK: Packs

extension CompiledMessage {
  /// The names of arguments that are complete phrases.
  private static let phraseNames: Set = ["then", "offer", "trial", "duration", "tax"]
  /// The names of arguments that are numbers also where the message does not format them as such.
  private static let numberNames: [String: PhraseArgumentKind] = [
    "count": .count, "page": .count, "pages": .count, "percent": .percent,
  ]
  /// The names of arguments that are prices also on pages, where no message formats them as numbers.
  private static let priceNames: Set = ["price", "low", "high", "before", "unitPrice"]
  /// The names of arguments that are dates, names or other texts.
  private static let otherNames: Set = [
    "date", "storefront", "storefrontId", "language", "currency", "shop", "seller", "product", "name",
  ]

  /// Returns the kind of each argument in a pack.
  ///
  /// - Throws: `.invalidArgument` for a message that packs do not have.
  func argumentKinds() throws(StringsError) -> [String: PhraseArgumentKind] {
    var kinds: [Int: PhraseArgumentKind] = [:]
    func add(_ argument: Int, _ kind: PhraseArgumentKind) throws(StringsError) {
      let name = arguments[argument].name
      if Self.priceNames.contains(name) {
        throw source.error(
          .invalidArgument,
          "the argument \(quoted(name)) is a price, which is already formatted",
          fix: "write {\(name)}"
        )
      }
      guard kinds.updateValue(kind, forKey: argument) ?? kind == kind else {
        throw notInPacks("the argument \(quoted(name)) is used as two types")
      }
    }
    for plural in plurals { try add(plural.argument, .count) }
    for select in selects { try add(select.argument, .keyword) }
    for node in nodes {
      if case .number(let argument, let style, _) = node {
        try add(argument, style == .percent ? .percent : .count)
      }
    }
    for case .argument(let argument) in nodes {
      let name = arguments[argument].name
      let known =
        kinds[argument] ?? Self.numberNames[name] ?? (Self.phraseNames.contains(name) ? .phrase : .price)
      guard known != .keyword else { throw notInPacks("the argument \(quoted(name)) is used as two types") }
      guard !Self.otherNames.contains(name) else {
        throw notInPacks("the argument \(quoted(name)) is a date, a name or another text")
      }
      kinds[argument] = known
    }
    return Dictionary(uniqueKeysWithValues: kinds.map { (arguments[$0.key].name, $0.value) })
  }

  func notInPacks(_ problem: String) -> StringsError {
    source.error(
      .invalidArgument,
      "\(problem), and packs have only messages with prices, numbers and other phrases",
      fix: "format it in Swift, with the command or the service"
    )
  }
}
