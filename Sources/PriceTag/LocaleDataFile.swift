import PriceTagLocaleData
import PriceTagText

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder whose files replace the embedded ones of the same name.
package struct LocaleDataFolder: Sendable {
  package let path: String
  private let names: Set<String>

  /// The folder of string files, a file a language.
  package static let strings = "strings"

  /// Refuses a folder that would silently replace nothing: one that is not there, has no file of a known name, or
  /// has a JSON file of another name.
  package init(_ path: String) throws(PriceTagError) {
    let known = LocaleDataFile.allCases.map(\.rawValue)
    let fix =
      "name its files \(known.joined(separator: ", ")), and put those of languages into \(Self.strings)/"
    self.path = path
    names = try Self.names(in: path)
    for name in names.sorted() where name.hasSuffix(".json") && !known.contains(name) {
      throw PriceTagError(
        .invalidLocaleData,
        "\(quoted(name)) is no locale data file",
        fix: fix + didYouMean(name, among: known)
      )
    }
    guard names.contains(where: { known.contains($0) || $0 == Self.strings }) else {
      throw PriceTagError(
        .invalidLocaleData,
        "the folder \(quoted(path)) has no locale data file",
        fix: fix
      )
    }
  }

  /// The string files of a folder, in no order, whatever their names; `nil` where it has no folder of them.
  package func stringFiles() throws(PriceTagError) -> (folder: LocaleDataFolder, names: [String])? {
    guard names.contains(Self.strings) else { return nil }
    let path = URL(filePath: path).appending(path: Self.strings).path
    let folder = LocaleDataFolder(path: path, names: try Self.names(in: path))
    return (folder, folder.names.filter { !$0.hasPrefix(".") })
  }

  private init(path: String, names: Set<String>) {
    (self.path, self.names) = (path, names)
  }

  private static func names(in path: String) throws(PriceTagError) -> Set<String> {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw PriceTagError(
        .invalidLocaleData,
        "the locale data folder \(quoted(path)) cannot be read",
        fix: "give a folder that exists"
      )
    }
    return Set(names)
  }

  /// The bytes of a file; `nil` where the folder has none of that name. One that is there must be readable.
  package func bytes(of name: String) throws(PriceTagError) -> Data? {
    guard names.contains(name) else { return nil }
    let file = URL(filePath: path).appending(path: name).path
    do throws(RegularFile.Failure) {
      return Data(try RegularFile.bytes(of: file, limit: 16 << 20))
    } catch {
      throw PriceTagError(
        .invalidLocaleData,
        "the file cannot be read",
        fix: "make it a regular file of at most 16 MB that this process may read",
        place: name
      )
    }
  }
}

/// A file of the locale data, by its name.
enum LocaleDataFile: String, CaseIterable {
  case currencies = "currencies.json"
  case overrides = "currency-overrides.json"
  case storefronts = "storefronts.json"

  /// The file of a folder, or the embedded one where the folder has none (or there is no folder).
  func contents(in folder: LocaleDataFolder?) throws(PriceTagError) -> LocaleDataEntry {
    let data = try data(in: folder)
    do throws(JSONError) {
      let value = try data.withUnsafeBytes { buffer in
        Result { () throws(JSONError) in try JSONReader.value(of: buffer.bindMemory(to: UInt8.self)) }
      }.get()
      guard case .object(let object) = value else {
        throw JSONError(line: 1, problem: "the file is no object")
      }
      return LocaleDataEntry(object: object, file: rawValue)
    } catch {
      throw PriceTagError(
        .invalidLocaleData,
        error.problem,
        fix: "write the file as LocaleData/README.md says",
        place: "\(rawValue), \(error.place())"
      )
    }
  }

  /// A number of the bytes of all files: FNV-1a, 64 bits. Another byte anywhere gives another number.
  static func fingerprint(in folder: LocaleDataFolder?) throws(PriceTagError) -> String {
    var fingerprint = Fingerprint()
    // What ends a file is no byte of UTF-8.
    for file in allCases { fingerprint.add(try file.data(in: folder) + [0xFF]) }
    return fingerprint.text
  }

  private func data(in folder: LocaleDataFolder?) throws(PriceTagError) -> Data {
    let replacement: Data? = if let folder { try folder.bytes(of: rawValue) } else { nil }
    return if let replacement { replacement } else { try embedded() }
  }

  private func embedded() throws(PriceTagError) -> Data {
    guard let bytes = embeddedBytes, let start = bytes.baseAddress else {
      throw PriceTagError(.invalidLocaleData, "\(rawValue) is not embedded", fix: "build the package again")
    }
    // The bytes are the binary's own: they stay where they are.
    return Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: start),
      count: bytes.count,
      deallocator: .none
    )
  }
}

/// An object of a locale data file, read field by field; every failure names file, line, entry and field.
struct LocaleDataEntry: Sendable {
  private let object: JSONObject
  private let file: String
  /// The fields that an entry is called by; none for the file itself.
  private let names: [String]

  init(object: JSONObject, file: String, names: [String] = []) {
    self.object = object
    self.file = file
    self.names = names
  }

  /// What the entry is called, such as `, entry "JPN"`.
  private var called: String {
    let values = names.compactMap { name in
      if case .string(let text)? = object[name] { quoted(text) } else { nil }
    }
    return values.isEmpty ? "" : ", entry \(values.joined(separator: " "))"
  }

  /// A failure of a field.
  func invalid(
    _ problem: String,
    _ field: String,
    fix: String = "correct the field as LocaleData/README.md says"
  ) -> PriceTagError {
    PriceTagError(
      .invalidLocaleData,
      problem,
      fix: fix,
      place: "\(file), line \(object.line)\(called), field \(printable(field))"
    )
  }

  /// Refuses a field of any other name: a misspelt one would silently do nothing.
  func allow(_ fields: [String]) throws(PriceTagError) {
    for member in object.members where !fields.contains(member.key) {
      throw invalid(
        "there is no field \(quoted(member.key))",
        member.key,
        fix: "remove it" + didYouMean(member.key, among: fields)
      )
    }
  }

  /// Refuses a source that the file does not list.
  func check(_ field: String, isAmong sources: [String: String]) throws(PriceTagError) {
    let source = try string(field)
    guard sources[source] != nil else {
      throw invalid("\(quoted(source)) is not among the sources", field)
    }
  }

  private func found(_ field: String) -> JSONValue? {
    if case .null? = object[field] { return nil }
    return object[field]
  }

  private func required<Value>(_ value: Value?, _ field: String) throws(PriceTagError) -> Value {
    guard let value else { throw invalid("the field is missing", field) }
    return value
  }

  func optionalString(_ field: String) throws(PriceTagError) -> String? {
    switch found(field) {
    case nil: return nil
    case .string(let text)?: return text
    case let other?: throw invalid("\(other.kind) stands where a string is expected", field)
    }
  }

  func string(_ field: String) throws(PriceTagError) -> String { try required(optionalString(field), field) }

  func optionalInteger(_ field: String, in range: ClosedRange<Int>) throws(PriceTagError) -> Int? {
    switch found(field) {
    case nil: return nil
    case .number(let text)?:
      guard let number = Int(text), range.contains(number) else {
        throw invalid(
          "\(printable(text)) is no whole number of \(range.lowerBound) to \(range.upperBound)",
          field
        )
      }
      return number
    case let other?: throw invalid("\(other.kind) stands where a number is expected", field)
    }
  }

  func integer(_ field: String, in range: ClosedRange<Int>) throws(PriceTagError) -> Int {
    try required(optionalInteger(field, in: range), field)
  }

  func optionalDate(_ field: String) throws(PriceTagError) -> CalendarDate? {
    guard let text = try optionalString(field) else { return nil }
    do throws(PriceTagError) { return try CalendarDate(text) } catch {
      throw invalid(error.problem, field, fix: error.fix)
    }
  }

  /// The strings of an array.
  func strings(_ field: String) throws(PriceTagError) -> [String] {
    var strings: [String] = []
    for value in try array(field) {
      guard case .string(let text) = value else {
        throw invalid("\(value.kind) stands where a string is expected", field)
      }
      strings.append(text)
    }
    return strings
  }

  /// The members of an object, all strings.
  func table(_ field: String) throws(PriceTagError) -> [String: String] {
    guard case .object(let object)? = found(field) else { throw invalid("an object is expected", field) }
    var table: [String: String] = [:]
    for member in object.members {
      guard case .string(let text) = member.value else {
        throw invalid("\(quoted(member.key)) is no string", field)
      }
      table[member.key] = text
    }
    return table
  }

  /// The objects of an array, each called by some of its own fields.
  func entries(_ field: String, calledBy names: String...) throws(PriceTagError) -> [LocaleDataEntry] {
    var entries: [LocaleDataEntry] = []
    for value in try array(field) {
      guard case .object(let object) = value else {
        throw invalid("\(value.kind) stands where an object is expected", field)
      }
      entries.append(LocaleDataEntry(object: object, file: file, names: names))
    }
    return entries
  }

  private func array(_ field: String) throws(PriceTagError) -> [JSONValue] {
    guard case .array(let values) = try required(found(field), field) else {
      throw invalid("an array is expected", field)
    }
    return values
  }
}
