import CommandLineTools
import Foundation
import PriceTagSystem
import Testing

/// Runs `pricetag serve` on a free port.
final class LiveService {
  static let shop = """
    {"productIdentifier":"car","localizations":{"en-US":{"name":"Car"}},"prices":{"USA":"4.99","JPN":"700"}}

    """

  private let process = Process()
  let folder: URL
  let port: Int
  private let log: URL

  /// - Parameters:
  ///   - arguments: The arguments after the catalog.
  ///   - shop: The contents of the catalog file.
  ///   - environment: Additional environment variables.
  ///   - descriptorLimit: The maximum number of file descriptors.
  init(
    _ arguments: [String] = [],
    shop: String = shop,
    environment: [String: String] = [:],
    descriptorLimit: Int? = nil
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try LiveService.write(shop, to: folder.appending(path: "shop.jsonl"))
    log = folder.appending(path: "log")
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    // Resets signals that are blocked in the threads of the test, which a process inherits.
    let limiting = descriptorLimit.map { ["prlimit", "--nofile=\($0)"] } ?? []
    // The file is complete, so the service need not wait for it to settle.
    let isSettling = arguments.contains("--settle-seconds")
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["--default-signal"] + limiting + [CommandLineTool.binary.path, "serve", "shop.jsonl", "--port", "0"]
      + (isSettling ? [] : ["--settle-seconds", "0"]) + arguments
    process.currentDirectoryURL = folder
    process.environment = ["HOME": "/nonexistent", "TMPDIR": folder.path]
      .merging(CommandLineTool.sanitizerOptions) { $1 }.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    var port = 0
    let deadline = Date(timeIntervalSinceNow: 600)
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

  /// Writes a catalog file that changed two hours ago.
  static func write(_ shop: String, to file: URL) throws {
    try Data(shop.utf8).write(to: file)
    let date = Date(timeIntervalSinceNow: -7200)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
  }

  /// The log so far.
  var messages: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

  /// Waits until the log contains a text. Returns false after the time limit.
  func waits(for text: String, seconds: Double = 600) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while Date() < deadline {
      if messages.contains(text) { return true }
      usleep(20_000)
    }
    return false
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end of the process. Returns its exit code (128 plus the number of a signal, or -1 if it is still running
  /// after ten minutes).
  func end() -> Int32 {
    let deadline = Date(timeIntervalSinceNow: 600)
    while process.isRunning, Date() < deadline { usleep(10_000) }
    if process.isRunning { return -1 }
    return process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
  }

  func connect() throws -> RawConnection { try RawConnection(port: port) }

  /// Sends bytes, and returns the bytes received until a number of responses are complete, or the connection ends.
  func answer(to request: String, count: Int = 1) throws -> String {
    let connection = try connect()
    connection.send(request)
    return connection.receivedAnswers(count)
  }
}

/// A TCP connection that sends arbitrary bytes.
final class RawConnection {
  private let descriptor: Int32

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let (length, own) = (socklen_t(MemoryLayout<sockaddr_in>.size), descriptor)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Self.open(own, $0, length) }
    }
    if status != 0 { throw POSIXError(.ECONNREFUSED) }
    var time = timeval(tv_sec: 600, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  private static func open(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t)
    -> Int32
  {
    PriceTagSystem.connect(descriptor, address, length)
  }

  /// Sends text. Returns false if the service has closed the connection.
  @discardableResult
  func send(_ text: String) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { buffer in
        PriceTagSystem.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  /// Closes the sending direction.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Returns the next bytes; `nil` at the end of the connection, empty after the time limit.
  func receive(seconds: Double = 600) -> [UInt8]? {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if Self.wait(&poll, milliseconds: Int32(seconds * 1000)) == 0 { return [] }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count <= 0 ? nil : Array(bytes[..<count])
  }

  private static func wait(_ descriptor: inout pollfd, milliseconds: Int32) -> Int32 {
    PriceTagSystem.poll(&descriptor, 1, milliseconds)
  }

  /// Returns all bytes until the end of the connection, or until no more arrive within the time limit.
  func received() -> String {
    var all: [UInt8] = []
    while let bytes = receive(), !bytes.isEmpty { all += bytes }
    return String(decoding: all, as: UTF8.self)
  }

  /// Returns the bytes until a number of responses are complete, or the connection ends.
  func receivedAnswers(_ count: Int = 1) -> String {
    var all: [UInt8] = []
    while Self.completeAnswers(all) < count, let bytes = receive(), !bytes.isEmpty { all += bytes }
    return String(decoding: all, as: UTF8.self)
  }

  /// Returns the number of complete responses, without interim ones (100). A response that only the end of the connection
  /// completes does not count.
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

  /// Waits until the service closes the connection, and returns whether it does. Discards received bytes.
  func isClosed() -> Bool {
    while let bytes = receive() { if bytes.isEmpty { return false } }
    return true
  }
}
