/// A compiled message: a block of nodes, each after the previous one, so that a message contains no reference. docs/packs.md
/// describes them.
///
/// Where packs have 0, a message in memory has a place: the offset of the argument in the message's text, for errors.
package enum PhraseCode {
  @inlinable package static var text: Int { 0 }
  @inlinable package static var value: Int { 1 }
  @inlinable package static var number: Int { 2 }
  @inlinable package static var hash: Int { 3 }
  @inlinable package static var plural: Int { 4 }
  @inlinable package static var select: Int { 5 }

  @inlinable package static var textHead: Int { 3 }
  @inlinable package static var valueHead: Int { 3 }
  @inlinable package static var numberHead: Int { 6 }
  @inlinable package static var pluralHead: Int { 20 }
  @inlinable package static var selectHead: Int { 9 }
  @inlinable package static var exactHead: Int { 9 }
  /// The offsets of the places in nodes.
  @inlinable package static var numberPlace: Int { 4 }
  @inlinable package static var pluralPlace: Int { 18 }
  @inlinable package static var selectPlace: Int { 7 }

  /// The styles of numbers: up to three decimals, none, and a percentage without decimals.
  @inlinable package static var plain: Int { 0 }
  @inlinable package static var integer: Int { 1 }
  @inlinable package static var percent: Int { 2 }

  /// The flags of a plural. The style that decides its category is in the bits from the second one.
  @inlinable package static var isOrdinal: Int { 1 }
  @inlinable package static var styleShift: Int { 1 }

  /// The maximum number of decimals of a number, as in ICU's default number format.
  @inlinable package static var maximumFractionDigits: Int { 3 }
}

/// What receives the text of a message, and has the values of its arguments.
package protocol PhraseHost {
  associatedtype Failure: Error
  /// Writes literal text.
  mutating func write(_ text: UnsafeRawBufferPointer) throws(Failure)
  /// Writes the value of an argument.
  mutating func write(argument: Int) throws(Failure)
  /// Writes the number of an argument in a style. The node is the one that refers to it.
  mutating func write(number argument: Int, style: Int, _ node: UnsafeRawPointer) throws(Failure)
  /// Writes the number of the enclosing plural.
  mutating func write(hash number: Amount) throws(Failure)
  /// Returns the number that selects a branch of a plural; `nil` if the plural is omitted.
  mutating func count(_ argument: Int, _ node: UnsafeRawPointer) throws(Failure) -> Amount?
  /// Returns the number without the offset of a plural.
  mutating func subtract(_ offset: Amount, from count: Amount) throws(Failure) -> Amount
  /// Returns the plural category of a number that is displayed with a maximum number of decimals.
  func category(of number: Amount, fractionDigits: Int, isOrdinal: Bool) throws(Failure) -> Int
  /// Returns whether the text of an argument is the keyword of a branch; `nil` if the select is omitted.
  mutating func argument(
    _ argument: Int,
    is keyword: UnsafeRawBufferPointer,
    _ node: UnsafeRawPointer
  ) throws(Failure) -> Bool?
}

extension PhraseCode {
  /// Writes a block, of which every field has been checked, in the order of its nodes.
  ///
  /// - Parameter number: The number of the enclosing plural, which `#` displays.
  @inlinable
  package static func write<Host: PhraseHost>(
    _ block: UnsafeRawPointer,
    number: Amount?,
    to host: inout Host
  ) throws(Host.Failure) {
    var (node, end, number) = (block + 2, block + 2 + block.uint16(at: 0), number)
    while node < end {
      switch node.uint8(at: 0) {
      case text:
        let count = node.uint16(at: 1)
        try host.write(UnsafeRawBufferPointer(start: node + textHead, count: count))
        node += textHead &+ count
      case value:
        try host.write(argument: node.uint16(at: 1))
        node += valueHead
      case Self.number:
        try host.write(number: node.uint16(at: 1), style: node.uint8(at: 3), node)
        node += numberHead
      case hash:
        if let number { try host.write(hash: number) }
        node += 1
      case let kind:
        let next = node + node.uint16(at: 3)
        let found = kind == plural ? try branch(ofPlural: node, &host) : try branch(ofSelect: node, &host)
        if let found {
          if next == end {
            // Most plurals end their message, so the loop continues with the branch instead of recursing.
            (node, end, number) = (found.block + 2, found.block + 2 + found.block.uint16(at: 0), found.number)
            continue
          }
          try write(found.block, number: found.number, to: &host)
        }
        node = next
      }
    }
  }

  @usableFromInline package typealias Branch = (block: UnsafeRawPointer, number: Amount?)

  @inlinable
  package static func branch<Host: PhraseHost>(
    ofPlural node: UnsafeRawPointer,
    _ host: inout Host
  ) throws(Host.Failure) -> Branch? {
    guard let count = try host.count(node.uint16(at: 1), node) else { return nil }
    let offset = node.amount(at: 9)
    let number = offset.isZero ? count : try host.subtract(offset, from: count)
    let normalized = count.normalized
    var branch = node + pluralHead
    var left = node.uint16(at: 7)
    while left > 0 {
      let exact = branch.amount(at: 0)
      branch += exactHead
      if exact.coefficient == normalized.coefficient, exact.scale == normalized.scale {
        return (branch, number)
      }
      branch = next(branch)
      left &-= 1
    }
    let flags = node.uint8(at: 5)
    let category = try host.category(
      of: number,
      fractionDigits: flags >> 1 == plain ? maximumFractionDigits : 0,
      isOrdinal: flags & isOrdinal != 0
    )
    // A category without a branch has that of `other`, which is the last one.
    let categories = node.uint8(at: 6)
    let isListed = categories & 1 &<< category != 0
    let before = categories & ((1 &<< (isListed ? category : PluralBytes.other)) &- 1)
    left = before.nonzeroBitCount
    while left > 0 {
      branch = next(branch)
      left &-= 1
    }
    return (branch, number)
  }

  @inlinable
  package static func branch<Host: PhraseHost>(
    ofSelect node: UnsafeRawPointer,
    _ host: inout Host
  ) throws(Host.Failure) -> Branch? {
    var branch = node + selectHead
    var left = node.uint16(at: 5)
    while true {
      let keyword = UnsafeRawBufferPointer(start: branch + 2, count: branch.uint16(at: 0))
      guard let isSelected = try host.argument(node.uint16(at: 1), is: keyword, node) else { return nil }
      branch += 2 &+ keyword.count
      left &-= 1
      // As in ICU, # is literal text in a select inside a plural.
      if left <= 0 || isSelected { return (branch, nil) }
      branch = next(branch)
    }
  }

  /// Returns the place after a block.
  @inlinable
  package static func next(_ block: UnsafeRawPointer) -> UnsafeRawPointer { block + 2 + block.uint16(at: 0) }
}

extension UnsafeRawPointer {
  /// Reads an amount: the scale in one byte, and the coefficient in eight.
  @inlinable @inline(__always)
  package func amount(at offset: Int) -> Amount {
    Amount(uncheckedCoefficient: Int64(bitPattern: uint64(at: offset &+ 1)), scale: uint8(at: offset))
  }
}
