import Foundation
import PriceTag
import PriceTagBatch
import PriceTagText
import Testing

/// Compressed input and output.
@Suite struct CompressionTests {
  private static let rows = Array(
    (0..<20_000).map { "{\"storefront\":\"USA\",\"amount\":\"\($0)\"}\n" }.joined().utf8
  )

  private static func run(_ bytes: [UInt8], _ change: Change = { _ in }) throws(BatchError) -> Outcome {
    try Outcome(.bytes(bytes, name: "rows.gz"), .test(change))
  }

  @Test func readsSeveralMembers() throws {
    let expected = try Self.run(Self.rows)
    // Two members that divide a row, with an empty member between them.
    let middle = Self.rows.count / 2 + 3
    let members =
      try Gzip.compressed(Array(Self.rows[..<middle])) + Gzip.compressed([])
      + Gzip.compressed(Array(Self.rows[middle...]))
    #expect(try Self.run(members).bytes == expected.bytes)
    #expect(try Self.run(Gzip.compressed([])).bytes.isEmpty)
  }

  /// Tapes and disks pad their last block with zeros.
  @Test(arguments: [1, 512, 70_000, 200_000])
  func ignoresZerosAfterLastMember(count: Int) throws {
    let padded = try Gzip.compressed(Self.rows) + [UInt8](repeating: 0, count: count)
    #expect(try Self.run(padded).bytes == Self.run(Self.rows).bytes)
  }

  @Test func throwsForTruncatedFile() throws {
    let complete = try Gzip.compressed(Self.rows)
    for count in [2, 5, 10, 11, complete.count / 2, complete.count - 9, complete.count - 1] {
      do throws(BatchError) {
        _ = try Self.run(Array(complete[..<count]))
        Issue.record("\(count) bytes were accepted")
      } catch {
        #expect(
          error.code == .unreadableInput && error.problem == "the gzip file ends early"
            && error.place == "rows.gz",
          "\(count)"
        )
      }
    }
  }

  static let damages: [(name: String, place: Int)] = [
    ("the method", 2), ("the data", 300), ("the checksum", -8), ("the length", -1),
  ]

  @Test(arguments: damages)
  func throwsForDamagedFile(name: String, place: Int) throws {
    var bytes = try Gzip.compressed(Self.rows)
    bytes[place < 0 ? bytes.count + place : place] ^= 0x55
    do throws(BatchError) {
      _ = try Self.run(bytes)
      Issue.record("\(name) was accepted")
    } catch {
      #expect(error.code == .unreadableInput && error.problem.hasSuffix("is damaged"), "\(name): \(error)")
    }
  }

  @Test func throwsForTextAfterLastMember() throws {
    #expect(throws: BatchError.self) { try Self.run(Gzip.compressed(Self.rows) + Array("more".utf8)) }
  }

  @Test(arguments: [1, 2, 8])
  func writesCompressedOutput(jobs: Int) throws {
    let plain = try Self.run(Self.rows)
    let compressed = try Self.run(Self.rows) {
      $0.compresses = true
      $0.jobs = jobs
    }
    #expect(compressed.bytes.starts(with: [0x1F, 0x8B]) && compressed.bytes.count < plain.bytes.count / 3)
    // Both this module and gzip read it.
    let again = try Self.run(compressed.bytes) { $0.overwrites = true }
    #expect(again.bytes == plain.bytes)
    let file = try ScratchFile(compressed.bytes, ".gz")
    let gzip = Process()
    gzip.executableURL = URL(filePath: "/usr/bin/env")
    gzip.arguments = ["gzip", "-dc", file.path]
    let output = Pipe()
    gzip.standardOutput = output
    try gzip.run()
    #expect(Array(output.fileHandleForReading.readDataToEndOfFile()) == plain.bytes)
    gzip.waitUntilExit()
    // The output does not depend on the number of jobs.
    #expect(try Self.run(Self.rows) { $0.compresses = true }.bytes == compressed.bytes)
  }
}
