import PriceTagCatalog

extension StringProtocol {
  /// The text without space around it.
  var trimmingSpace: SubSequence {
    let start = drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
    return start[...last]
  }
}
