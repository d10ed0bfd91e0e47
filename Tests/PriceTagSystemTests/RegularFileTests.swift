import Foundation
import PriceTagSystem
import PriceTagText
import Testing

/// Tests reading regular files, and rejecting other files without blocking.
@Suite struct RegularFileTests {
  private static func withFolder<Answer>(_ body: (String) throws -> Answer) throws -> Answer {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
  }

  private static func failure(_ path: String, limit: Int = 1 << 20) -> RegularFile.Failure? {
    do throws(RegularFile.Failure) {
      _ = try RegularFile.bytes(of: path, limit: limit)
      return nil
    } catch { return error }
  }

  @Test(arguments: [0, 1, 4_095, 4_096, 300_000])
  func readsFile(count: Int) throws {
    try Self.withFolder { folder in
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      try Data(bytes).write(to: URL(filePath: "\(folder)/file"))
      #expect(try RegularFile.bytes(of: "\(folder)/file", limit: count) == bytes)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/link",
        withDestinationPath: "\(folder)/file"
      )
      #expect(try RegularFile.bytes(of: "\(folder)/link", limit: count) == bytes)
      if count > 0 { #expect(Self.failure("\(folder)/file", limit: count - 1)?.number == EFBIG) }
    }
  }

  @Test func reportsLimit() throws {
    try Self.withFolder { folder in
      try Data(count: (2 << 20) + 1).write(to: URL(filePath: "\(folder)/file"))
      let failure = try #require(Self.failure("\(folder)/file", limit: 2 << 20))
      #expect(failure.reason == "it is larger than 2 MB" && failure.fix == "split it")
      #expect(Self.failure("\(folder)/file", limit: 1_000)?.reason == "it is larger than 1000 bytes")
    }
  }

  /// A file in /proc reports a size of zero. It is read to its end, up to the limit.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
  func readsFileWithoutSize() throws {
    let bytes = try RegularFile.bytes(of: "/proc/self/status", limit: 1 << 20)
    #expect(String(decoding: bytes, as: UTF8.self).contains("Pid:"))
    #expect(Self.failure("/proc/self/status", limit: 10)?.number == EFBIG)
  }

  @Test(.timeLimit(.minutes(20)))
  func rejectsIrregularFileWithoutBlocking() throws {
    try Self.withFolder { folder in
      // The pipe has no writer, so opening it would block.
      try #require(mkfifo("\(folder)/pipe", 0o600) == 0)
      for path in ["\(folder)/pipe", folder, "/dev/zero"] {
        let failure = try #require(Self.failure(path), "no failure for \(path)")
        #expect(failure.number == EINVAL && failure.reason == "it is a folder, a pipe or a device")
        #expect(failure.fix == "use a regular file")
      }
    }
  }

  @Test func reportsReasonForMissingFile() throws {
    try Self.withFolder { folder in
      let failure = try #require(Self.failure("\(folder)/none"))
      #expect(failure.number == ENOENT && failure.reason == "No such file or directory")
      #expect(failure.fix == "check the path")
      #expect(Self.failure("\(folder)/a\u{FFFD}")?.reason == "its name is not UTF-8")
      #expect(Self.failure("\(folder)/a\0b")?.reason == "its path contains a NUL character")
      let loop = "\(folder)/loop"
      try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
      #expect(Self.failure(loop)?.number == ELOOP)
    }
  }

  static let encodings: [(bytes: [UInt8], encoding: TextEncoding?)] = [
    ([], nil), (Array("{}".utf8), nil), ([0xEF, 0xBB, 0xBF, 0x7B], nil), ([0, 0, 0, 0], nil),
    ([0xFF, 0xFE, 0x7B, 0x00], .utf16), ([0x00, 0x7B], .utf16), ([0xFF, 0xFE, 0x00, 0x00], .utf32),
    ([0x00, 0x00, 0xFE, 0xFF], .utf32), ([0x7B, 0x00, 0x00, 0x00], .utf32),
  ]

  @Test(arguments: encodings)
  func detectsOtherEncodings(bytes: [UInt8], encoding: TextEncoding?) {
    #expect(TextEncoding(of: bytes) == encoding)
  }
}
