import CommandLineTools
import Foundation
import PriceTagText
import Testing

/// `pricetag serve`, started as a person starts it, on a port that is free.
final class LiveService {
  static let shop = """
    {"productIdentifier":"car","localizations":{"en-US":{"name":"Car"}},"prices":{"USA":"4.99","JPN":"700"}}

    """

  private let process = Process()
  let folder: URL
  let port: Int
  private let log: URL

  /// - Parameters:
  ///   - arguments: What stands behind the catalogue.
  ///   - shop: What is in the catalog's file.
  ///   - environment: Further variables.
  ///   - descriptorLimit: How many file descriptors it may have.
  init(
    _ arguments: [String] = [],
    shop: String = shop,
    environment: [String: String] = [:],
    descriptorLimit: Int? = nil
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(shop.utf8).write(to: folder.appending(path: "shop.jsonl"))
    log = folder.appending(path: "log")
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    // A test's threads hold signals back, and a process would inherit that.
    let limiting = descriptorLimit.map { ["prlimit", "--nofile=\($0)"] } ?? []
    // The file is complete: no start has to wait for it.
    let isSettling = arguments.contains("--settle-seconds")
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["--default-signal"] + limiting + [CommandLineTool.binary.path, "serve", "shop.jsonl", "--port", "0"]
      + (isSettling ? [] : ["--settle-seconds", "0"]) + arguments
    process.currentDirectoryURL = folder
    let sanitizer = ProcessInfo.processInfo.environment.filter { $0.key == "ASAN_OPTIONS" }
    process.environment = ["HOME": "/nonexistent", "TMPDIR": folder.path].merging(sanitizer) { $1 }
      .merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    var port = 0
    let deadline = Date(timeIntervalSinceNow: 60)
    while port == 0, process.isRunning, Date() < deadline {
      usleep(20_000)
      let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      if let match = text.firstMatch(of: /listening.*:([0-9]+)\//) { port = Int(match.1) ?? 0 }
    }
    self.port = port
    if port == 0 { Issue.record("the service does not listen: \(messages)") }
  }

  deinit {
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// What it has told so far.
  var messages: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

  /// Waits until it has told something.
  func waits(for text: String, seconds: Double = 20) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while Date() < deadline {
      if messages.contains(text) { return true }
      usleep(20_000)
    }
    return false
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for its end: the exit code, or 128 and more for a signal; and how long that took. -1 where it goes on.
  func end(within seconds: Double) -> (status: Int32, seconds: Double) {
    let start = Date()
    while process.isRunning, Date().timeIntervalSince(start) < seconds { usleep(10_000) }
    let time = Date().timeIntervalSince(start)
    if process.isRunning { return (-1, time) }
    return (
      process.terminationReason == .uncaughtSignal
        ? 128 + process.terminationStatus : process.terminationStatus,
      time
    )
  }

  func connect() throws -> RawConnection { try RawConnection(port: port) }

  /// The complete answers to bytes that are sent at once, or what comes up to the connection's end.
  func answer(to request: String, count: Int = 1) throws -> String {
    let connection = try connect()
    connection.send(request)
    return connection.receivedAnswers(count)
  }
}

/// A connection of bytes: what no well-behaved client sends.
final class RawConnection {
  private let descriptor: Int32

  init(port: Int) throws {
    descriptor = socket(AF_INET, streamSocket, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let (length, own) = (socklen_t(MemoryLayout<sockaddr_in>.size), descriptor)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Self.open(own, $0, length) }
    }
    if status != 0 { throw POSIXError(.ECONNREFUSED) }
    var time = timeval(tv_sec: 15, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  private static func open(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t)
    -> Int32
  {
    PriceTagText.connect(descriptor, address, length)
  }

  /// Sends bytes; false where the other side has closed.
  @discardableResult
  func send(_ text: String) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { buffer in
        PriceTagText.send(descriptor, buffer.baseAddress, buffer.count, sendsWithoutSignal)
      }
      if count <= 0 { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  /// Says that nothing more is sent.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Some bytes; `nil` at the connection's end, empty where nothing comes for so long.
  func receive(seconds: Double = 15) -> [UInt8]? {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if Self.wait(&poll, milliseconds: Int32(seconds * 1000)) == 0 { return [] }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count <= 0 ? nil : Array(bytes[..<count])
  }

  private static func wait(_ descriptor: inout pollfd, milliseconds: Int32) -> Int32 {
    PriceTagText.poll(&descriptor, 1, milliseconds)
  }

  /// What comes up to the connection's end, or until nothing comes for a long time.
  func received() -> String {
    var all: [UInt8] = []
    while let bytes = receive(), !bytes.isEmpty { all += bytes }
    return String(decoding: all, as: UTF8.self)
  }

  /// What comes until so many answers are complete, or up to the connection's end.
  func receivedAnswers(_ count: Int = 1) -> String {
    var all: [UInt8] = []
    while Self.completeAnswers(all) < count, let bytes = receive(), !bytes.isEmpty { all += bytes }
    return String(decoding: all, as: UTF8.self)
  }

  /// How many complete answers there are, interim ones (100) aside. One that only the connection's end completes is
  /// none.
  private static func completeAnswers(_ bytes: [UInt8]) -> Int {
    var (rest, count) = (bytes[...], 0)
    while let end = rest.firstRange(of: "\r\n\r\n".utf8) {
      let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self).lowercased()
      rest = rest[end.upperBound...]
      if head.hasPrefix("http/1.1 1") { continue }
      if let length = head.firstMatch(of: /\r\ncontent-length: *([0-9]+)/).flatMap({ Int($0.1) }) {
        guard rest.count >= length else { return count }
        rest = rest.dropFirst(length)
      } else if head.contains("\r\ntransfer-encoding: chunked") {
        guard let last = rest.firstRange(of: "0\r\n\r\n".utf8) else { return count }
        rest = rest[last.upperBound...]
      } else if !head.hasPrefix("http/1.1 204") && !head.hasPrefix("http/1.1 304") {
        return count
      }
      count += 1
    }
    return count
  }

  /// Whether the other side closes within so long; what it sends before is dropped.
  func isClosed(within seconds: Double) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while Date() < deadline { if receive(seconds: 0.1) == nil { return true } }
    return false
  }
}
