/// Marks negative amounts such as `-5` and `-$5.00`, so that ArgumentParser does not take them for options.
package enum NegativeAmount {
  private static let mark: Character = "\u{1}"

  package static func marked(_ argument: String) -> String {
    let second = argument.dropFirst().first
    let isNegative =
      argument.first == "-" && (second?.isNumber == true || second?.isCurrencySymbol == true || second == ".")
    return isNegative ? String(mark) + argument : argument
  }

  package static func unmarked(_ text: String) -> String {
    text.first == mark ? String(text.dropFirst()) : text
  }

  /// Returns a message without the marks.
  package static func unmarked(message: String) -> String { message.filter { $0 != mark } }
}
