import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A browser, led as the W3C's WebDriver has it: https://www.w3.org/TR/webdriver2/.
struct WebDriver: Sendable {
  /// Where its session is led.
  private let session: String

  /// What a driver answers where it could not do something.
  struct Refusal: Error, Decodable, CustomStringConvertible {
    let error: String
    let message: String

    var description: String { "\(error): \(message)" }
  }

  private struct Reply<Value: Decodable>: Decodable {
    let value: Value
  }

  /// A value of no interest.
  struct Nothing: Decodable {
    init(from decoder: any Decoder) {}
  }

  /// An element of the page.
  struct Element: Decodable {
    let id: String

    private enum CodingKeys: String, CodingKey {
      case id = "element-6066-11e4-a52e-4f735466cecf"
    }
  }

  /// A new browser without a window.
  static func start(port: Int, binary: URL) async throws -> WebDriver {
    let driver = "http://127.0.0.1:\(port)/session"
    var arguments: [JSON] = [
      "--headless=new", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage", "--no-first-run",
      "--window-size=1280,900", "--force-device-scale-factor=1",
    ]
    // Chromium refuses to run as root in its sandbox.
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
    // A driver that waits for its browser for ever would be waited for.
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
    let data = Data(try await response.body.collect(upTo: 1 << 26).readableBytesView)
    guard response.status == .ok else {
      throw (try? JSONDecoder().decode(Reply<Refusal>.self, from: data))?.value
        ?? Refusal(error: "no reply", message: String(decoding: data, as: UTF8.self))
    }
    return try JSONDecoder().decode(Reply<Value>.self, from: data).value
  }

  private func post<Value: Decodable>(_ command: String, _ body: JSON = [:]) async throws -> Value {
    try await Self.send(.POST, "\(session)/\(command)", body)
  }

  private func get<Value: Decodable>(_ command: String) async throws -> Value {
    try await Self.send(.GET, "\(session)/\(command)")
  }

  /// Ends the browser.
  func quit() async {
    let _: Nothing? = try? await Self.send(.DELETE, session)
  }

  // MARK: Pages

  /// Goes to a page, and waits until it is loaded.
  func open(_ address: URL) async throws {
    let _: Nothing = try await post("url", ["url": .text(address.absoluteString)])
  }

  /// Where the browser is.
  func address() async throws -> String { try await get("url") }

  /// The text of an alert that is open; `nil` where none is.
  func alert() async throws -> String? {
    do { return try await get("alert/text") } catch let refusal as Refusal
      where refusal.error == "no such alert"
    {
      return nil
    }
  }

  /// Runs the body of a function in the page, and waits for what it returns, promises too.
  func run<Value: Decodable>(_ script: String, _ arguments: JSON...) async throws -> Value {
    try await post("execute/sync", ["script": .text(script), "args": .list(arguments)])
  }

  // MARK: Elements

  /// The first element of a CSS selector.
  func find(_ selector: String) async throws -> Element {
    try await post("element", ["using": "css selector", "value": .text(selector)])
  }

  /// All elements of a CSS selector.
  func findAll(_ selector: String) async throws -> [Element] {
    try await post("elements", ["using": "css selector", "value": .text(selector)])
  }

  /// Presses it with the mouse, as a person does: it has to be seen, and nothing may cover it.
  func click(_ element: Element) async throws {
    let _: Nothing = try await post("element/\(element.id)/click")
  }

  /// What a screen reader calls it.
  func label(of element: Element) async throws -> String {
    try await get("element/\(element.id)/computedlabel")
  }

  /// Presses keys, one after the other.
  func press(_ keys: [Key]) async throws {
    let actions = keys.flatMap { key -> [JSON] in
      ["keyDown", "keyUp"].map { ["type": .text($0), "value": .text(key.rawValue)] }
    }
    let _: Nothing = try await post(
      "actions",
      ["actions": [["type": "key", "id": "keyboard", "actions": .list(actions)]]]
    )
  }

  /// Keys by WebDriver's code points.
  enum Key: String {
    case tab = "\u{E004}"
    case enter = "\u{E007}"
    case escape = "\u{E00C}"
  }

  // MARK: Chromium's own

  /// A command of the DevTools protocol.
  func devTools<Value: Decodable>(_ command: String, _ parameters: JSON = [:]) async throws -> Value {
    try await post("goog/cdp/execute", ["cmd": .text(command), "params": parameters])
  }

  /// How wide the page is, in CSS pixels; headless windows themselves are never narrow.
  func resize(width: Int, height: Int) async throws {
    let _: Nothing = try await devTools(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(width), "height": .number(height), "deviceScaleFactor": 1, "mobile": false,
      ]
    )
  }

  /// What the page is told that its reader prefers.
  func prefer(_ scheme: ColorScheme) async throws {
    let _: Nothing = try await devTools(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": .text(scheme.rawValue)]]]
    )
  }

  enum ColorScheme: String, CaseIterable {
    case light, dark
  }

  /// What a screen reader is told of each element, in order: its role and its name.
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

  /// A picture of the whole page, as PNG.
  func screenshot() async throws -> Data {
    struct Picture: Decodable {
      let data: Data
    }
    let picture: Picture = try await devTools(
      "Page.captureScreenshot",
      ["format": "png", "captureBeyondViewport": true, "optimizeForSpeed": true]
    )
    return picture.data
  }
}

/// JSON to send.
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
