extension StringProtocol {
  /// The text without leading and trailing white space.
  var trimmingSpace: SubSequence {
    let start = drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
    return start[...last]
  }
}
