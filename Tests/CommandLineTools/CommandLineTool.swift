import Foundation

/// Runs the built command.
package struct CommandLineTool {
  package struct Outcome {
    package let command: String
    package let status: Int32
    package let output: String
    package let errors: String

    /// The command line, the status and the output, for the message of a failed test.
    package var report: String {
      "$ \(command)\nstatus \(status)\nstandard output:\n\(output)\nstandard error:\n\(errors)"
    }
  }

  /// The folder of the build, which contains the test bundle, its modules, the command and the examples.
  package static let products: URL = {
    let bundle = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let folders = sequence(first: bundle) {
      $0.pathComponents.count > 1 ? $0.deletingLastPathComponent() : nil
    }
    return folders.first {
      FileManager.default.fileExists(atPath: $0.appending(path: "Modules").path)
    } ?? bundle
  }()

  /// The built command.
  package static let binary = products.appending(path: "pricetag")

  package static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    try run(binary, arguments, environment)
  }

  /// The variables that configure the sanitizers of a build. Only `make soak` sets them.
  package static let sanitizerOptions = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
  }

  /// Whether `make soak` runs the tests with the thread sanitizer.
  package static let hasThreadSanitizer = sanitizerOptions["TSAN_OPTIONS"] != nil

  /// Runs a shell script, with `pricetag` and the examples on `PATH`.
  package static func shell(_ line: String, environment: [String: String] = [:]) throws -> Outcome {
    let path = "\(products.path):/usr/bin:/bin"
    // SwiftNIO makes the process of the tests ignore SIGPIPE, which programs inherit.
    return try run(
      URL(filePath: "/usr/bin/env"),
      ["--default-signal=PIPE", "/bin/bash", "-c", line],
      ["PATH": path].merging(environment) { $1 }
    )
  }

  /// Calls a closure with a temporary folder that has some files, and removes the folder.
  ///
  /// - Parameter files: The texts of the files, by their paths in the folder.
  package static func inFolder<Value>(
    _ files: KeyValuePairs<String, String> = [:],
    _ body: (URL) throws -> Value
  ) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      let file = folder.appending(path: name)
      let parent = file.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return try body(folder)
  }

  /// Runs a shell script in a temporary folder that has some files.
  package static func shell(_ line: String, with files: KeyValuePairs<String, String>) throws -> Outcome {
    try inFolder(files) { try shell("cd '\($0.path)'\n\(line)") }
  }

  package static func run(_ tool: URL, _ arguments: [String], _ environment: [String: String]) throws
    -> Outcome
  {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    // The environment is empty, except for the options of sanitizers.
    process.environment = ["HOME": "/nonexistent"].merging(sanitizerOptions) { $1 }
      .merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // Both are short, so neither pipe fills while the other is read.
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
