import PriceTagLocaleData
import PriceTagSystem
import PriceTagText

/// A folder whose files replace the embedded files with the same names.
package struct LocaleDataFolder: Sendable {
  package let path: String
  private let names: Set<String>

  /// The subfolder of string files, one for each language.
  package static let strings = "strings"

  /// Opens a folder.
  ///
  /// - Throws: `.invalidLocaleData` if the folder would replace nothing or something else than intended: it does not
  ///   exist, has no file with a known name, or has a JSON file with an unknown name.
  package init(_ path: String) throws(PriceTagError) {
    let fileNames = LocaleDataFile.allCases.map(\.rawValue)
    let fix = "use \(fileNames.joined(separator: ", ")) or files in \(Self.strings)/"
    self.path = path
    names = try Self.names(in: path)
    for name in names.sorted() where name.hasSuffix(".json") && !fileNames.contains(name) {
      throw PriceTagError(
        .invalidLocaleData,
        "unknown locale data file \(quoted(name))",
        fix: didYouMean(closestMatch(to: name, among: fileNames), otherwise: fix),
        place: printable(path)
      )
    }
    guard names.contains(where: { fileNames.contains($0) || $0 == Self.strings }) else {
      throw PriceTagError(
        .invalidLocaleData,
        "the folder \(quoted(path)) has no locale data file",
        fix: "add \(fileNames.joined(separator: ", ")) or files in \(Self.strings)/"
      )
    }
  }

  /// Returns all files in the subfolder of string files, in no order; `nil` if there is no subfolder.
  package func stringFiles() throws(PriceTagError) -> (folder: LocaleDataFolder, names: [String])? {
    guard names.contains(Self.strings) else { return nil }
    let path = "\(path)/\(Self.strings)"
    let folder = LocaleDataFolder(path: path, names: try Self.names(in: path))
    return (folder, folder.names.filter { !$0.hasPrefix(".") })
  }

  private init(path: String, names: Set<String>) {
    (self.path, self.names) = (path, names)
  }

  private static func names(in path: String) throws(PriceTagError) -> Set<String> {
    guard let names = entryNames(ofFolder: path) else {
      throw PriceTagError(
        .invalidLocaleData,
        "cannot read the locale data folder \(quoted(path))",
        fix: "check the path"
      )
    }
    return Set(names)
  }

  /// Returns whether the folder has a file with this name.
  package func has(_ name: String) -> Bool { names.contains(name) }

  /// Returns the bytes of a file; `nil` if the folder has no file with this name.
  ///
  /// - Throws: `.invalidLocaleData` if the file exists but cannot be read.
  package func bytes(of name: String) throws(PriceTagError) -> [UInt8]? {
    guard names.contains(name) else { return nil }
    do throws(RegularFile.Failure) {
      return try RegularFile.bytes(of: "\(path)/\(name)", limit: 16 << 20)
    } catch {
      throw PriceTagError(
        .invalidLocaleData,
        "cannot read the file: \(error.reason)",
        fix: error.fix,
        place: name
      )
    }
  }
}

/// A locale data file, by its name.
enum LocaleDataFile: String, CaseIterable {
  case currencies = "currencies.json"
  case overrides = "currency-overrides.json"
  case storefronts = "storefronts.json"
  case customCurrencies = "custom-currencies.json"
  case territories = "territories.json"
  /// What stores were seen to write. It is a fact about the stores, which no folder replaces.
  case observations = "observations.json"

  /// The files that a folder may have.
  static let allCases: [LocaleDataFile] = [
    .currencies, .overrides, .storefronts, .customCurrencies, .territories,
  ]

  /// A Boolean value that indicates whether the file is not embedded, so a folder without it has no such data.
  var isOptional: Bool { self == .customCurrencies }

  /// Reads the file of a folder. Without a folder, or if it has no such file, reads the embedded file.
  func contents(in folder: LocaleDataFolder?) throws(PriceTagError) -> LocaleDataEntry {
    try contents(of: data(in: folder))
  }

  /// Reads the bytes of a file.
  func contents(of data: [UInt8]) throws(PriceTagError) -> LocaleDataEntry {
    do throws(JSONError) {
      let value = try JSONReader.value(of: data)
      guard case .object(let object) = value else {
        throw JSONError(line: 1, problem: "the file must be an object, not \(value.kind)")
      }
      return LocaleDataEntry(object: object, file: rawValue)
    } catch {
      throw PriceTagError(
        .invalidLocaleData,
        error.problem,
        fix: "correct the JSON",
        place: "\(rawValue), \(error.place())"
      )
    }
  }

  /// Returns a fingerprint of all files, as 16 hexadecimal digits. An optional file that does not exist has no effect.
  static func fingerprint(in folder: LocaleDataFolder?) throws(PriceTagError) -> String {
    var fingerprint = Fingerprint()
    // The byte 0xFF separates the files: it does not occur in UTF-8.
    for file in allCases {
      if file.isOptional, folder?.has(file.rawValue) != true { continue }
      fingerprint.add(try file.data(in: folder) + [0xFF])
    }
    return fingerprint.text
  }

  private func data(in folder: LocaleDataFolder?) throws(PriceTagError) -> [UInt8] {
    let replacement: [UInt8]? = if let folder { try folder.bytes(of: rawValue) } else { nil }
    return if let replacement { replacement } else { try embedded() }
  }

  private func embedded() throws(PriceTagError) -> [UInt8] {
    guard let bytes = embeddedBytes else {
      throw PriceTagError(.invalidLocaleData, "\(rawValue) is not embedded", fix: "rebuild the package")
    }
    return Array(bytes)
  }
}

/// An object of a locale data file. Every error names the file, line, entry and field.
struct LocaleDataEntry: Sendable {
  private let object: JSONObject
  private let file: String
  /// The fields whose values identify the entry in errors; empty for the file itself.
  private let identifyingFields: [String]
  /// The name of the entry that contains this one, for errors; empty for an entry of an array.
  private let parentName: String

  init(object: JSONObject, file: String, identifyingFields: [String] = [], parentName: String = "") {
    self.object = object
    self.file = file
    self.identifyingFields = identifyingFields
    self.parentName = parentName
  }

  /// The entry's name for errors, such as `, entry "JPN"`.
  private var entryName: String {
    let values = identifyingFields.compactMap { name in
      if case .string(let text)? = object[name] { quoted(text) } else { nil }
    }
    return values.isEmpty ? parentName : ", entry \(values.joined(separator: " "))"
  }

  /// Returns the error for a field.
  func invalid(
    _ problem: String,
    _ field: String,
    fix: String = "correct the field (LocaleData/README.md describes it)"
  ) -> PriceTagError {
    PriceTagError(
      .invalidLocaleData,
      problem,
      fix: fix,
      place: "\(file), line \(object.line)\(entryName), field \(printable(field))"
    )
  }

  /// Checks that all fields are known. A misspelled field would have no effect otherwise.
  func checkFields(_ fields: [String]) throws(PriceTagError) {
    for member in object.members where !fields.contains(member.key) {
      throw invalid(
        "unknown field \(quoted(member.key))",
        member.key,
        fix: didYouMean(closestMatch(to: member.key, among: fields), otherwise: "remove it")
      )
    }
  }

  /// Checks that the value of a field is one of the file's sources.
  func check(_ field: String, isAmong sources: [String: String]) throws(PriceTagError) {
    let source = try string(field)
    guard sources[source] != nil else {
      throw unknown("source", source, field, fix: "add it to the file's sources")
    }
  }

  /// Returns the error for a value that does not exist, such as a currency.
  func unknown(_ kind: String, _ value: some StringProtocol, _ field: String, fix: String) -> PriceTagError {
    invalid("unknown \(kind) \(quoted(value))", field, fix: fix)
  }

  /// Returns a value that is created from a field.
  ///
  /// - Throws: The error of the creation, with the place of the field.
  func checked<Value>(
    _ field: String,
    _ create: () throws(PriceTagError) -> Value
  ) throws(PriceTagError) -> Value {
    do throws(PriceTagError) { return try create() } catch {
      throw invalid(error.problem, field, fix: error.fix)
    }
  }

  /// Checks that the field "reason" is not empty.
  func checkReason(fix: String) throws(PriceTagError) {
    if try string("reason").isEmpty { throw invalid("the reason is empty", "reason", fix: fix) }
  }

  private func value(_ field: String) -> JSONValue? {
    if case .null? = object[field] { return nil }
    return object[field]
  }

  private func required<Value>(_ value: Value?, _ field: String) throws(PriceTagError) -> Value {
    guard let value else { throw invalid("the field \(quoted(field)) is missing", field, fix: "add it") }
    return value
  }

  private func wrongType(_ value: JSONValue, _ field: String, expected: String) -> PriceTagError {
    invalid("the field \(quoted(field)) must be \(expected), not \(value.kind)", field)
  }

  private func wrongElement(_ value: JSONValue, _ field: String, expected: String) -> PriceTagError {
    invalid("the field \(quoted(field)) must be an array of \(expected), but contains \(value.kind)", field)
  }

  /// The names of the fields, in order.
  var fieldNames: [String] { object.members.map(\.key) }

  /// Returns whether the value of a field is a string.
  func isString(_ field: String) -> Bool {
    if case .string? = object[field] { true } else { false }
  }

  func optionalString(_ field: String) throws(PriceTagError) -> String? {
    switch value(field) {
    case nil: return nil
    case .string(let text)?: return text
    case let other?: throw wrongType(other, field, expected: "a string")
    }
  }

  func string(_ field: String) throws(PriceTagError) -> String { try required(optionalString(field), field) }

  func boolean(_ field: String) throws(PriceTagError) -> Bool {
    let value = try required(value(field), field)
    guard case .bool(let flag) = value else { throw wrongType(value, field, expected: "true or false") }
    return flag
  }

  /// Returns an object in a field; `nil` if the field is missing or null. Errors identify it by this entry.
  func optionalEntry(_ field: String) throws(PriceTagError) -> LocaleDataEntry? {
    switch value(field) {
    case nil: return nil
    case .object(let object)?:
      return LocaleDataEntry(object: object, file: file, parentName: entryName)
    case let other?: throw wrongType(other, field, expected: "an object")
    }
  }

  func optionalInteger(_ field: String, in range: ClosedRange<Int>) throws(PriceTagError) -> Int? {
    switch value(field) {
    case nil: return nil
    case .number(let text)?:
      guard let number = Int(text), range.contains(number) else {
        throw invalid(
          "\(printable(text)) is not an integer from \(range.lowerBound) to \(range.upperBound)",
          field
        )
      }
      return number
    case let other?: throw wrongType(other, field, expected: "a number")
    }
  }

  func integer(_ field: String, in range: ClosedRange<Int>) throws(PriceTagError) -> Int {
    try required(optionalInteger(field, in: range), field)
  }

  func optionalDate(_ field: String) throws(PriceTagError) -> CalendarDate? {
    guard let text = try optionalString(field) else { return nil }
    return try checked(field) { () throws(PriceTagError) in try CalendarDate(text) }
  }

  /// Returns the strings of an array.
  func strings(_ field: String) throws(PriceTagError) -> [String] {
    var strings: [String] = []
    for value in try array(field) {
      guard case .string(let text) = value else {
        throw wrongElement(value, field, expected: "strings")
      }
      strings.append(text)
    }
    return strings
  }

  /// Returns the members of an object of strings.
  func table(_ field: String) throws(PriceTagError) -> [String: String] {
    Dictionary(try members(field)) { _, last in last }
  }

  /// Returns the members of an object of strings, in order.
  func members(_ field: String) throws(PriceTagError) -> [(String, String)] {
    let value = try required(value(field), field)
    guard case .object(let object) = value else { throw wrongType(value, field, expected: "an object") }
    var members: [(String, String)] = []
    for member in object.members {
      guard case .string(let text) = member.value else {
        throw invalid("the field \(quoted(member.key)) must be a string, not \(member.value.kind)", field)
      }
      members.append((member.key, text))
    }
    return members
  }

  /// Returns the objects of an array. Errors identify each object by the values of some of its fields.
  func entries(
    _ field: String,
    identifiedBy identifyingFields: String...
  ) throws(PriceTagError) -> [LocaleDataEntry] {
    var entries: [LocaleDataEntry] = []
    for value in try array(field) {
      guard case .object(let object) = value else {
        throw wrongElement(value, field, expected: "objects")
      }
      entries.append(LocaleDataEntry(object: object, file: file, identifyingFields: identifyingFields))
    }
    return entries
  }

  private func array(_ field: String) throws(PriceTagError) -> [JSONValue] {
    let value = try required(value(field), field)
    guard case .array(let values) = value else { throw wrongType(value, field, expected: "an array") }
    return values
  }
}
