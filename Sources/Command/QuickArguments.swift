import PriceTag
import PriceTagCommandLine

/// A command line of `format` or `version` that can be read without ArgumentParser.
///
/// ArgumentParser searches the binary for protocol conformances, which takes longer than formatting a price. This reader
/// accepts only command lines that ArgumentParser reads in the same way. For all others (help, unknown or repeated options,
/// missing or invalid values, `--`) it returns `nil`, so that only ArgumentParser writes messages.
enum QuickArguments: Equatable {
  case format(FormatRequest)
  case version(VersionRequest)

  /// Reads the arguments after the command's name, with negative amounts marked.
  init?(_ arguments: [String]) {
    guard let verb = arguments.first else { return nil }
    switch verb {
    case "format":
      guard let request = FormatRequest(quickly: arguments.dropFirst()) else { return nil }
      self = .format(request)
    case "version":
      switch arguments.count {
      case 1: self = .version(VersionRequest())
      case 2 where arguments[1] == "--json": self = .version(VersionRequest(writesJSON: true))
      default: return nil
      }
    default: return nil
    }
  }

  /// Runs the verb and returns the exit code.
  func run() throws(PriceTagError) -> Int32 {
    switch self {
    case .format(let request): return try request.run()
    case .version(let request):
      request.run()
      return 0
    }
  }
}

extension FormatRequest {
  private enum Option: String {
    case storefront = "--storefront"
    case locale = "--locale"
    case currency = "--currency"
    case width = "--width"
    case zeros = "--zeros"
    case sign = "--sign"
    case digits = "--digits"
    case rounding = "--rounding"
    case grouping = "--grouping"
    case numbering = "--numbering"
    case notation = "--notation"
    case qualifier = "--qualifier"
    case writtenAs = "--written-as"
    case to = "--to"
    case content = "--content"
    case per = "--per"
    case installments = "--installments"
    case language = "--language"
    case localeData = "--locale-data"
    case pack = "--pack"
    case at = "--at"

    /// The bit that marks the option as used, to detect a repeated option.
    var bit: UInt32 {
      switch self {
      case .storefront: 1
      case .locale: 2
      case .currency: 4
      case .width: 8
      case .zeros: 16
      case .sign: 32
      case .digits: 64
      case .rounding: 128
      case .localeData: 256
      case .at: 512
      case .grouping: 1024
      case .numbering: 2048
      case .to: 4096
      case .notation: 8192
      case .qualifier: 16384
      case .content: 32768
      case .per: 65536
      case .installments: 131_072
      case .language: 262_144
      case .pack: 524_288
      case .writtenAs: 1_048_576
      }
    }
  }

  /// Reads the arguments after `format`. Returns `nil` if ArgumentParser has to read them.
  init?(quickly arguments: ArraySlice<String>) {
    self.init()
    var seen: UInt32 = 0
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
      guard let option = Option(rawValue: name), seen & option.bit == 0,
        let value = value ?? rest.popFirst(), let start = value.utf8.first, start != UInt8(ascii: "-"),
        set(option, value)
      else { return nil }
      seen |= option.bit
    }
    guard !amounts.isEmpty, hasOrigin, conflict == nil, (try? style.checkConsistency()) != nil else {
      return nil
    }
  }

  /// Stores the value of an option. Returns false if it is invalid.
  private mutating func set(_ option: Option, _ value: String) -> Bool {
    switch option {
    case .storefront: storefront = value
    case .locale: locale = value
    case .currency: currency = value
    case .localeData: localeData = value
    case .pack: pack = value
    case .to: upperAmount = value
    case .content: content = value
    case .per: reference = value
    case .language: language = value
    case .installments:
      guard let count = Int(value) else { return false }
      installments = count
    case .width:
      guard let width = PriceStyle.Width(rawValue: value) else { return false }
      style.width = width
    case .zeros:
      guard let zeros = PriceStyle.Zeros(rawValue: value) else { return false }
      style.zeros = zeros
    case .sign:
      guard let sign = PriceStyle.Sign(rawValue: value) else { return false }
      style.sign = sign
    case .digits:
      guard let digits = try? PriceStyle.Digits(value) else { return false }
      style.digits = digits
    case .rounding:
      guard let rounding = RoundingMode(rawValue: value) else { return false }
      style.rounding = rounding
    case .grouping:
      guard let grouping = PriceStyle.Grouping(rawValue: value) else { return false }
      style.grouping = grouping
    case .numbering:
      guard let name = try? PriceStyle.numberingSystem(value) else { return false }
      style.numberingSystem = name
    case .notation:
      guard let notation = PriceStyle.Notation(rawValue: value) else { return false }
      style.notation = notation
    case .qualifier:
      guard let qualifier = PriceStyle.Qualifier(rawValue: value) else { return false }
      style.qualifier = qualifier
    case .writtenAs:
      guard let form = try? PriceStyle.WrittenAs(value) else { return false }
      style.writtenAs = form
    case .at:
      guard let day = value == "today" ? .today : try? CalendarDate(value) else { return false }
      date = day
    }
    return true
  }
}
