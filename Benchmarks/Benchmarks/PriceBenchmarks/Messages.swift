import Benchmark
import ICUPeer
import PriceTag
import PriceTagStrings

/// A message with a plural and a price, in languages of two, four and six plural forms.
let messages = [
  ("en-US", "{count, plural, one {# car for {price}} other {# cars for {price}}}"),
  (
    "ru",
    "{count, plural, one {# машина за {price}} few {# машины за {price}} many {# машин за {price}} other {# машины за {price}}}"
  ),
  (
    "ar",
    "{count, plural, zero {# سيارة مقابل {price}} one {سيارة مقابل {price}} two {سيارتان مقابل {price}} few {# سيارات مقابل {price}} many {# سيارة مقابل {price}} other {# سيارة مقابل {price}}}"
  ),
]

/// The libraries to compare, for counts of 1 to 1,000. PriceTag returns a `String`, ICU4C writes UTF-8 to a buffer. Each
/// creates new arguments for every message, or ("again") replaces the count in existing arguments.
enum MessageContender: String, CaseIterable {
  case priceTag = "PriceTag, message"
  case icu = "ICU4C, message"
  case priceTagAgain = "PriceTag, message again"
  case icuAgain = "ICU4C, message again"

  /// Picoseconds per message.
  var metric: BenchmarkMetric { .custom(rawValue, polarity: .prefersSmaller, useScalingFactor: false) }
}

func benchmarkMessages() {
  for (tag, text) in messages {
    guard let language = try? UILanguage(tag), let message = try? Message(text, language: language),
      let price = try? PriceFormatter(storefront: Storefront("USA")).format("4.99"),
      let peer = icu_message_peer_open(tag.replacing("-", with: "_"), text, price.text)
    else { continue }
    nonisolated(unsafe) let icu = peer
    Benchmark(
      "message \(tag)",
      configuration: .init(
        metrics: MessageContender.allCases.map(\.metric),
        warmupIterations: 20,
        maxDuration: .seconds(4),
        maxIterations: 1_000
      )
    ) { benchmark in
      func measure(_ contender: MessageContender, _ work: () throws -> Void) rethrows {
        let start = ContinuousClock.now
        try work()
        let passed = (ContinuousClock.now - start).components
        benchmark.measurement(contender.metric, Int(passed.attoseconds / 1_000_000 / 1_000))
      }
      var utf8 = [UInt8](repeating: 0, count: 512)
      try measure(.priceTag) {
        for count in 1...1_000 {
          blackHole(try message.string(["count": .count(of: count), "price": .price(price)]))
        }
      }
      measure(.icu) {
        for count in 1...1_000 { blackHole(icu_message_peer_format(icu, Int64(count), &utf8, 512)) }
      }
      var arguments: MessageArguments = ["count": .count(0), "price": .price(price)]
      try measure(.priceTagAgain) {
        for count in 1...1_000 {
          arguments["count"] = .count(of: count)
          blackHole(try message.string(arguments))
        }
      }
      measure(.icuAgain) {
        for count in 1...1_000 { blackHole(icu_message_peer_format_again(icu, Int64(count), &utf8, 512)) }
      }
    }
  }
}
