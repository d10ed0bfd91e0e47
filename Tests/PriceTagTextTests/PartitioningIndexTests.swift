import PriceTagText
import Testing

@Suite struct PartitioningIndexTests {
  @Test func findsStartOfSecondPart() {
    for count in 0..<9 {
      for wanted in -1...count {
        let expected = max(0, min(count, wanted))
        #expect((0..<count).map(\.self).partitioningIndex { $0 >= wanted } == expected)
        #expect((-3..<count).map(\.self)[3...].partitioningIndex { $0 >= wanted } == expected + 3)
      }
    }
  }
}
