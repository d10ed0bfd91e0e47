import Foundation
import Testing

/// The built command, run as a person runs it.
struct CommandLineTool {
  struct Outcome {
    let command: String
    let status: Int32
    let output: String
    let errors: String

    /// What a failing test prints.
    var report: String {
      "$ \(command)\nstatus \(status)\nstandard output:\n\(output)\nstandard error:\n\(errors)"
    }
  }

  /// Beside the test bundle's own executable, where the package manager puts it.
  static let binary: URL = {
    let bundle = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    let candidates = sequence(first: bundle.deletingLastPathComponent()) {
      $0.pathComponents.count > 1 ? $0.deletingLastPathComponent() : nil
    }
    let found = candidates.lazy.map { $0.appending(path: "pricetag") }.first {
      FileManager.default.isExecutableFile(atPath: $0.path)
    }
    return found ?? bundle
  }()

  static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    try run(binary, arguments, environment)
  }

  /// A line of shell, with `pricetag` on the PATH.
  static func shell(_ line: String, environment: [String: String] = [:]) throws -> Outcome {
    let path = "\(binary.deletingLastPathComponent().path):/usr/bin:/bin"
    return try run(URL(filePath: "/bin/bash"), ["-c", line], ["PATH": path].merging(environment) { $1 })
  }

  static func run(_ tool: URL, _ arguments: [String], _ environment: [String: String]) throws
    -> Outcome
  {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    // Of the test's own environment only what tells a sanitizer its options.
    let sanitizer = ProcessInfo.processInfo.environment.filter { $0.key == "ASAN_OPTIONS" }
    process.environment = ["HOME": "/nonexistent"].merging(sanitizer) { $1 }.merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // Both are short: neither fills its pipe while the other is read.
    let outputData = output.fileHandleForReading.readDataToEndOfFile()
    let errorData = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      command: ([tool.lastPathComponent] + arguments).joined(separator: " "),
      status: process.terminationReason == .uncaughtSignal
        ? 128 + process.terminationStatus : process.terminationStatus,
      output: String(decoding: outputData, as: UTF8.self),
      errors: String(decoding: errorData, as: UTF8.self)
    )
  }
}
