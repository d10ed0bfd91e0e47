import Foundation
import ICUFormatter
import PriceTag
import Synchronization

/// The extent of the comparison.
package enum ProofShare: String, CaseIterable, Sendable {
  /// A selection of locales with a share of the currencies, and every storefront.
  case quick
  /// Every locale with a share of the currencies.
  case usual
  /// Every locale with every currency.
  case full
}

/// Runs the checks of a program, to the extent that the command line names.
package struct Proof: Sendable {
  package let share: ProofShare
  package var isFull: Bool { share == .full }

  /// The locales that ICU lists, the locales of storefronts, and some valid locales without data of their own.
  package static let allLocales: [String] = {
    let listed = (0..<icu_reference_locale_count()).compactMap { index in
      icu_reference_locale_at(index).map { String(cString: $0).replacing("_", with: "-") }
    }
    let storefrontLocales = LocaleData.embedded.storefronts.map(\.priceLocale.identifier)
    let others = ["zh-CN", "zh-TW", "zh-HK", "sr-RS", "sr-ME", "en-KW", "en-JP", "iw-IL", "pa-PK"]
    return Set(listed + storefrontLocales + others).sorted()
  }()

  /// Locales with different digits, separators, group sizes, plural forms and directions.
  package static let variedLocales = [
    "ar-EG", "bn-BD", "de-AT", "de-CH", "de-DE", "ee-GH", "en-AT", "en-IN", "en-US", "es-ES", "es-MX",
    "fa-IR",
    "fr-CA", "fr-CH", "fr-FR", "he-IL", "hi-IN", "it-IT", "ja-JP", "ko-KR", "lt-LT", "my-MM", "ne-NP",
    "pl-PL",
    "pt-BR", "pt-CV", "ru-RU", "th-TH", "tr-TR", "zh-CN",
  ]

  package static let currencies = LocaleData.embedded.currencies.filter { $0.lastDay == nil }

  /// The locales to compare.
  package var locales: [String] { share == .quick ? Self.variedLocales : Self.allLocales }

  /// A check with its name.
  package typealias Check = (name: String, check: @Sendable (Proof) async throws -> Void)

  private static let failures = Mutex<[String]>([])

  /// Records a failure if a condition is false. The program then exits with 1.
  package static func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    let message = message()
    print("FAILED: \(message)")
    failures.withLock { $0.append(message) }
  }

  /// Runs checks one after another, each on all cores, and exits with 1 if one fails.
  ///
  /// The first argument of the command line is the share, and the others are the checks to run (default: all).
  package static func run(_ checks: [Check]) async -> Never {
    let arguments = CommandLine.arguments.dropFirst()
    let names = arguments.dropFirst()
    let unknown = names.filter { name in !checks.contains { $0.name == name } }
    guard let share = ProofShare(rawValue: arguments.first ?? ProofShare.usual.rawValue), unknown.isEmpty
    else {
      let shares = ProofShare.allCases.map(\.rawValue).joined(separator: " | ")
      print("usage: \(CommandLine.arguments.first ?? "") \(shares) [check …]\nchecks:")
      for check in checks { print("  \(check.name)") }
      exit(2)
    }
    var version = [CChar](repeating: 0, count: 20)
    icu_reference_version(&version)
    let icu = String(decoding: version.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    print("ICU \(icu), \(allLocales.count) locales, \(currencies.count) currencies")
    expect(
      icu == Versions.current.icu,
      "PriceTag runs with ICU \(Versions.current.icu), the reference with \(icu)"
    )
    for (name, check) in checks where names.isEmpty || names.contains(name) {
      let start = ContinuousClock.now
      do { try await check(Proof(share: share)) } catch { expect(false, "\(name): \(error)") }
      let time = (ContinuousClock.now - start).formatted(
        .units(allowed: [.seconds], fractionalPart: .show(length: 1))
      )
      print("  \(name): \(time)")
      fflush(nil)
    }
    let count = failures.withLock { $0.count }
    print(count == 0 ? "The proof holds (\(share.rawValue))." : "\(count) checks of the proof failed.")
    exit(count == 0 ? 0 : 1)
  }

  /// Runs work for all locales in parallel, and returns all results.
  package func collect<Found: Sendable>(
    _ locales: [String],
    _ work: @escaping @Sendable (String, Int) throws -> Found
  ) async throws -> [Found] {
    let lanes = max(1, ProcessInfo.processInfo.activeProcessorCount)
    return try await withThrowingTaskGroup(of: [Found].self) { group in
      for lane in 0..<lanes {
        group.addTask {
          try locales.indices.filter { $0 % lanes == lane }.map { try work(locales[$0], $0) }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }
}

/// Returns an optional's value, or throws an error with a message.
package func require<Value>(_ value: Value?, _ message: String) throws -> Value {
  guard let value else { throw Missing(description: message) }
  return value
}

private struct Missing: Error, CustomStringConvertible {
  let description: String
}

/// The results of a comparison.
package struct Findings: Sendable, CustomStringConvertible {
  package var comparisons = 0
  package var formatters = 0
  /// What `formatters` and `compiled` count.
  package let counted: String
  package var compiled = 0
  /// The number of full-name formatters for which ICU writes the currency twice.
  package var departures = 0
  /// The numbers of other intended differences, by what they are.
  package var notes: [String: Int] = [:]
  package var mismatches: [String] = []

  package init(counted: String = "formatters") { self.counted = counted }

  package mutating func add(_ other: Findings) {
    comparisons += other.comparisons
    formatters += other.formatters
    compiled += other.compiled
    departures += other.departures
    notes.merge(other.notes, uniquingKeysWith: +)
    mismatches += other.mismatches
  }

  package var description: String {
    let share = formatters == 0 ? 0 : compiled * 100_000 / formatters
    let notes = notes.sorted { $0.key < $1.key }.map { "; \($0.key): \($0.value)" }.joined()
    return
      "\(comparisons) comparisons, \(mismatches.count) mismatches; \(compiled) of \(formatters) \(counted) compiled (\(share / 1000).\(String(share % 1000 + 1000).dropFirst()) %); ICU repeats the currency in \(departures)\(notes)"
  }
}
