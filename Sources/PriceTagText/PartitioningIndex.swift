extension RandomAccessCollection {
  /// Returns the first index whose element satisfies a condition that holds for all elements after it, and for none before
  /// it; the end if no element satisfies it.
  ///
  ///     [1, 3, 5].partitioningIndex { $0 >= 3 }   // 1
  @inlinable
  package func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Index {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
      if isInSecondPart(self[middle]) { high = middle } else { low = index(after: middle) }
    }
    return low
  }
}
