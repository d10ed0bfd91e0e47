import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagDrift
import PriceTagSystem
import PriceTagText

/// `pricetag check` of a pack.
extension CheckCommand {
  /// Checks a golden file, a pack or a file of expectations, which its first bytes tell apart.
  func run() throws {
    if golden.isEmpty { return try checkDisplayed() }
    if Pack.isName(golden) { return try check(Pack(named: golden)) }
    let file = CatalogFile(path: inputPath(golden))
    var status = stat()
    if stat(file.name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw failure(.unreadableFile, "the path is that of a folder", fix: Self.kindsFix)
    }
    let start: [UInt8]
    do throws(CatalogError) { start = try file.prefix(64) } catch {
      throw DriftError(.unreadableFile, error).at(printable(file.name))
    }
    if start.starts(with: Pack.signature) {
      return try check(file.byteCount == nil ? Self.pack(in: file) : Pack(contentsOf: file.name))
    }
    if String(decoding: start, as: UTF8.self).contains(Expectations.format) {
      return try check(ExpectationsFile(file))
    }
    let text = start.drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    guard text.starts(with: GoldenFileHeader.titleStart.utf8) || TextEncoding(of: start) != nil else {
      throw DriftError(
        .malformedGoldenFile,
        start.isEmpty ? "the file is empty" : "the file is neither a golden file nor a pack",
        fix: Self.kindsFix,
        place: printable(file.name)
      )
    }
    try check(GoldenFile(file))
  }

  private static let kindsFix =
    "use a golden file that pricetag record wrote, or a pack that pricetag pack wrote"

  /// Reads a pack from a pipe.
  private static func pack(in file: CatalogFile) throws -> Pack {
    var bytes: [UInt8] = []
    try file.forEachChunk { (chunk) throws(CatalogError) in
      bytes += chunk
      return bytes.count <= Pack.maximumByteCount
    }
    guard bytes.count <= Pack.maximumByteCount else {
      throw DriftError(
        .invalidPack,
        "the pack is larger than \(Pack.maximumByteCount >> 20) MB",
        fix: "write a pack with fewer locales, currencies or styles",
        place: printable(file.name)
      )
    }
    do throws(PriceTagError) { return try Pack(bytes) } catch { throw error.at(printable(file.name)) }
  }

  /// Compares a pack with another one, or with what ICU and the locale data say today.
  func check(_ pack: Pack) throws {
    try validateForPack()
    if let against {
      let other = try Pack(at: inputPath(against))
      try finish(try PackComparison(pack, other, names: (golden, against)), note: "")
      return
    }
    let localeData = try LocaleDataSource.load(folder: data.source.localeData)
    let strings =
      pack.hasPhrases ? try LocaleDataSource.loadStrings(folder: data.source.localeData) : .embedded
    let (rebuild, comparison): (PackRebuild, PackComparison)
    do throws(DriftError) {
      rebuild = try PackRebuild(of: pack, in: localeData, strings: strings, on: data.at?.dateInUTC)
      comparison = try PackComparison(pack, rebuild.pack, names: (golden, ""))
    } catch { throw error.at(printable(golden)) }
    guard accept else {
      return try finish(comparison, note: "to accept all changes, run again with --accept")
    }
    write(comparison)
    try accept(rebuild, comparison)
  }

  private func validateForPack() throws {
    let others = [
      ("--catalog", catalog != nil), ("--displayed", displayed != nil), ("--pack", data.source.pack != nil),
    ]
    if let (option, _) = others.first(where: \.1) {
      let fix = option == "--pack" ? "use --against to compare with another pack" : "remove it"
      throw ValidationError("a pack cannot be checked with \(option); \(fix)")
    }
    if against != nil, data.source.localeData != nil {
      throw ValidationError("packs are compared without locale data; remove --against or --locale-data")
    }
    if !reading.values.isEmpty {
      throw ValidationError(
        "a pack cannot be checked with options that read a catalog (--from, --prices-of, --reinterpret-as, --texts-in); remove them"
      )
    }
  }

  /// Replaces the pack. Standard input cannot be replaced; ``validate()`` rejects it.
  private func accept(_ rebuild: PackRebuild, _ comparison: PackComparison) throws {
    // The prices of what is missing would disappear.
    if let missing = rebuild.missing.first {
      let more = rebuild.missing.count > 1 ? " (and \(rebuild.missing.count - 1) more)" : ""
      throw failure(
        .formattingFailed,
        "\(missing.problem)\(more), so the pack was not changed",
        fix: "use locale data that has it, or write a new pack with pricetag pack"
      )
    }
    try PackCommand.write(rebuild.bytes, formatterCount: rebuild.pack.formatterCount, to: golden)
    if comparison.lacksPatterns {
      StandardError.writeList("no longer in the pack", PackOmissionKind.kinds(of: rebuild.omissions))
      throw ExitCode(3)
    }
  }

  private func write(_ comparison: PackComparison) {
    write(PackReportFiles(text: PackReportText(comparison, file: golden), failOn: failing))
  }

  /// Writes the report, and throws the exit code if there are findings.
  private func finish(_ comparison: PackComparison, note: String) throws {
    write(comparison)
    guard comparison.hasDrift(of: failing) else { return }
    if !note.isEmpty { StandardError.write("pricetag: note: \(note)\n") }
    throw ExitCode(3)
  }
}
