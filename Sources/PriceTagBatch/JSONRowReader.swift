import CJSON
import PriceTag
import PriceTagSystem
import PriceTagText

/// Reads the rows of a block of JSON Lines.
final class JSONRowReader {
  private let reader: OpaquePointer
  /// For each CSV column, the index of the row's member with that key, or -1.
  private var memberOfColumn: [Int] = []
  private var arrangedShape: UInt64 = 0
  /// The columns by name. Filled when a row has its keys in another order.
  private var columnOfName: [[UInt8]: Int] = [:]
  /// The members of a simple row, if rows of `simpleShape` are simple.
  @exclusivity(unchecked) private var simpleMembers: SimpleRow.Places?
  /// The shape of the last row.
  @exclusivity(unchecked) private var simpleShape: UInt64 = 0

  /// - Parameters:
  ///   - recognized: The fields to look for: the first cases of `RowField`.
  ///   - options: The options, which may give a field another name.
  init(_ recognized: ArraySlice<RowField>, _ options: BatchOptions) throws(BatchError) {
    // No key is equal to this byte, which is not UTF-8.
    let noKey: [CChar] = [-1, 0]
    let names = recognized.map { field in options.inputName(of: field).map { strdup($0) } ?? strdup(noKey) }
    defer { for name in names { free(name) } }
    guard let reader = cjson_reader_create(names.map { UnsafePointer($0) }, Int32(names.count)) else {
      throw BatchError(.outOfResources, "not enough memory to read JSON", fix: "free some memory")
    }
    self.reader = reader
  }

  deinit { cjson_reader_free(reader) }

  func begin(_ bytes: UnsafePointer<UInt8>, _ count: Int) { cjson_reader_start(reader, bytes, count) }

  @inline(__always)
  func next() -> CJSONRow? { cjson_reader_next(reader)?.pointee }

  /// The number of lines read from the block.
  var lineCount: Int { cjson_reader_line_count(reader) }

  // MARK: Simple rows

  /// Returns the fields of a simple row, or `nil` if the row is not simple.
  @inline(__always)
  func simpleRow(_ row: CJSONRow) -> SimpleRow? {
    if row.names.pointee.shape != simpleShape {
      simpleShape = row.names.pointee.shape
      let members = cjson_names_member(row.names)
      simpleMembers = SimpleRow.Places { Int(members[$0.rawValue]) }
    }
    guard let members = simpleMembers, let storefront = Self.text(row, members.storefront),
      !storefront.isEmpty,
      let amount = Self.text(row, members.amount, orNumber: true)
    else { return nil }
    var currency = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    if let member = members.currency {
      guard let text = Self.text(row, member), !text.isEmpty else { return nil }
      currency = text
    }
    return SimpleRow(storefront: storefront, currency: currency, amount: amount)
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

  /// Stores the values of all recognized fields.
  func fill(_ fields: RecognizedFields, _ row: CJSONRow) {
    fields.setAllAbsent()
    let found = cjson_names_found(row.names)
    let members = cjson_names_member(row.names)
    for index in 0..<Int(row.names.pointee.found_count) {
      let name = Int(found[index])
      fields[name] = Self.value(row, row.members[Int(members[name])])
    }
  }

  /// Returns the index of the member with a field's key, or `nil`.
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

  /// Returns the keys of a row, in order.
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

  /// Maps the members of a row to columns.
  ///
  /// - Throws: `.unknownColumn` for a key without a column.
  func arrange(_ row: CJSONRow, _ columns: [[UInt8]]) throws(RowProblem) {
    // Rows of one shape have the same keys in the same order.
    if row.names.pointee.shape == arrangedShape { return }
    arrangedShape = 0
    memberOfColumn.removeAll(keepingCapacity: true)
    memberOfColumn.append(contentsOf: repeatElement(-1, count: columns.count))
    for index in 0..<row.member_count {
      let member = row.members[index]
      // Most rows have the same order as the columns.
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
          "the key \(quoted(name)) is not in the first row, which defines the columns",
          fix: "write all keys in the first row, or write JSON Lines",
          field: name
        )
      }
      memberOfColumn[column] = index
    }
    arrangedShape = row.names.pointee.shape
  }

  /// Returns the value of a column in the row that was passed to `arrange(_:_:)`.
  func value(_ row: CJSONRow, _ column: Int) -> FieldValue {
    let member = memberOfColumn[column]
    guard member >= 0 else {
      return RecognizedFields.absent
    }
    return Self.value(row, row.members[member])
  }
}

extension RowProblem {
  /// Returns the problem that the C reader found in a row.
  static func found(in row: CJSONRow) -> RowProblem {
    let place = Int(row.problem_start)
    let at = "at byte \(place + 1) of the row"
    let asJSON = "write each row as one JSON object on one line"
    switch row.problem {
    case CJSONProblemNUL: return .nulByte(at: place)
    case CJSONProblemNotUTF8:
      return .notUTF8(in: UnsafeBufferPointer(start: row.bytes, count: row.count))
    case CJSONProblemDuplicateKey:
      let bytes = UnsafeBufferPointer(start: row.bytes + place, count: Int(row.problem_count))
      let key = String(decoding: bytes, as: UTF8.self)
      return RowProblem(.duplicateKey, "the key \(quoted(key)) appears twice", fix: "remove one", field: key)
    default: break
    }
    let (code, problem, fix): (BatchReject.Code, String, String) =
      switch row.problem {
      case CJSONProblemUnclosedString: (.malformedJSON, "the string \(at) is not closed", asJSON)
      case CJSONProblemControlCharacter:
        (.malformedJSON, "a string has a control character, \(at)", #"escape it, as \n or \u0001"#)
      case CJSONProblemEscape:
        (.malformedJSON, "the escape \(at) is invalid", #"write \\ for a backslash, and surrogates as pairs"#)
      case CJSONProblemTrailing:
        (.malformedJSON, "the row has more text after the object, \(at)", "write one object per line")
      case CJSONProblemNotObject:
        (.notAnObject, "the row is not an object", #"write it as {"storefront":"USA","amount":"4.99"}"#)
      case CJSONProblemTooDeep:
        (.tooDeep, "values are nested more than \(cjson_maximum_depth) deep", "write a flatter row")
      case CJSONProblemNoMemory: (.outOfMemory, "not enough memory to read the row", "use fewer jobs")
      default: (.malformedJSON, "the JSON is malformed \(at)", asJSON)
      }
    return RowProblem(code, problem, fix: fix)
  }
}
