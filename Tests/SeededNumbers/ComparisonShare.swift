#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The part of a large comparison that a run of the tests makes.
///
/// The tests of modules make a part of each comparison, in which every style is tried in several places. The proof and the soak
/// (`PRICETAG_SHARE=full`) make all of it.
package enum ComparisonShare {
  package static let isFull = getenv("PRICETAG_SHARE").map { String(cString: $0) } == "full"

  /// Returns the elements that are tried at a place: one in `parts`, beginning with another one at the next place.
  package static func of<Element>(_ elements: [Element], at place: Int, parts: Int) -> [Element] {
    isFull ? elements : elements.indices.filter { $0 % parts == place % parts }.map { elements[$0] }
  }
}
