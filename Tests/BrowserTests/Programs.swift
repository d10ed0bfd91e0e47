import CommandLineTools
import Foundation

/// External programs: the built command, and the tools that the tests need.
enum Programs {
  /// The package's folder.
  static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The built command.
  static let pricetag: URL? = isProgram(CommandLineTool.binary) ? CommandLineTool.binary : nil

  /// Tools that `Scripts/setup/setup-browser` installs. Tests of a missing tool are skipped.
  static let chromium = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap(find).first
  static let chromedriver = find("chromedriver")
  static let firefox = ["firefox-esr", "firefox"].lazy.compactMap(find).first
  static let python = find("python3")
  static let java = find("java")
  /// Tools that `Scripts/setup/setup-browser` downloads.
  static let axe = tool("axe.min.js")
  static let nu = tool("vnu.jar")

  /// The folder of the kernel for browsers, which `make kernel` writes.
  static let kernel: URL? = {
    let folder = package.appending(path: ".build/kernel")
    let files = ["pricetag.js", "price-tag.js", "pricetag.wasm", "phrases.js", "pricetag-full.wasm"]
    return files.allSatisfy { FileManager.default.isReadableFile(atPath: folder.appending(path: $0).path) }
      ? folder : nil
  }()

  private static func tool(_ name: String) -> URL? {
    let file = package.appending(path: ".build/tools/\(name)")
    return FileManager.default.isReadableFile(atPath: file.path) ? file : nil
  }

  private static func find(_ name: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").lazy.map { URL(filePath: String($0)).appending(path: name) }.first(
      where: isProgram
    )
  }

  private static func isProgram(_ file: URL) -> Bool {
    FileManager.default.isExecutableFile(atPath: file.path)
  }

  /// The result of a program.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs a program to completion. Its output goes to files, because a full pipe would block it.
  static func run(_ program: URL, _ arguments: [String]) throws -> Outcome {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (folder.appending(path: "output"), folder.appending(path: "errors"))
    process.standardOutput = try emptyFile(output)
    process.standardError = try emptyFile(errors)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationReason == .uncaughtSignal
        ? 128 + process.terminationStatus : process.terminationStatus,
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self)
    )
  }

  private static func emptyFile(_ file: URL) throws -> FileHandle {
    try Data().write(to: file)
    return try FileHandle(forWritingTo: file)
  }

  /// Creates a folder, which the caller must remove.
  static func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}

/// A local server that prints its port when it starts. It ends together with the test process.
struct LocalServer {
  let port: Int
  private let process = Process()
  private let lifeline = Pipe()

  /// A shell script that ends the server and its child processes when standard input closes, even if the test run is
  /// killed. Swift's thread pools block signals, and child processes would inherit that: a driver would miss the end of its
  /// browser, and a server could not be terminated. So the script resets the signals.
  private static let withLifeline = """
    setsid env --default-signal "$@" & server=$!
    exec >/dev/null
    cat
    kill -- "-$server" 2>/dev/null
    wait "$server"
    """

  /// Starts a program that prints `… port 12345 …`, or `… on port 12345.`
  init(_ program: URL, _ arguments: [String]) throws {
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.withLifeline, "sh", program.path] + arguments
    // A service rejects settings that it does not know.
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PRICETAG_") }
    process.standardInput = lifeline
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    var port: Int?
    while port == nil {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else {
        try? lifeline.fileHandleForWriting.close()
        throw Failure(description: "\(program.lastPathComponent) printed no port: \(text)")
      }
      text += String(decoding: data, as: UTF8.self)
      port = text.firstMatch(of: #/port ([1-9][0-9]*)[ .]/#).flatMap { Int($0.1) }
    }
    self.port = port ?? 0
  }

  /// Starts headless Firefox, which writes the port of Marionette into its profile.
  init(firefox: URL, profile: URL) throws {
    try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
    try Data("user_pref(\"marionette.port\", 0);\n".utf8).write(to: profile.appending(path: "user.js"))
    let script = """
      "$1" --headless --no-remote --marionette --remote-allow-system-access --profile "$2" about:blank >/dev/null 2>&1 &
      until [ -s "$2/MarionetteActivePort" ]; do kill -0 $! && sleep 0.1 || exit 1; done
      echo "port $(cat "$2/MarionetteActivePort") "
      wait
      """
    try self.init(URL(filePath: "/bin/sh"), ["-c", script, "sh", firefox.path, profile.path])
  }

  func stop() {
    try? lifeline.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

/// The reason why a test could not run.
struct Failure: Error, CustomStringConvertible {
  let description: String
}
