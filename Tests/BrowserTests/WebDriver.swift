import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A client of the W3C's WebDriver protocol: https://www.w3.org/TR/webdriver2/.
struct WebDriver: Sendable {
  /// The URL of the session.
  private let session: String

  /// An error response of the driver.
  struct ErrorResponse: Error, Decodable, CustomStringConvertible {
    let error: String
    let message: String

    var description: String { "\(error): \(message)" }
  }

  private struct Reply<Value: Decodable>: Decodable {
    let value: Value
  }

  /// A value that is ignored.
  struct Ignored: Decodable {
    init(from decoder: any Decoder) {}
  }

  /// An element of the page.
  struct Element: Decodable {
    let id: String

    private enum CodingKeys: String, CodingKey {
      case id = "element-6066-11e4-a52e-4f735466cecf"
    }
  }

  /// Starts a headless browser.
  static func start(port: Int, binary: URL) async throws -> WebDriver {
    let driver = "http://127.0.0.1:\(port)/session"
    var arguments: [JSON] = [
      "--headless=new", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage", "--no-first-run",
      "--window-size=1280,900", "--force-device-scale-factor=1",
    ]
    // Chromium does not run as root in its sandbox.
    if geteuid() == 0 { arguments.append("--no-sandbox") }
    struct Started: Decodable {
      let sessionId: String
    }
    let capabilities: JSON = [
      "browserName": "chrome", "unhandledPromptBehavior": "ignore",
      "goog:chromeOptions": ["binary": .text(binary.path), "args": .list(arguments)],
    ]
    let started: Started = try await send(
      .POST,
      driver,
      ["capabilities": ["alwaysMatch": capabilities]]
    )
    return WebDriver(session: "\(driver)/\(started.sessionId)")
  }

  private static func send<Value: Decodable>(
    _ method: HTTPMethod,
    _ address: String,
    _ body: JSON? = nil
  ) async throws -> Value {
    var request = HTTPClientRequest(url: address)
    request.method = method
    if let body {
      request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
      request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(body)))
    }
    // The driver itself may hang.
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
    let data = Data(try await response.body.collect(upTo: 1 << 26).readableBytesView)
    guard response.status == .ok else {
      throw (try? JSONDecoder().decode(Reply<ErrorResponse>.self, from: data))?.value
        ?? ErrorResponse(error: "no reply", message: String(decoding: data, as: UTF8.self))
    }
    return try JSONDecoder().decode(Reply<Value>.self, from: data).value
  }

  private func post<Value: Decodable>(_ command: String, _ body: JSON = [:]) async throws -> Value {
    try await Self.send(.POST, "\(session)/\(command)", body)
  }

  private func get<Value: Decodable>(_ command: String) async throws -> Value {
    try await Self.send(.GET, "\(session)/\(command)")
  }

  /// Quits the browser.
  func quit() async {
    let _: Ignored? = try? await Self.send(.DELETE, session)
  }

  // MARK: Pages

  /// Opens a page and waits until it is loaded.
  func open(_ address: URL) async throws {
    let _: Ignored = try await post("url", ["url": .text(address.absoluteString)])
  }

  /// Returns the current address.
  func address() async throws -> String { try await get("url") }

  /// Returns the text of the open alert; `nil` if there is none.
  func alert() async throws -> String? {
    do { return try await get("alert/text") } catch let error as ErrorResponse
      where error.error == "no such alert"
    {
      return nil
    }
  }

  /// Runs a function body in the page and returns its result. Promises are awaited.
  func run<Value: Decodable>(_ script: String, _ arguments: JSON...) async throws -> Value {
    try await post("execute/sync", ["script": .text(script), "args": .list(arguments)])
  }

  // MARK: Elements

  /// Returns the first element that matches a CSS selector.
  func find(_ selector: String) async throws -> Element {
    try await post("element", ["using": "css selector", "value": .text(selector)])
  }

  /// Returns all elements that match a CSS selector.
  func findAll(_ selector: String) async throws -> [Element] {
    try await post("elements", ["using": "css selector", "value": .text(selector)])
  }

  /// Clicks an element, which must be visible and not covered.
  func click(_ element: Element) async throws {
    let _: Ignored = try await post("element/\(element.id)/click")
  }

  /// Returns the accessible name of an element.
  func label(of element: Element) async throws -> String {
    try await get("element/\(element.id)/computedlabel")
  }

  /// Presses keys in order.
  func press(_ keys: [Key]) async throws {
    let actions = keys.flatMap { key -> [JSON] in
      ["keyDown", "keyUp"].map { ["type": .text($0), "value": .text(key.rawValue)] }
    }
    let _: Ignored = try await post(
      "actions",
      ["actions": [["type": "key", "id": "keyboard", "actions": .list(actions)]]]
    )
  }

  /// Keys by their code points in WebDriver.
  enum Key: String {
    case tab = "\u{E004}"
    case enter = "\u{E007}"
    case escape = "\u{E00C}"
  }

  // MARK: Chromium

  /// Sends a command of the DevTools protocol.
  func devTools<Value: Decodable>(_ command: String, _ parameters: JSON = [:]) async throws -> Value {
    try await post("goog/cdp/execute", ["cmd": .text(command), "params": parameters])
  }

  /// Sets the size of the page in CSS pixels. Headless windows have a minimum width, so the size is emulated.
  func resize(width: Int, height: Int) async throws {
    let _: Ignored = try await devTools(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(width), "height": .number(height), "deviceScaleFactor": 1, "mobile": false,
      ]
    )
  }

  /// Sets the preferred color scheme.
  func prefer(_ scheme: ColorScheme) async throws {
    let _: Ignored = try await devTools(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": .text(scheme.rawValue)]]]
    )
  }

  enum ColorScheme: String, CaseIterable {
    case light, dark
  }

  /// Returns the role and the accessible name of each element, in order.
  func accessibleNames() async throws -> [(role: String, name: String)] {
    struct Tree: Decodable {
      struct Node: Decodable {
        let ignored: Bool
        let role: Text?
        let name: Text?
      }
      struct Text: Decodable {
        let value: String?
      }

      let nodes: [Node]
    }
    let tree: Tree = try await devTools("Accessibility.getFullAXTree")
    return tree.nodes.filter { !$0.ignored }.map { ($0.role?.value ?? "", $0.name?.value ?? "") }
  }

  /// Returns a screenshot of the complete page as PNG.
  func screenshot() async throws -> Data {
    struct Screenshot: Decodable {
      let data: Data
    }
    let screenshot: Screenshot = try await devTools(
      "Page.captureScreenshot",
      ["format": "png", "captureBeyondViewport": true, "optimizeForSpeed": true]
    )
    return screenshot.data
  }
}

/// A JSON value to send.
enum JSON: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  case text(String)
  case number(Int)
  case flag(Bool)
  case list([JSON])
  case object([String: JSON])

  init(stringLiteral value: String) { self = .text(value) }
  init(integerLiteral value: Int) { self = .number(value) }
  init(booleanLiteral value: Bool) { self = .flag(value) }
  init(arrayLiteral elements: JSON...) { self = .list(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements) { $1 })
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .flag(let flag): try container.encode(flag)
    case .list(let list): try container.encode(list)
    case .object(let object): try container.encode(object)
    }
  }
}
