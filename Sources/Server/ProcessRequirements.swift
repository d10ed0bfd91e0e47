import PriceTag
import PriceTagCatalog
import PriceTagText

/// Checks that the process may create enough threads and file descriptors.
///
/// - Throws: `.outOfResources` if it may not.
func requireResources(threads: Int, descriptors: Int) throws(CatalogError) {
  guard let shortage = ProcessResources.shortage(threads: threads, descriptors: descriptors) else { return }
  throw CatalogError(.outOfResources, shortage.problem, fix: shortage.fix)
}
