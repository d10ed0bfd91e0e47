import Foundation
import PriceTagSystem
import Synchronization

/// A local HTTP server whose responses are written byte for byte by a test and may violate the protocol.
final class MisbehavingServer: Sendable {
  /// The lines of a request head.
  struct Request: Sendable {
    let lines: [String]

    var path: String { String(lines[0].split(separator: " ")[1]) }

    subscript(header: String) -> String? {
      let name = header.lowercased() + ":"
      return lines.first { $0.lowercased().hasPrefix(name) }
        .map { $0.dropFirst(name.count).trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The connection of a client.
  struct Connection: Sendable {
    fileprivate let socket: Int32

    /// Sends bytes, and returns whether it succeeded.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count <= 0 { return false }
        sent += count
      }
      return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends no bytes until the client has closed the connection.
    func waitForEnd() {
      var byte: UInt8 = 0
      while recv(socket, &byte, 1, 0) > 0 {}
    }

    /// Sends a complete response.
    func answer(_ status: String = "200 OK", _ headers: [String] = [], _ body: [UInt8] = []) {
      let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)", "Connection: close"] + headers
      send(lines.joined(separator: "\r\n") + "\r\n\r\n")
      send(body)
    }

    func answer(_ headers: [String] = [], _ body: String) { answer("200 OK", headers, Array(body.utf8)) }
  }

  private final class Requests: Sendable {
    let list = Mutex<[Request]>([])
  }

  /// The address of the server, such as `http://127.0.0.1:49152`.
  let url: String
  private let listener: Int32
  private let received = Requests()

  /// The requests received so far.
  var requests: [Request] { received.list.withLock { $0 } }

  /// Starts a server.
  ///
  /// - Parameter answer: A closure called for each request. It sends the response; then the connection is closed.
  init(_ answer: @escaping @Sendable (Request, Connection) -> Void) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    let received = received
    Thread.detachNewThread {
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 { return }
        Thread.detachNewThread {
          defer { close(client) }
          guard let request = Self.request(client) else { return }
          received.list.withLock { $0.append(request) }
          answer(request, Connection(socket: client))
        }
      }
    }
  }

  deinit { stop() }

  /// Stops listening.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private static func request(_ client: Int32) -> Request? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.ends(with: Array("\r\n\r\n".utf8)) {
      guard recv(client, &byte, 1, 0) == 1 else { return nil }
      head.append(byte)
    }
    return Request(lines: String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init))
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  fileprivate func ends(with end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}

/// Creates gzip data: stored without compression, or a decompression bomb.
enum Gzip {
  private static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  static func packed(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(bytes.count)
    return head + [1] + little(count) + little(~count) + bytes + little(checksum(bytes))
      + little(UInt32(bytes.count))
  }

  /// Returns gzip data that decompresses to at least `count` spaces: matches of 258 bytes at distance 1, in 13 bits each
  /// with deflate's fixed Huffman code.
  static func bomb(_ count: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.write(0b011, 3)
    bits.writeCode(0x30 + 0x20, 8)
    for _ in 0...(count / 258) {
      bits.writeCode(0b1100_0101, 8)
      bits.writeCode(0, 5)
    }
    bits.writeCode(0, 7)
    return head + bits.bytes + [0, 0, 0, 0, 0, 0, 0, 0]
  }

  private struct BitWriter {
    var bytes: [UInt8] = []
    var count = 0

    mutating func write(_ bits: UInt32, _ length: Int) {
      for index in 0..<length {
        if count % 8 == 0 { bytes.append(0) }
        bytes[bytes.count - 1] |= UInt8((bits >> UInt32(index)) & 1) << UInt8(count % 8)
        count += 1
      }
    }

    /// Writes a Huffman code, most significant bit first.
    mutating func writeCode(_ code: UInt32, _ length: Int) {
      for index in (0..<length).reversed() { write((code >> UInt32(index)) & 1, 1) }
    }
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian, Array.init)
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
