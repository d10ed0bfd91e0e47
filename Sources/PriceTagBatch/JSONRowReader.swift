import CJSON
import PriceTag
import PriceTagText

/// Goes through a block of JSON Lines row by row, and gives the fields by their places.
final class JSONRowReader {
  private let reader: OpaquePointer
  /// For each column of CSV, the member of the row that has it; -1 where none has.
  private var memberOfColumn: [Int] = []
  private var arrangedShape: UInt64 = 0
  /// The columns by their names, once a row has them in another order.
  private var columnOfName: [[UInt8]: Int] = [:]
  /// Of the shape of the last row.
  private var usualPlaces: UsualPlaces?
  private var usualShape: UInt64 = 0

  init() throws(BatchError) {
    let names: [UnsafePointer<CChar>?] = RowField.allCases.map {
      UnsafeRawPointer($0.name.utf8Start).assumingMemoryBound(to: CChar.self)
    }
    guard let reader = cjson_reader_create(names, Int32(names.count)) else {
      throw BatchError(.outOfResources, "there is no memory to read JSON with", fix: "free some memory")
    }
    self.reader = reader
  }

  deinit { cjson_reader_free(reader) }

  func begin(_ bytes: UnsafePointer<UInt8>, _ count: Int) { cjson_reader_start(reader, bytes, count) }

  @inline(__always)
  func next() -> CJSONRow? { cjson_reader_next(reader)?.pointee }

  /// How many lines the block had so far.
  var lineCount: Int { cjson_reader_line_count(reader) }

  // MARK: Usual rows

  /// A row that has a storefront, a currency or none, a decimal amount, and nothing else that a batch knows; all of them
  /// text without escapes, or a number.
  struct UsualRow {
    let storefront: UnsafeBufferPointer<UInt8>
    /// Empty where there is none.
    let currency: UnsafeBufferPointer<UInt8>
    let amount: UnsafeBufferPointer<UInt8>
  }

  /// Where a shape of rows has the fields of a usual one.
  private struct UsualPlaces {
    let storefront: Int
    let currency: Int?
    let amount: Int

    init?(_ names: UnsafePointer<CJSONNames>) {
      let members = cjson_names_member(names)
      func member(_ field: RowField) -> Int? {
        let member = Int(members[field.rawValue])
        return member < 0 ? nil : member
      }
      let others = RowField.allCases.filter { ![.storefront, .currency, .amount, .minorUnits].contains($0) }
      guard let storefront = member(.storefront), let amount = member(.amount),
        others.allSatisfy({ member($0) == nil })
      else { return nil }
      (self.storefront, self.amount, currency) = (storefront, amount, member(.currency))
    }
  }

  /// The fields of a usual row; `nil` for any other.
  @inline(__always)
  func usual(_ row: CJSONRow) -> UsualRow? {
    if row.names.pointee.shape != usualShape {
      usualShape = row.names.pointee.shape
      usualPlaces = UsualPlaces(row.names)
    }
    guard let places = usualPlaces, let storefront = Self.text(row, places.storefront), !storefront.isEmpty,
      let amount = Self.text(row, places.amount, orNumber: true)
    else { return nil }
    var currency = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    if let place = places.currency {
      guard let text = Self.text(row, place), !text.isEmpty else { return nil }
      currency = text
    }
    return UsualRow(storefront: storefront, currency: currency, amount: amount)
  }

  @inline(__always)
  private static func text(
    _ row: CJSONRow,
    _ member: Int,
    orNumber: Bool = false
  ) -> UnsafeBufferPointer<UInt8>? {
    let member = row.members + member
    guard member.pointee.kind == CJSONKindString || (orNumber && member.pointee.kind == CJSONKindNumber),
      !member.pointee.value_has_escapes
    else { return nil }
    return UnsafeBufferPointer(
      start: row.bytes + Int(member.pointee.value_start),
      count: Int(member.pointee.value_count)
    )
  }

  // MARK: All fields

  /// The values of the fields that a batch knows.
  func fill(_ fields: KnownFields, _ row: CJSONRow) {
    fields.setAllAbsent()
    let found = cjson_names_found(row.names)
    let members = cjson_names_member(row.names)
    for place in 0..<Int(row.names.pointee.found_count) {
      let name = Int(found[place])
      fields[name] = Self.value(row, row.members[Int(members[name])])
    }
  }

  /// The member that has a field's name; `nil` where none has.
  func member(_ field: RowField, _ row: CJSONRow) -> Int? {
    let member = Int(cjson_names_member(row.names)[field.rawValue])
    return member < 0 ? nil : member
  }

  @inline(__always)
  private static func value(_ row: CJSONRow, _ member: CJSONMember) -> FieldValue {
    let kind: FieldValue.Kind =
      switch member.kind {
      case CJSONKindString: .text
      case CJSONKindNumber: .number
      case CJSONKindNull: .absent
      default: .other
      }
    return FieldValue(
      start: row.bytes + Int(member.value_start),
      count: Int(member.value_count),
      kind: kind,
      escapes: member.value_has_escapes ? .json : .none
    )
  }

  // MARK: Columns

  /// The keys of a row, in order.
  func keys(_ row: CJSONRow) -> [[UInt8]] {
    (0..<row.member_count).map { key(row, row.members[$0]) }
  }

  private func key(_ row: CJSONRow, _ member: CJSONMember) -> [UInt8] {
    let start = row.bytes + Int(member.key_start)
    guard member.key_has_escapes else {
      return Array(UnsafeBufferPointer(start: start, count: Int(member.key_count)))
    }
    return Array(unsafeUninitializedCapacity: Int(member.key_count)) { buffer, count in
      if let base = buffer.baseAddress { count = cjson_unescape(start, Int(member.key_count), base) }
    }
  }

  private func isKey(_ row: CJSONRow, _ member: CJSONMember, _ name: [UInt8]) -> Bool {
    if member.key_has_escapes { return key(row, member) == name }
    let start = row.bytes + Int(member.key_start)
    return UnsafeBufferPointer(start: start, count: Int(member.key_count)).elementsEqual(name)
  }

  /// Finds the member of each column.
  ///
  /// - Throws: `.unknownColumn` where a member has none.
  func arrange(_ row: CJSONRow, _ columns: [[UInt8]]) throws(RowProblem) {
    // Rows of one shape have the same keys in the same order.
    if row.names.pointee.shape == arrangedShape { return }
    arrangedShape = 0
    memberOfColumn.removeAll(keepingCapacity: true)
    memberOfColumn.append(contentsOf: repeatElement(-1, count: columns.count))
    for index in 0..<row.member_count {
      let member = row.members[index]
      // Mostly at the same place.
      if index < columns.count, isKey(row, member, columns[index]) {
        memberOfColumn[index] = index
        continue
      }
      if columnOfName.count != columns.count {
        columnOfName = Dictionary(columns.enumerated().map { ($1, $0) }) { first, _ in first }
      }
      guard let column = columnOfName[key(row, member)] else {
        let name = String(decoding: key(row, member), as: UTF8.self)
        throw RowProblem(
          .unknownColumn,
          "the columns, which the first row gave, have no \(quoted(name))",
          fix: "give all keys in the first row, or write JSON Lines",
          field: name
        )
      }
      memberOfColumn[column] = index
    }
    arrangedShape = row.names.pointee.shape
  }

  /// The value of a column in the row that was arranged.
  func value(_ row: CJSONRow, _ column: Int) -> FieldValue {
    let member = memberOfColumn[column]
    guard member >= 0 else {
      return KnownFields.absent
    }
    return Self.value(row, row.members[member])
  }
}

extension RowProblem {
  /// What the reader found wrong with a row.
  static func found(in row: CJSONRow) -> RowProblem {
    let place = Int(row.problem_start)
    let at = "at byte \(place + 1) of the row"
    let asJSON = "write the row as one JSON object (RFC 8259) on one line"
    switch row.problem {
    case CJSONProblemNUL:
      return .nulByte(at: place)
    case CJSONProblemNotUTF8:
      return .notUTF8(at: place)
    case CJSONProblemUnclosedString:
      return RowProblem(.malformedJSON, "the string \(at) is not closed", fix: asJSON)
    case CJSONProblemControlCharacter:
      return RowProblem(
        .malformedJSON,
        "a control character stands in a string, \(at)",
        fix: #"escape it, as \n or \u0001"#
      )
    case CJSONProblemEscape:
      return RowProblem(
        .malformedJSON,
        #"there is no such escape as the one \#(at)"#,
        fix: #"write \\ for a backslash, and surrogates in pairs"#
      )
    case CJSONProblemTrailing:
      return RowProblem(.malformedJSON, "something follows the object, \(at)", fix: "write an object a line")
    case CJSONProblemNotObject:
      return RowProblem(
        .notAnObject,
        "the row is no object",
        fix: #"write it as {"storefront":"USA","amount":"4.99"}"#
      )
    case CJSONProblemDuplicateKey:
      let bytes = UnsafeBufferPointer(start: row.bytes + place, count: Int(row.problem_count))
      let key = String(decoding: bytes, as: UTF8.self)
      return RowProblem(
        .duplicateKey,
        "the key \(quoted(key)) stands twice in its object",
        fix: "give each key once",
        field: key
      )
    case CJSONProblemTooDeep:
      return RowProblem(
        .tooDeep,
        "values are nested more than \(cjson_most_depth) deep",
        fix: "write a flatter row"
      )
    case CJSONProblemNoMemory:
      return RowProblem(.outOfMemory, "there is no memory to read the row with", fix: "use fewer jobs")
    default: return RowProblem(.malformedJSON, "the JSON is broken \(at)", fix: asJSON)
    }
  }
}
