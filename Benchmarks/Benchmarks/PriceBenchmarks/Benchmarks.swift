import Benchmark
import Foundation
import ICUPeer
import PriceTag

/// The price locales and currencies of the comparison: Latin and native digits, three groupings, with and without decimals.
let stores = [
  ("en-US", "USD"), ("de-DE", "EUR"), ("fr-FR", "EUR"), ("ja-JP", "JPY"), ("ar-EG", "EGP"), ("hi-IN", "INR"),
]

/// Returns a thousand random amounts, the same in every run: from 0.01 to 19,999.99, or up to 1,999,999 without decimals.
func amounts(digits: Int) -> [Amount] {
  var state: UInt64 = 7
  return (0..<1000).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (try? Amount(minorUnits: Int64(state >> 33) % 1_999_999 + 1, exponent: digits)) ?? .zero
  }
}

/// Returns a thousand random names of four to eleven letters, the same in every run.
func unknownNames() -> [String] {
  var state: UInt64 = 11
  return (0..<1000).map { number in
    let letters = (0..<4 + number % 8).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(ascii: "a") + UInt8((state >> 33) % 26)
    }
    return String(decoding: letters, as: UTF8.self)
  }
}

/// The functions that reject an unknown name, by the kind of name.
let rejections: [(kind: String, reject: @Sendable (String) -> PriceTagError?)] = [
  ("storefronts", { name in error { () throws(PriceTagError) in _ = try Storefront(name) } }),
  ("currencies", { name in error { () throws(PriceTagError) in _ = try Currency(name) } }),
  ("price locales", { name in error { () throws(PriceTagError) in _ = try PriceLocale(name) } }),
]

private func error(_ body: () throws(PriceTagError) -> Void) -> PriceTagError? {
  do throws(PriceTagError) { try body() } catch { return error }
  return nil
}

/// The libraries to compare. All of them format the same amounts in every iteration, so that ratios are valid even if the
/// speed of the machine changes.
enum Contender: String, CaseIterable {
  case priceTagBuffer = "PriceTag, buffer"
  case icuBuffer = "ICU4C, buffer"
  case priceTagString = "PriceTag, String"
  case numberFormatter = "NumberFormatter"
  case formatStyle = "Decimal.FormatStyle.Currency"

  /// Picoseconds per price.
  var metric: BenchmarkMetric { .custom(rawValue, polarity: .prefersSmaller, useScalingFactor: false) }
}

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: Contender.allCases.map(\.metric),
    warmupIterations: 20,
    maxDuration: .seconds(6),
    maxIterations: 1_000
  )

  for (locale, code) in stores {
    guard let currency = try? Currency(code), let priceLocale = try? PriceLocale(locale),
      let formatter = try? PriceFormatter(locale: priceLocale, currency: currency),
      let peer = icu_peer_open(locale.replacing("-", with: "_"), code)
    else { continue }
    let amounts = amounts(digits: formatter.display.digits)
    let texts = amounts.map { Array($0.description.utf8CString) }
    let decimals = amounts.compactMap { Decimal(string: $0.description) }
    let numbers = decimals.map { NSDecimalNumber(decimal: $0) }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: formatter.maximumUTF8Count)
    let foundation = NumberFormatter()
    foundation.numberStyle = .currency
    foundation.locale = Locale(identifier: locale)
    foundation.currencyCode = code
    let style = Decimal.FormatStyle.Currency(code: code, locale: Locale(identifier: locale))
    nonisolated(unsafe) let (peers, foundations, numberObjects) = (peer, foundation, numbers)

    Benchmark("\(locale) \(code)") { benchmark in
      func measure(_ contender: Contender, _ work: () throws -> Void) rethrows {
        let start = ContinuousClock.now
        try work()
        let passed = (ContinuousClock.now - start).components
        benchmark.measurement(contender.metric, Int(passed.attoseconds / 1_000_000 / Int64(amounts.count)))
      }
      var utf8 = [UInt8](repeating: 0, count: 256)
      try measure(.priceTagBuffer) {
        for amount in amounts { blackHole(try formatter.write(amount, into: buffer)) }
      }
      measure(.icuBuffer) {
        for text in texts { blackHole(icu_peer_format(peers, text, Int32(text.count - 1), &utf8, 256)) }
      }
      try measure(.priceTagString) { for amount in amounts { blackHole(try formatter.string(for: amount)) } }
      measure(.numberFormatter) {
        for number in numberObjects { blackHole(foundations.string(from: number)) }
      }
      measure(.formatStyle) { for decimal in decimals { blackHole(style.format(decimal)) } }
    }
  }

  Benchmark(
    "read a thousand amounts",
    configuration: .init(metrics: [.wallClock], timeUnits: .microseconds, maxIterations: 1_000)
  ) {
    benchmark in
    let texts = amounts(digits: 2).map(\.description)
    benchmark.startMeasurement()
    for text in texts { blackHole(try Amount(decimal: text)) }
    benchmark.stopMeasurement()
  }

  // The limit is 10 µs per name, so 10 ms in total.
  for (kind, reject) in rejections {
    Benchmark(
      "reject a thousand unknown \(kind)",
      configuration: .init(metrics: [.wallClock], timeUnits: .microseconds, maxIterations: 1_000)
    ) { benchmark in
      let names = unknownNames()
      benchmark.startMeasurement()
      for name in names { blackHole(reject(name)) }
      benchmark.stopMeasurement()
    }
  }

  Benchmark(
    "compile 175 formatters",
    configuration: .init(
      metrics: [.wallClock],
      timeUnits: .microseconds,
      maxDuration: .seconds(4),
      maxIterations: 200
    )
  ) { benchmark in
    let storefronts = LocaleData.embedded.storefronts
    benchmark.startMeasurement()
    for storefront in storefronts { blackHole(try PriceFormatter(storefront: storefront)) }
    benchmark.stopMeasurement()
  }

  benchmarkForms()
  benchmarkMessages()
  benchmarkCatalogs()

  // The path of the built command, from Scripts/bench/bench.
  if let command = ProcessInfo.processInfo.environment["PRICETAG_COMMAND"] {
    Benchmark(
      "pricetag format",
      configuration: .init(
        metrics: [.wallClock],
        timeUnits: .microseconds,
        warmupIterations: 10,
        maxDuration: .seconds(5),
        maxIterations: 200
      )
    ) { benchmark in
      for _ in benchmark.scaledIterations { try run(command, "format", "--storefront", "JPN", "1200") }
    }
  }
}

/// Runs a process to its end, and discards its output.
func run(_ command: String, _ arguments: String...) throws {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
  var words = ([command] + arguments).map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  // An empty environment, without the variables of the package manager.
  var environment: [UnsafeMutablePointer<CChar>?] = [nil]
  var process: pid_t = 0
  guard posix_spawn(&process, command, &actions, nil, &words, &environment) == 0 else {
    throw POSIXError(.ENOENT)
  }
  var status: Int32 = 0
  waitpid(process, &status, 0)
  guard status == 0 else { throw POSIXError(.EIO) }
}
