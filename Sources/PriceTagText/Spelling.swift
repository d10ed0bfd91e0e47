/// A name prepared for the search for spelling mistakes: without case, and at most 64 letters long.
package struct Spelling: Sendable {
  /// One byte for each letter: ASCII in lower case, any other letter as a control character.
  package let letters: [UInt8]
  /// The letters that occur, as one bit for each of 64 classes.
  let letterSet: UInt64

  /// A machine word has one bit for each letter of a name. Longer names get no suggestion.
  package static let maximumCount = 64

  /// Creates the spelling of a name; returns `nil` if the name is empty or longer than `maximumCount`.
  package init?(_ name: String) {
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

  /// Returns the byte of a letter. Case is ignored, and `_` is the same as `-`.
  static func letter(_ scalar: Unicode.Scalar) -> UInt8 {
    switch scalar.value {
    case 0x41...0x5A: UInt8(scalar.value) | 0x20
    case 0x5F: UInt8(ascii: "-")
    case 0..<0x80: UInt8(scalar.value)
    default: UInt8(1 + scalar.value % 31)
    }
  }

  /// Returns the number of mistakes to tolerate in a name of a length: one in three letters.
  static func mistakes(in count: Int) -> Int { count / 3 }
}

/// Counts the mistakes between one name and many others: letters that are missing, extra, replaced, or swapped with
/// their neighbor (the restricted Damerau–Levenshtein distance).
///
/// The rows of the table are the bits of one word (Hyyrö, 2003), so each letter of another name costs a dozen
/// instructions.
struct SpellingComparison {
  private let spelling: Spelling
  /// The places of each letter in the name, as bits.
  private let places: [UInt64]

  init(_ spelling: Spelling) {
    self.spelling = spelling
    places = [UInt64](unsafeUninitializedCapacity: 128) { places, count in
      places.initialize(repeating: 0)
      for (place, letter) in spelling.letters.enumerated() { places[Int(letter)] |= 1 << UInt64(place) }
      count = 128
    }
  }

  /// Returns the number of mistakes, or a number above `limit` if there are more than that.
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
      // Each remaining letter reduces the distance by one at most.
      if distance - remaining > limit { return limit + 1 }
      up = up << 1 | 1
      higher = down << 1 | ~(equal | up)
      lower = up & equal
      equalBefore = here
    }
    return distance
  }

  /// Returns whether a name of the same length differs in exactly one replaced letter.
  func isReplaced(in letters: some Sequence<UInt8>) -> Bool {
    zip(spelling.letters, letters).count { $0 != $1 } == 1
  }
}

/// Finds the closest match for a misspelled name among many names, in about a microsecond.
///
/// The search compares only names of a similar length that have nearly the same letters.
package struct SpellingIndex: Sendable {
  private struct Entry {
    let letterSet: UInt64
    /// The position of the first letter in `letters`.
    let start: Int
    let name: Int
  }

  private let letters: [UInt8]
  /// The entries, ordered by the length of their names.
  private let entries: [Entry]
  /// The position in `entries` at which the names of each length start, and at the end the number of entries.
  private let starts: [Int]

  /// A name with more mistakes than this is a different name.
  package static let maximumMistakes = 3

  /// Creates an index of names. Names that are too long for a comparison are omitted.
  package init(_ names: some Sequence<String>) {
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

  /// Returns the index of the closest match, with mistakes in at most a third of its letters.
  ///
  /// Of two names that are equally close, the one with the same first letter wins, then the first one.
  ///
  /// - Parameters:
  ///   - spelling: The misspelled name.
  ///   - limit: The maximum number of mistakes.
  ///   - acceptsReplaced: Returns whether a name may match that differs in one replaced letter only.
  package func closest(
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
        // One mistake removes at most one letter from the set and adds at most one.
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

/// Returns the candidate that is closest to a misspelled value; `nil` if none is close.
///
/// A candidate is close if at most a third of its letters are missing, extra, replaced or swapped.
package func closestMatch(to value: String, among candidates: some Sequence<String>) -> String? {
  guard let spelling = Spelling(value) else { return nil }
  let comparison = SpellingComparison(spelling)
  var best: (rank: Int, candidate: String)?
  for candidate in candidates {
    // Most candidates are ASCII and of another length. The search skips them without reading them.
    let maximumLetterCount = candidate.utf8.count
    guard maximumLetterCount <= 4 * Spelling.maximumCount,
      spelling.letters.count - maximumLetterCount <= Spelling.mistakes(in: spelling.letters.count),
      let other = Spelling(candidate)
    else { continue }
    let limit = Spelling.mistakes(in: max(other.letters.count, spelling.letters.count))
    guard (other.letterSet ^ spelling.letterSet).nonzeroBitCount <= 2 * limit else { continue }
    let mistakes = comparison.mistakes(in: other.letters, count: other.letters.count, limit: limit)
    let rank = 2 * mistakes - (other.letters.first == spelling.letters.first ? 1 : 0)
    if mistakes <= limit, rank < best?.rank ?? .max { best = (rank, candidate) }
  }
  return best?.candidate
}

/// Returns ` (did you mean "title"?)` with the closest match, to be appended to a fix; empty if no candidate is close.
package func didYouMean(_ value: String, among candidates: some Sequence<String>) -> String {
  closestMatch(to: value, among: candidates).map { " (did you mean \(quoted($0))?)" } ?? ""
}

/// Returns the fix for an unknown value: `did you mean "USA"?`, or another fix if there is no suggestion.
package func didYouMean(_ suggestion: String?, otherwise fix: @autoclosure () -> String) -> String {
  suggestion.map { "did you mean \(quotedCodes($0))?" } ?? fix()
}

/// Returns the fix for a value that is not one of several names: the closest name, or all names if no name is close.
package func didYouMean(_ value: String, orOneOf names: [String]) -> String {
  didYouMean(closestMatch(to: value, among: names), otherwise: "use one of \(names.joined(separator: ", "))")
}

/// Returns a suggestion with its values in quotation marks: `"USD"`, `"JPY" or "CNY"`, `"USD", or another dollar`.
private func quotedCodes(_ suggestion: String) -> String {
  guard suggestion.utf8.contains(UInt8(ascii: " ")) else { return "\"\(suggestion)\"" }
  return suggestion.split(separator: " ").map { word in
    let code = word.prefix { $0.isUppercase }
    return code.isEmpty ? String(word) : "\"\(code)\"\(word.dropFirst(code.count))"
  }.joined(separator: " ")
}
