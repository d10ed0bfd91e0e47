// The inputs of imports that would change nothing.

extension CatalogStore {
  /// Returns the summary of an import that changes nothing, by the digest of its input.
  ///
  /// A write that changes the catalog gives it another revision, for which none is stored.
  func repeatableInputs() throws -> [String: ImportSummary] {
    guard try CatalogSchema.version(database) == CatalogSchema.version else { return [:] }
    let row = try select(.importInput, "true")
    let revision = try currentTotals().revision
    var inputs: [String: ImportSummary] = [:]
    try row.forEachRow([]) {
      try CatalogTable.importInput.verify(row)
      guard try row.requiredInteger(ImportInputColumn.revision) == revision else { return }
      var summary = ImportSummary()
      summary.products.unchanged = try row.smallInteger(ImportInputColumn.products) ?? 0
      summary.tiers.unchanged = try row.smallInteger(ImportInputColumn.tiers) ?? 0
      summary.groups.unchanged = try row.smallInteger(ImportInputColumn.groups) ?? 0
      summary.unknownTaxPrices = try row.smallInteger(ImportInputColumn.unknownTaxPrices) ?? 0
      inputs[try row.requiredText(ImportInputColumn.digest)] = summary
    }
    return inputs
  }

  /// Stores the digest of an input whose import would change nothing in the present revision, of at most 100.
  func insertInput(_ digest: String, _ summary: ImportSummary) throws {
    let revision = CatalogValue.integer(try currentTotals().revision)
    try statement(
      "DELETE FROM import_input WHERE revision <> ? OR digest = ? OR (SELECT count(*) FROM import_input) >= 100"
    ).run(revision, .text(digest))
    try insert([
      ImportInputColumn.digest: .text(digest), .revision: revision,
      .products: CatalogValue(summary.products.imported), .tiers: CatalogValue(summary.tiers.imported),
      .groups: CatalogValue(summary.groups.imported),
      .unknownTaxPrices: CatalogValue(summary.unknownTaxPrices),
    ])
  }
}
