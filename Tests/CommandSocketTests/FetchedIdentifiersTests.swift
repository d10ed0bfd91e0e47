import CommandLineTools
import Foundation
import PriceTagSystem
import PriceTagText
import Testing

/// `pricetag products --identifiers URL`, whose list the server's executable fetches.
@Suite struct FetchedIdentifiersTests {
  private static func products(_ service: LiveService, _ path: String, _ more: [String] = []) throws
    -> CommandLineTool.Outcome
  {
    try CommandLineTool.run(
      [
        "products", service.folder.appending(path: "shop.jsonl").path, "--storefront", "USA", "--language",
        "en-US", "--identifiers", "http://127.0.0.1:\(service.port)\(path)", "--cache",
        service.folder.appending(path: "lists").path,
      ] + more
    )
  }

  private static let car = "car  \u{2068}Car\u{2069}  \u{2068}$4.99\u{2069}\n"

  @Test func fetchesAndCachesList() throws {
    let service = try LiveService()
    let first = try Self.products(service, "/v1/product-identifiers")
    #expect(first.output == Self.car && first.errors.isEmpty && first.status == 0, "\(first.report)")
    service.send(SIGTERM)
    #expect(service.end() == 0)
    let second = try Self.products(service, "/v1/product-identifiers")
    #expect(second.output == Self.car && second.status == 0, "\(second.report)")
    #expect(
      second.errors.hasPrefix("pricetag: note: the last good list is used: http://127.0.0.1:"),
      "\(second.report)"
    )
  }

  @Test func reportsRejectedEntries() throws {
    let assets = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: assets, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: assets) }
    try Data(#"["car","no product","car"]"#.utf8).write(to: assets.appending(path: "list.json"))
    try Data("car\n".utf8).write(to: assets.appending(path: "list.txt"))
    try Data("[]".utf8).write(to: assets.appending(path: "empty.json"))
    try Data(#"["bplist00","car"]"#.utf8).write(to: assets.appending(path: "names.json"))
    let service = try LiveService(["--assets", assets.path])
    // Rejected entries are reported, and the other products are listed.
    let rejected = try Self.products(service, "/list.json")
    #expect(rejected.output == Self.car && rejected.status == 3, "\(rejected.report)")
    let lines = rejected.errors.split(separator: "\n")
    #expect(lines.count == 2, "\(rejected.report)")
    #expect(
      lines.first?.hasPrefix("pricetag: rejected: http://127.0.0.1:\(service.port)/list.json") == true
        && lines.first?.contains("entry 2: \"no product\" is not a product identifier") == true,
      "\(rejected.report)"
    )
    // With --development, a rejected entry is an error.
    let development = try Self.products(service, "/list.json", ["--development"])
    #expect(development.output.isEmpty && development.status == 1, "\(development.report)")
    #expect(
      development.errors.split(separator: "\n").last?.hasPrefix("pricetag: http://") == true,
      "\(development.report)"
    )
    #expect(try Self.products(service, "/list.txt").output == Self.car)
    // A list may be empty, and an identifier may start like a property list.
    let empty = try Self.products(service, "/empty.json")
    #expect(empty.output.isEmpty && empty.errors.isEmpty && empty.status == 0, "\(empty.report)")
    let names = try Self.products(service, "/names.json")
    #expect(names.output.hasPrefix(Self.car) && names.errors.contains("bplist00"), "\(names.report)")
  }

  typealias Failure = (url: String, message: String)

  static let failures: [Failure] = [
    // No service listens on port 1.
    ("http://127.0.0.1:1/list.json", "pricetag: http://127.0.0.1:1/list.json: the server cannot be reached"),
    ("ftp://shop.example/list.json", "pricetag: "), ("-1://", "pricetag: "),
  ]

  @Test(arguments: failures) func failsForUnreachableURL(_ failure: Failure) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let shop = folder.appending(path: "shop.jsonl")
    try Data(LiveService.shop.utf8).write(to: shop)
    let outcome = try CommandLineTool.run([
      "products", shop.path, "--storefront", "USA", "--identifiers=\(failure.url)", "--cache", folder.path,
    ])
    #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome.report)")
    #expect(
      outcome.errors.hasPrefix(failure.message) && outcome.errors.split(separator: "\n").count == 1,
      "\(outcome.report)"
    )
  }

  /// If the command is killed, its child ends too, although it receives no signal.
  @Test func childEndsWithCommand() throws {
    // Accepts connections and never responds.
    let listener = try SilentListener()
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let shop = folder.appending(path: "shop.jsonl")
    try Data(LiveService.shop.utf8).write(to: shop)
    let process = Process()
    process.executableURL = CommandLineTool.binary
    process.arguments = [
      "products", shop.path, "--storefront", "USA", "--cache", folder.path,
      "--identifiers", "http://127.0.0.1:\(listener.port)/list.json",
    ]
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    #expect(try Self.startsFetching(process.processIdentifier))
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    // The pipe closes when the child ends. If the child did not end before, it would report after ten seconds that the
    // server does not respond.
    let report = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(report.isEmpty, "\(report)")
  }

  /// Waits until a process has a child that fetches, for ten minutes. An earlier child only prints its version.
  private static func startsFetching(_ parent: pid_t) throws -> Bool {
    let script =
      "for child in $(cat /proc/\(parent)/task/*/children); do tr '\\0' ' ' </proc/$child/cmdline; done"
    let deadline = Date(timeIntervalSinceNow: 600)
    while Date() < deadline {
      if try CommandLineTool.shell(script).output.contains("fetch-identifiers") { return true }
      usleep(20_000)
    }
    return false
  }
}

/// A port that accepts connections and never sends data.
private final class SilentListener {
  private let descriptor: Int32
  let port: Int

  init() throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let own = descriptor
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(own, address, length) == 0 && listen(own, 8) == 0 && getsockname(own, address, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    if !status { throw POSIXError(.EADDRINUSE) }
  }

  deinit { close(descriptor) }
}
