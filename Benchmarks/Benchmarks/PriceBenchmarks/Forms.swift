import Benchmark
import Foundation
import ICUPeer
import PriceTag

/// Prices in compact notation, approximate prices, unit prices and ranges. Both libraries write the same bytes.
///
/// ICU has no formatter for unit prices. Its peer puts the price into a pattern such as `{0}/kg`, which is parsed once.
enum Form: String, CaseIterable {
  case compact = "compact"
  case approximate = "approximate"
  case unitPrice = "unit price"
  case range = "range"

  /// Picoseconds per price, for each library.
  var metrics: (priceTag: BenchmarkMetric, icu: BenchmarkMetric) {
    (metric("PriceTag, \(rawValue)"), metric("ICU4C, \(rawValue)"))
  }

  private func metric(_ name: String) -> BenchmarkMetric {
    .custom(name, polarity: .prefersSmaller, useScalingFactor: false)
  }
}

/// A form with the two functions that write it: the text of the amount at an index as UTF-8. They return the length.
private struct FormContenders {
  let form: Form
  let priceTag: (Int) -> Int
  let icu: (Int) -> Int
}

private let capacity = 1024

/// Benchmarks the forms in a locale. PriceTag writes into a buffer, except for ranges, which it returns as a `String`. ICU4C
/// writes into a buffer, with a formatter and a result that are reused.
func benchmarkForms() {
  for (locale, code) in stores {
    let own = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
    let peers = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
    guard let contenders = try? formContenders(locale, code, own, peers) else { continue }
    for contender in contenders {
      let differences = (0..<1000).filter { index in
        let (count, peerCount) = (contender.priceTag(index), contender.icu(index))
        return count < 0 || peerCount < 0 || !own[..<count].elementsEqual(peers[..<peerCount])
      }
      guard differences.isEmpty else {
        FileHandle.standardError.write(
          Data(
            "\(locale) \(contender.form.rawValue): the texts of \(differences.count) amounts differ\n".utf8
          )
        )
        exit(1)
      }
    }
    nonisolated(unsafe) let measured = contenders
    Benchmark(
      "forms \(locale) \(code)",
      configuration: .init(
        metrics: Form.allCases.flatMap { [$0.metrics.priceTag, $0.metrics.icu] },
        warmupIterations: 20,
        maxDuration: .seconds(6),
        maxIterations: 1_000
      )
    ) { benchmark in
      func measure(_ metric: BenchmarkMetric, _ write: (Int) -> Int) {
        let start = ContinuousClock.now
        for index in 0..<1000 { blackHole(write(index)) }
        let passed = (ContinuousClock.now - start).components
        benchmark.measurement(metric, Int(passed.attoseconds / 1_000_000 / 1000))
      }
      for contender in measured {
        measure(contender.form.metrics.priceTag, contender.priceTag)
        measure(contender.form.metrics.icu, contender.icu)
      }
    }
  }
}

/// Returns the functions that write the forms of prices into two buffers.
private func formContenders(
  _ locale: String,
  _ code: String,
  _ own: UnsafeMutableBufferPointer<UInt8>,
  _ peers: UnsafeMutableBufferPointer<UInt8>
) throws -> [FormContenders] {
  let (icuLocale, currency) = (locale.replacing("-", with: "_"), try Currency(code))
  func formatter(_ style: PriceStyle = PriceStyle()) throws -> PriceFormatter {
    try PriceFormatter(locale: PriceLocale(locale), currency: currency, style: style)
  }
  let plain = try formatter()
  let amounts = amounts(digits: plain.display.digits)
  let texts = amounts.map { Array($0.description.utf8CString) }
  func writer(_ formatter: PriceFormatter) -> (Int) -> Int {
    { index in (try? formatter.write(amounts[index], into: own)) ?? -1 }
  }
  func peer(_ skeleton: String, pattern: String? = nil) throws -> (Int) -> Int {
    guard let peer = icu_form_peer_open(icuLocale, skeleton, pattern) else { throw POSIXError(.EINVAL) }
    return { index in
      let text = texts[index]
      return Int(icu_form_peer_format(peer, text, Int32(text.count - 1), peers.baseAddress, Int32(capacity)))
    }
  }
  func rangePeer(isApproximate: Bool, _ high: @escaping (Int) -> Int) throws -> (Int) -> Int {
    guard let peer = icu_range_peer_open(icuLocale, "currency/\(code)", isApproximate) else {
      throw POSIXError(.EINVAL)
    }
    return { index in
      let (low, high) = (texts[index], texts[high(index)])
      return Int(
        icu_range_peer_format(
          peer,
          low,
          Int32(low.count - 1),
          high,
          Int32(high.count - 1),
          peers.baseAddress,
          Int32(capacity)
        )
      )
    }
  }
  let perKilogram = try plain.unitPrices(per: .kilogram)
  let sample = try plain.string(for: 5)
  let pattern = try perKilogram.string(for: 5).replacing(sample, with: "{0}")
  // The bounds are an amount and the smallest one above it; the highest amount is not a lower bound.
  let order = amounts.indices.sorted { amounts[$0] < amounts[$1] }
  var next = Array(amounts.indices)
  for (index, following) in zip(order, order.dropFirst()) { next[index] = following }
  let upper = next
  return [
    FormContenders(
      form: .compact,
      priceTag: writer(try formatter(PriceStyle(rounding: .halfEven, notation: .compactShort))),
      icu: try peer("currency/\(code) compact-short")
    ),
    FormContenders(
      form: .approximate,
      priceTag: writer(try formatter(PriceStyle(qualifier: .approximately))),
      icu: try rangePeer(isApproximate: true) { $0 }
    ),
    FormContenders(
      form: .unitPrice,
      priceTag: writer(perKilogram),
      icu: try peer("currency/\(code)", pattern: pattern)
    ),
    FormContenders(
      form: .range,
      priceTag: { index in
        guard var text = try? plain.string(from: amounts[index], to: amounts[upper[index]]) else {
          return -1
        }
        return text.withUTF8 { own.update(fromContentsOf: $0) }
      },
      icu: try rangePeer(isApproximate: false) { upper[$0] }
    ),
  ]
}
