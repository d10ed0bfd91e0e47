import Foundation

/// A connection to Firefox by its own protocol, Marionette, which has the commands of WebDriver: Debian has no geckodriver.
///
/// Packets are JSON after their length: https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html.
actor Marionette {
  private let socket: FileHandle
  private var lastIdentifier = 0

  /// Connects to a port of this computer.
  init(port: Int) throws {
    let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(description: "no socket: \(errno)") }
    socket = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // The browser may hang.
    var limit = timeval(tv_sec: 600, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let outcome = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard outcome == 0 else {
      throw Failure(description: "Firefox does not listen at port \(port): \(errno)")
    }
    // The browser introduces itself.
    _ = try Self.receive(from: socket)
  }

  /// Sends a command and returns its result.
  func send<Value: Decodable & Sendable>(_ command: String, _ parameters: [String: JSON] = [:]) throws
    -> Value
  {
    lastIdentifier += 1
    let packet = try JSONEncoder().encode(
      JSON.list([0, .number(lastIdentifier), .text(command), .object(parameters)])
    )
    try socket.write(contentsOf: Data("\(packet.count):".utf8) + packet)
    let response = try JSONDecoder().decode(Response<Value>.self, from: Self.receive(from: socket))
    guard response.identifier == lastIdentifier else {
      throw Failure(description: "\(command): response \(response.identifier) instead of \(lastIdentifier)")
    }
    return try response.result.get()
  }

  /// Runs a function body in the browser's own window, whose scripts can change preferences.
  func inWindow(_ script: String, _ arguments: JSON...) throws {
    let _: WebDriver.Ignored = try send("Marionette:SetContext", ["value": "chrome"])
    let outcome = Result {
      let _: WebDriver.Ignored = try send(
        "WebDriver:ExecuteScript",
        ["script": .text(script), "args": .list(arguments)]
      )
    }
    let _: WebDriver.Ignored = try send("Marionette:SetContext", ["value": "content"])
    try outcome.get()
  }

  private static func receive(from socket: FileHandle) throws -> Data {
    var length = 0
    while let byte = try read(1, from: socket).first, byte != UInt8(ascii: ":") {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), length < 1 << 26 else {
        throw Failure(description: "Firefox sent a packet without a length")
      }
      length = length * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return try read(length, from: socket)
  }

  private static func read(_ count: Int, from socket: FileHandle) throws -> Data {
    var data = Data()
    while data.count < count {
      guard let part = try socket.read(upToCount: count - data.count), !part.isEmpty else {
        throw Failure(description: "Firefox closed the connection")
      }
      data += part
    }
    return data
  }

  /// A response: its kind, the identifier of its command, an error, and a result.
  private struct Response<Value: Decodable & Sendable>: Decodable {
    let identifier: Int
    let result: Result<Value, WebDriver.ErrorResponse>

    init(from decoder: any Decoder) throws {
      var fields = try decoder.unkeyedContainer()
      _ = try fields.decode(Int.self)
      identifier = try fields.decode(Int.self)
      if let error = try fields.decodeIfPresent(WebDriver.ErrorResponse.self) {
        result = .failure(error)
      } else if let reply = try? fields.decode(WebDriver.Reply<Value>.self) {
        result = .success(reply.value)
      } else {
        // Some results, such as a list of elements, are not in an object.
        result = .success(try fields.decode(Value.self))
      }
    }
  }
}
