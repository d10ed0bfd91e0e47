import Foundation

/// Programs of this machine: the built command, and what the checks need.
enum Programs {
  /// The package's own folder.
  static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The built command, beside the test bundle's own executable, where the package manager puts it.
  static let pricetag: URL? = {
    let bundle = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    let folders = sequence(first: bundle.deletingLastPathComponent()) {
      $0.pathComponents.count > 1 ? $0.deletingLastPathComponent() : nil
    }
    return folders.lazy.map { $0.appending(path: "pricetag") }.first(where: isProgram)
  }()

  /// What `Scripts/setup-browser` installs; `nil` for what is not there, whose checks are skipped.
  static let chromium = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap(find).first
  static let chromedriver = find("chromedriver")
  static let python = find("python3")
  static let java = find("java")
  /// What it fetches.
  static let axe = tool("axe.min.js")
  static let nu = tool("vnu.jar")

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

  /// What a program did.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs a program to its end. What it writes goes through files: no pipe fills, however much it is.
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

  /// A new folder; whoever asked for it removes it.
  static func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}

/// A server on this machine. It says at its start which port it took, and ends with whoever started it.
struct LocalServer {
  let port: Int
  private let process = Process()
  private let leash = Pipe()

  /// Ends the server, and all that it started, when its standard input does: so they go too where a test run is killed.
  /// A thread of Swift's pools blocks signals, and what it starts would: a driver that does not hear of its browser's end
  /// waits for it, and a server could not be ended.
  private static let onALeash = """
    setsid env --default-signal "$@" & server=$!
    exec >/dev/null
    cat
    kill -- "-$server" 2>/dev/null
    wait "$server"
    """

  /// Starts a program that prints `… port 12345 …`, or `… on port 12345.`
  init(_ program: URL, _ arguments: [String]) throws {
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.onALeash, "sh", program.path] + arguments
    process.standardInput = leash
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    var port: Int?
    while port == nil {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else {
        try? leash.fileHandleForWriting.close()
        throw Failure(description: "\(program.lastPathComponent) named no port: \(text)")
      }
      text += String(decoding: data, as: UTF8.self)
      port = text.firstMatch(of: #/port ([1-9][0-9]*)[ .]/#).flatMap { Int($0.1) }
    }
    self.port = port ?? 0
  }

  func stop() {
    try? leash.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

/// Why a check could not be made.
struct Failure: Error, CustomStringConvertible {
  let description: String
}
