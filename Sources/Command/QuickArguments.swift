import PriceTag
import PriceTagCommandLine

/// A command line of `format` or `version` that can be read without ArgumentParser.
///
/// ArgumentParser searches the binary for protocol conformances, which takes longer than formatting a price. This reader
/// accepts only command lines that ArgumentParser reads in the same way. For all others (help, unknown or repeated options,
/// missing or invalid values, `--`) it returns `nil`, so that only ArgumentParser writes messages.
enum QuickArguments: Equatable {
  case format(FormatRequest)
  case version(isJSON: Bool)

  /// Reads the arguments after the command's name, with negative amounts marked.
  init?(_ arguments: [String]) {
    switch arguments.first {
    case "format":
      guard let request = FormatRequest(quickly: arguments.dropFirst()) else { return nil }
      self = .format(request)
    case "version" where arguments.count == 1 || arguments.dropFirst() == ["--json"]:
      self = .version(isJSON: arguments.count > 1)
    default: return nil
    }
  }

  /// Runs the verb and returns the exit code.
  func run() throws -> Int32 {
    switch self {
    case .format(let request): return try request.run()
    case .version(let isJSON):
      VersionCommand.printVersions(asJSON: isJSON)
      return 0
    }
  }
}

extension FormatRequest {
  /// Reads the arguments after `format`. Returns `nil` if ArgumentParser has to read them.
  init?(quickly arguments: ArraySlice<String>) {
    self.init()
    var seen: Set<String> = []
    var rest = arguments
    while let argument = rest.popFirst() {
      guard let first = argument.utf8.first else { return nil }
      if first != UInt8(ascii: "-") {
        amounts.append(argument)
        continue
      }
      if argument == "--json" {
        if writesJSON { return nil }
        writesJSON = true
        continue
      }
      var name = argument
      var value: String?
      if let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) {
        name = String(argument[..<equals])
        let rest = argument[argument.utf8.index(after: equals)...]
        // ArgumentParser compares characters, and an equals sign with a combining mark is another character.
        guard let first = rest.utf8.first, first < 0x80 else { return nil }
        value = String(rest)
      }
      guard seen.insert(name).inserted,
        let value = value ?? rest.popFirst(), let start = value.utf8.first, start != UInt8(ascii: "-"),
        set(name, value)
      else { return nil }
    }
    guard !amounts.isEmpty, hasOrigin, conflict == nil, (try? style.checkConsistency()) != nil else {
      return nil
    }
  }

  /// Stores the value of an option. Returns false if the option is unknown or its value is invalid.
  private mutating func set(_ option: String, _ value: String) -> Bool {
    switch option {
    case "--storefront": storefront = value
    case "--locale": locale = value
    case "--currency": currency = value
    case "--locale-data": localeData = value
    case "--pack": pack = value
    case "--to": upperAmount = value
    case "--content": content = value
    case "--per": reference = value
    case "--language": language = value
    case "--installments":
      guard let count = Int(value) else { return false }
      installments = count
    case "--width": return Self.set(&style.width, value)
    case "--zeros": return Self.set(&style.zeros, value)
    case "--sign": return Self.set(&style.sign, value)
    case "--digits":
      guard let digits = try? PriceStyle.Digits(value) else { return false }
      style.digits = digits
    case "--rounding": return Self.set(&style.rounding, value)
    case "--grouping": return Self.set(&style.grouping, value)
    case "--numbering":
      guard let name = try? PriceStyle.numberingSystem(value) else { return false }
      style.numberingSystem = name
    case "--notation": return Self.set(&style.notation, value)
    case "--qualifier": return Self.set(&style.qualifier, value)
    case "--written-as":
      guard let form = try? PriceStyle.WrittenAs(value) else { return false }
      style.writtenAs = form
    case "--at":
      guard let given = value == "today" ? LocaleDataOptions.today : try? StoreDay(value) else {
        return false
      }
      day = given
    default: return false
    }
    return true
  }

  /// Stores the value whose raw value is a text. Returns false if no value has it.
  private static func set<Value: RawRepresentable<String>>(_ stored: inout Value, _ text: String) -> Bool {
    guard let value = Value(rawValue: text) else { return false }
    stored = value
    return true
  }
}
