/// A name as spelling mistakes are looked for in it: without case, and at most 64 letters long.
struct Spelling: Sendable {
  /// One byte for each letter: ASCII in lower case, any other letter as a control character.
  let letters: [UInt8]
  /// Which letters occur, a bit for each of 64 classes.
  let letterSet: UInt64

  /// A machine word has a bit for each letter of a name; a longer name is not misspelled.
  static let maximumCount = 64

  /// The spelling of a name; `nil` for one that is empty or too long to be a misspelled one.
  init?(_ name: some StringProtocol) {
    var letters: [UInt8] = []
    letters.reserveCapacity(16)
    var letterSet: UInt64 = 0
    for scalar in name.unicodeScalars {
      guard letters.count < Self.maximumCount else { return nil }
      let letter = Self.letter(scalar)
      letters.append(letter)
      letterSet |= 1 << UInt64(letter & 63)
    }
    guard !letters.isEmpty else { return nil }
    (self.letters, self.letterSet) = (letters, letterSet)
  }

  /// The byte of a letter. Case does not matter, and `_` stands for `-`.
  static func letter(_ scalar: Unicode.Scalar) -> UInt8 {
    switch scalar.value {
    case 0x41...0x5A: UInt8(scalar.value) | 0x20
    case 0x5F: UInt8(ascii: "-")
    case 0..<0x80: UInt8(scalar.value)
    default: UInt8(1 + scalar.value % 31)
    }
  }

  /// How many mistakes are likely in a name of a length: one in three letters.
  static func mistakes(in count: Int) -> Int { count / 3 }
}

/// Counts the mistakes between one name and many others: letters that are missing, extra, replaced, or swapped with
/// their neighbor (the restricted Damerau–Levenshtein distance).
///
/// The table's rows are bits of one word (Hyyrö, 2003), so each letter of another name costs a dozen instructions.
struct SpellingComparison {
  private let spelling: Spelling
  /// For each letter, the places where the name has it.
  private let places: [UInt64]

  init(_ spelling: Spelling) {
    self.spelling = spelling
    places = [UInt64](unsafeUninitializedCapacity: 128) { places, count in
      places.initialize(repeating: 0)
      for (place, letter) in spelling.letters.enumerated() { places[Int(letter)] |= 1 << UInt64(place) }
      count = 128
    }
  }

  /// The number of mistakes; more than `limit` where there are more.
  func mistakes(in letters: some Sequence<UInt8>, count: Int, limit: Int) -> Int {
    let length = spelling.letters.count
    if abs(count - length) > limit { return limit + 1 }
    let last: UInt64 = 1 << UInt64(length - 1)
    var (higher, lower): (UInt64, UInt64) = (.max, 0)
    var (equal, equalBefore): (UInt64, UInt64) = (0, 0)
    var distance = length
    var remaining = count
    for letter in letters {
      let here = places[Int(letter & 0x7F)]
      let swapped = ((~equal & here) << 1) & equalBefore
      equal = (((here & higher) &+ higher) ^ higher) | here | lower | swapped
      var up = lower | ~(equal | higher)
      let down = equal & higher
      if up & last != 0 { distance += 1 }
      if down & last != 0 { distance -= 1 }
      remaining -= 1
      // Each letter that follows takes back one mistake at most.
      if distance - remaining > limit { return limit + 1 }
      up = up << 1 | 1
      higher = down << 1 | ~(equal | up)
      lower = up & equal
      equalBefore = here
    }
    return distance
  }

  /// Whether a name of the same length differs in one letter, which is replaced by another.
  func isReplaced(in letters: some Sequence<UInt8>) -> Bool {
    zip(spelling.letters, letters).count { $0 != $1 } == 1
  }
}

/// Names that are searched for the closest one to a misspelled name, in about a microsecond.
///
/// Only names of a similar length are looked at, and of those the few that have nearly the same letters.
struct SpellingIndex: Sendable {
  private struct Entry {
    let letterSet: UInt64
    /// Where its letters start.
    let start: Int
    let name: Int
  }

  private let letters: [UInt8]
  /// By the length of their names.
  private let entries: [Entry]
  /// Where the entries of each length start, and where the last of them end.
  private let starts: [Int]

  /// More mistakes are not made in a name that somebody means.
  private static let maximumMistakes = 3

  /// An index of names; what is too long to be compared is left out.
  init(_ names: some Sequence<String>) {
    var byLength = [[(name: Int, spelling: Spelling)]](repeating: [], count: Spelling.maximumCount + 1)
    for (name, text) in names.enumerated() {
      if let spelling = Spelling(text) { byLength[spelling.letters.count].append((name, spelling)) }
    }
    var letters: [UInt8] = []
    var entries: [Entry] = []
    var starts: [Int] = []
    for group in byLength {
      starts.append(entries.count)
      for (name, spelling) in group {
        entries.append(Entry(letterSet: spelling.letterSet, start: letters.count, name: name))
        letters += spelling.letters
      }
    }
    starts.append(entries.count)
    (self.letters, self.entries, self.starts) = (letters, entries, starts)
  }

  /// The place of the name that is closest: with mistakes in at most a third of its letters; of two that are as close,
  /// the one with the same first letter, and then the first one.
  ///
  /// - Parameters:
  ///   - spelling: What was written.
  ///   - limit: The most mistakes.
  ///   - acceptsReplaced: Whether a name may be meant that differs by one replaced letter only.
  func closest(
    to spelling: Spelling,
    limit: Int = maximumMistakes,
    acceptsReplaced: (Int) -> Bool = { _ in true }
  ) -> Int? {
    let comparison = SpellingComparison(spelling)
    let count = spelling.letters.count
    let limit = min(limit, Self.maximumMistakes)
    var best: (rank: Int, name: Int)?
    for length in max(1, count - limit)...min(count + limit, Spelling.maximumCount) {
      let allowed = min(limit, Spelling.mistakes(in: max(length, count)))
      guard abs(length - count) <= allowed else { continue }
      for entry in entries[starts[length]..<starts[length + 1]] {
        // A mistake takes one letter away, and brings one.
        guard (entry.letterSet ^ spelling.letterSet).nonzeroBitCount <= 2 * allowed else { continue }
        let candidate = letters[entry.start..<entry.start + length]
        let mistakes = comparison.mistakes(in: candidate, count: length, limit: allowed)
        guard mistakes <= allowed else { continue }
        let rank = 2 * mistakes - (candidate.first == spelling.letters.first ? 1 : 0)
        if let best, (best.rank, best.name) < (rank, entry.name) { continue }
        if mistakes == 1, length == count, comparison.isReplaced(in: candidate), !acceptsReplaced(entry.name)
        {
          continue
        }
        best = (rank, entry.name)
      }
    }
    return best?.name
  }
}

/// The end of a fix: ` (did you mean USA?)` with the candidate that is closest to what somebody wrote, or nothing.
///
/// A candidate is close where at most a third of its letters are missing, extra, replaced or swapped.
package func didYouMean(_ value: String, among candidates: some Sequence<String>) -> String {
  guard let spelling = Spelling(value) else { return "" }
  let comparison = SpellingComparison(spelling)
  var best: (rank: Int, candidate: String)?
  for candidate in candidates {
    // Most are ASCII and of another length: those are not read at all.
    let most = candidate.utf8.count
    guard most <= 4 * Spelling.maximumCount,
      spelling.letters.count - most <= Spelling.mistakes(in: spelling.letters.count),
      let other = Spelling(candidate)
    else { continue }
    let limit = Spelling.mistakes(in: max(other.letters.count, spelling.letters.count))
    guard (other.letterSet ^ spelling.letterSet).nonzeroBitCount <= 2 * limit else { continue }
    let mistakes = comparison.mistakes(in: other.letters, count: other.letters.count, limit: limit)
    let rank = 2 * mistakes - (other.letters.first == spelling.letters.first ? 1 : 0)
    if mistakes <= limit, rank < best?.rank ?? .max { best = (rank, candidate) }
  }
  return didYouMean(best?.candidate)
}

/// The end of a fix: ` (did you mean USA?)`, or nothing where nothing is close.
package func didYouMean(_ meant: String?) -> String { meant.map { " (did you mean \($0)?)" } ?? "" }
