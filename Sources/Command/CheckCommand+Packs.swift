import ArgumentParser
import PriceTag
import PriceTagCommandLine
import PriceTagDrift
import PriceTagText

/// `pricetag check` of a pack.
extension CheckCommand {
  /// Returns whether a file is a regular file that starts like a pack.
  static func isPack(_ path: String) -> Bool {
    guard path != "-", let (descriptor, _) = try? RegularFile.descriptor(of: path) else { return false }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: Pack.signature.count)
    let count = start.withUnsafeMutableBytes { RegularFile.fill($0, from: descriptor) }
    return count == start.count && start == Pack.signature
  }

  /// Compares a pack with another one, or with what ICU and the locale data say today.
  func checkPack() throws {
    try validateForPack()
    let pack = try Pack(contentsOf: golden)
    if let against {
      let other = try Pack(contentsOf: inputPath(against))
      try finish(try PackComparison(pack, other, names: (golden, against)), note: "")
      return
    }
    let localeData = try LocaleDataOptions.load(folder: data.localeData)
    let rebuild = try atPack { () throws(DriftError) in
      try PackRebuild(of: pack, in: localeData, on: data.at ?? .today)
    }
    let comparison = try atPack { () throws(DriftError) in
      try PackComparison(pack, rebuild.pack, names: (golden, ""))
    }
    guard accept else {
      return try finish(comparison, note: "to accept all changes, run again with --accept")
    }
    write(comparison)
    try accept(rebuild, comparison)
  }

  /// Adds the name of the pack to an error.
  private func atPack<Value>(_ body: () throws(DriftError) -> Value) throws(DriftError) -> Value {
    do throws(DriftError) { return try body() } catch { throw error.at(printable(golden)) }
  }

  private func validateForPack() throws {
    let others = [
      ("--catalog", catalog != nil), ("--displayed", displayed != nil), ("--pack", data.pack != nil),
    ]
    if let (option, _) = others.first(where: \.1) {
      let fix = option == "--pack" ? "use --against to compare with another pack" : "remove it"
      throw ValidationError("a pack cannot be checked with \(option); \(fix)")
    }
    if against != nil, data.localeData != nil {
      throw ValidationError("packs are compared without locale data; remove --against or --locale-data")
    }
    if !reading.values.isEmpty {
      throw ValidationError(
        "a pack cannot be checked with options that read a catalog (--from, --prices-of, --reinterpret-as, --texts-in); remove them"
      )
    }
  }

  /// Replaces the pack.
  private func accept(_ rebuild: PackRebuild, _ comparison: PackComparison) throws {
    // The prices of what is missing would disappear.
    if let missing = rebuild.missing.first {
      let more = rebuild.missing.count > 1 ? " (and \(rebuild.missing.count - 1) more)" : ""
      throw DriftError(
        .formattingFailed,
        "\(missing.problem)\(more), so the pack was not changed",
        fix: "use locale data that has it, or write a new pack with pricetag pack",
        place: printable(golden)
      )
    }
    let file = try OutputFile(golden)
    file.write(rebuild.bytes)
    try file.finish()
    StandardError.write(
      "pricetag: wrote \(counted(rebuild.pack.formatterCount, "formatter")) in \(counted(rebuild.bytes.count, "byte"))\n"
    )
    if comparison.lacksPatterns {
      StandardError.write(
        "pricetag: no pattern reproduces ICU's output for some combinations, which are no longer in the pack\n"
      )
      throw ExitCode(3)
    }
  }

  private func write(_ comparison: PackComparison) {
    let text = PackReportText(comparison, file: golden)
    let files = PackReportFiles(text, failOn: failing)
    switch format {
    case .text: StandardOutput.write(text.plain)
    case .json: StandardOutput.write(comparison.json + "\n")
    case .github: StandardOutput.write(files.gitHub)
    case .junit: StandardOutput.write(files.junit)
    }
    StandardOutput.flush()
  }

  /// Writes the report, and throws the exit code if there are findings.
  private func finish(_ comparison: PackComparison, note: String) throws {
    write(comparison)
    guard comparison.hasDrift(of: failing) else { return }
    if !note.isEmpty { StandardError.write("pricetag: note: \(note)\n") }
    throw ExitCode(3)
  }
}
