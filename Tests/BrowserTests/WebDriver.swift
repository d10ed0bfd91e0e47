import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A browser that runs the commands of the W3C's WebDriver: https://www.w3.org/TR/webdriver2/.
struct WebDriver: Sendable {
  /// The connection to the browser.
  private let session: Session

  private enum Session {
    /// The address of chromedriver's session.
    case chromedriver(String)
    case firefox(Marionette)
  }

  /// An error response of the driver.
  struct ErrorResponse: Error, Decodable, CustomStringConvertible {
    let error: String
    let message: String

    var description: String { "\(error): \(message)" }
  }

  struct Reply<Value: Decodable>: Decodable {
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

  /// A command: its method and path in HTTP, and its name in Marionette.
  private struct Command {
    let method: HTTPMethod
    let path: String
    let name: String

    static func get(_ path: String, _ name: String) -> Command {
      Command(method: .GET, path: path, name: name)
    }
    static func post(_ path: String, _ name: String) -> Command {
      Command(method: .POST, path: path, name: name)
    }
  }

  /// Starts headless Chromium.
  static func chromium(port: Int, binary: URL) async throws -> WebDriver {
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
      "browserName": "chrome", "unhandledPromptBehavior": "ignore", "timeouts": ["script": 600_000],
      "goog:chromeOptions": ["binary": .text(binary.path), "args": .list(arguments)],
    ]
    let started: Started = try await request(
      .POST,
      driver,
      .object(["capabilities": ["alwaysMatch": capabilities]])
    )
    return WebDriver(session: .chromedriver("\(driver)/\(started.sessionId)"))
  }

  /// Connects to a headless Firefox that listens at a port.
  static func firefox(port: Int) async throws -> WebDriver {
    let marionette = try Marionette(port: port)
    let _: Ignored = try await marionette.send(
      "WebDriver:NewSession",
      ["unhandledPromptBehavior": "ignore", "timeouts": ["script": 600_000]]
    )
    return WebDriver(session: .firefox(marionette))
  }

  /// Sends a request to chromedriver.
  private static func request<Value: Decodable>(
    _ method: HTTPMethod,
    _ address: String,
    _ body: JSON?
  ) async throws -> Value {
    var request = HTTPClientRequest(url: address)
    request.method = method
    if let body {
      request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
      request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(body)))
    }
    // The driver itself may hang.
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(600))
    let data = Data(try await response.body.collect(upTo: 1 << 26).readableBytesView)
    guard response.status == .ok else {
      throw (try? JSONDecoder().decode(Reply<ErrorResponse>.self, from: data))?.value
        ?? ErrorResponse(error: "no reply", message: String(decoding: data, as: UTF8.self))
    }
    return try JSONDecoder().decode(Reply<Value>.self, from: data).value
  }

  private func send<Value: Decodable & Sendable>(
    _ command: Command,
    _ parameters: [String: JSON] = [:],
    of element: Element? = nil
  ) async throws -> Value {
    switch session {
    case .chromedriver(let address):
      let path = element.map { "element/\($0.id)/\(command.path)" } ?? command.path
      let body = command.method == .POST ? JSON.object(parameters) : nil
      return try await Self.request(command.method, "\(address)/\(path)", body)
    case .firefox(let marionette):
      let id = element.map { ["id": JSON.text($0.id)] } ?? [:]
      return try await marionette.send(command.name, parameters.merging(id) { first, _ in first })
    }
  }

  /// Quits the browser.
  func quit() async {
    switch session {
    case .chromedriver(let address): let _: Ignored? = try? await Self.request(.DELETE, address, nil)
    case .firefox(let marionette): let _: Ignored? = try? await marionette.send("Marionette:Quit")
    }
  }

  // MARK: Pages

  /// Opens a page and waits until it is loaded.
  func open(_ address: URL) async throws {
    let _: Ignored = try await send(
      .post("url", "WebDriver:Navigate"),
      ["url": .text(address.absoluteString)]
    )
  }

  /// Returns the current address.
  func address() async throws -> String { try await send(.get("url", "WebDriver:GetCurrentURL")) }

  /// Returns the text of the open alert; `nil` if there is none.
  func alert() async throws -> String? {
    do { return try await send(.get("alert/text", "WebDriver:GetAlertText")) } catch let error
      as ErrorResponse
      where error.error == "no such alert"
    {
      return nil
    }
  }

  /// Runs a function body in the page and returns its result. Promises are awaited.
  func run<Value: Decodable & Sendable>(_ script: String, _ arguments: JSON...) async throws -> Value {
    try await run(script, arguments)
  }

  private func run<Value: Decodable & Sendable>(_ script: String, _ arguments: [JSON]) async throws -> Value {
    try await send(
      .post("execute/sync", "WebDriver:ExecuteScript"),
      ["script": .text(script), "args": .list(arguments)]
    )
  }

  /// Waits until an expression is true in the page.
  private func wait(_ expression: String, _ arguments: JSON...) async throws {
    let _: Bool = try await run(
      "return new Promise((done) => { const check = () => \(expression) ? done(true) : setTimeout(check, 10); check(); });",
      arguments
    )
  }

  // MARK: Elements

  /// Returns the first element that matches a CSS selector.
  func find(_ selector: String) async throws -> Element {
    try await send(
      .post("element", "WebDriver:FindElement"),
      ["using": "css selector", "value": .text(selector)]
    )
  }

  /// Returns all elements that match a CSS selector.
  func findAll(_ selector: String) async throws -> [Element] {
    try await send(
      .post("elements", "WebDriver:FindElements"),
      ["using": "css selector", "value": .text(selector)]
    )
  }

  /// Clicks an element, which must be visible and not covered.
  func click(_ element: Element) async throws {
    let _: Ignored = try await send(.post("click", "WebDriver:ElementClick"), of: element)
  }

  /// Returns the accessible name of an element.
  func label(of element: Element) async throws -> String {
    try await send(.get("computedlabel", "WebDriver:GetComputedLabel"), of: element)
  }

  /// Presses keys in order.
  func press(_ keys: [Key]) async throws {
    let actions = keys.flatMap { key -> [JSON] in
      ["keyDown", "keyUp"].map { ["type": .text($0), "value": .text(key.rawValue)] }
    }
    let _: Ignored = try await send(
      .post("actions", "WebDriver:PerformActions"),
      ["actions": [["type": "key", "id": "keyboard", "actions": .list(actions)]]]
    )
  }

  /// Keys by their code points in WebDriver.
  enum Key: String {
    case tab = "\u{E004}"
    case enter = "\u{E007}"
    case escape = "\u{E00C}"
  }

  // MARK: Screen

  /// Sets the size of the page in CSS pixels. Windows have a minimum width, so the size is that of the page alone.
  func resize(width: Int, height: Int) async throws {
    switch session {
    case .chromedriver:
      let _: Ignored = try await devTools(
        "Emulation.setDeviceMetricsOverride",
        [
          "width": .number(width), "height": .number(height), "deviceScaleFactor": 1, "mobile": false,
        ]
      )
    case .firefox(let marionette):
      try await marionette.inWindow(
        """
        const { style } = window.gBrowser.selectedBrowser;
        for (const prefix of ["", "min-", "max-"]) {
          style.setProperty(`${prefix}width`, `${arguments[0]}px`);
          style.setProperty(`${prefix}height`, `${arguments[1]}px`);
        }
        """,
        .number(width),
        .number(height)
      )
      try await wait(
        "innerWidth === arguments[0] && innerHeight === arguments[1]",
        .number(width),
        .number(height)
      )
    }
  }

  /// Sets the preferred color scheme, and whether the system replaces colors by a few with high contrast.
  func prefer(_ scheme: ColorScheme, forcedColors: Bool = false) async throws {
    switch session {
    case .chromedriver:
      let _: Ignored = try await devTools(
        "Emulation.setEmulatedMedia",
        [
          "features": [
            ["name": "prefers-color-scheme", "value": .text(scheme.rawValue)],
            ["name": "forced-colors", "value": forcedColors ? "active" : "none"],
          ]
        ]
      )
    case .firefox(let marionette):
      try await marionette.inWindow(
        """
        Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", arguments[0]);
        Services.prefs.setIntPref("browser.display.document_color_use", arguments[1]);
        """,
        .number(scheme == .dark ? 0 : 1),
        .number(forcedColors ? 2 : 1)
      )
      try await wait(
        "matchMedia(arguments[0]).matches",
        .text("(prefers-color-scheme: \(scheme)) and (forced-colors: \(forcedColors ? "active" : "none"))")
      )
    }
  }

  enum ColorScheme: String, CaseIterable {
    case light, dark
  }

  // MARK: Chromium

  /// Sends a command of Chromium's DevTools protocol.
  func devTools<Value: Decodable>(_ command: String, _ parameters: JSON = [:]) async throws -> Value {
    guard case .chromedriver(let address) = session else {
      throw Failure(description: "\(command): only Chromium has this command")
    }
    return try await Self.request(
      .POST,
      "\(address)/goog/cdp/execute",
      .object(["cmd": .text(command), "params": parameters])
    )
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
