import PriceTag
import PriceTagCatalog

/// Rejects work that the process has not enough threads or file descriptors for.
///
/// - Throws: `.outOfResources`.
func requireResources(threads: Int, descriptors: Int) throws(CatalogError) {
  guard let shortage = ProcessResources.shortage(threads: threads, descriptors: descriptors) else { return }
  throw CatalogError(.outOfResources, shortage.problem, fix: shortage.fix)
}
