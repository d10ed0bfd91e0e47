import ArgumentParser
import PriceTag
import PriceTagSystem
import PriceTagText

/// Starts and ends the executables `pricetag` and `pricetag-server`, with the same messages and exit codes.
///
///     CommandLineProgram.prepare()
///     do {
///       var command = try PriceTagCommand.parseAsRoot(CommandLineProgram.arguments)
///       try command.run()
///     } catch { CommandLineProgram.end(PriceTagCommand.self, error) }
///     quit(0)
package enum CommandLineProgram {
  /// The name at the start of messages.
  ///
  /// `pricetag serve` starts the server with the name `pricetag`, so that its messages name the command that the user ran.
  package static let name: String = {
    let path = CommandLine.arguments.first ?? ""
    return path.split(separator: "/").last == "pricetag-server" ? "pricetag-server" : "pricetag"
  }()

  /// The line that `--version` prints. The command compares it with that of the server.
  package static var version: String { "PriceTag \(Versions.current.priceTag)" }

  /// The arguments to parse, with negative amounts marked.
  package static var arguments: [String] { CommandLine.arguments.dropFirst().map(NegativeAmount.marked) }

  /// Prepares the standard streams and signals, and checks that the arguments are UTF-8.
  package static func prepare() {
    occupyClosedStandardStreams()
    // Then a write to a file that becomes too large fails with EFBIG.
    signal(SIGXFSZ, SIG_IGN)
    requireUTF8Arguments()
  }

  /// Exits with code 2 if an argument is not UTF-8, such as the name of an old file: Swift would change its bytes.
  private static func requireUTF8Arguments() {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
        continue
      }
      StandardError.write(
        "\(name): the argument \(quoted(String(cString: argument))) is not UTF-8; rename the file, or pass its contents to standard input (-)\n"
      )
      quit(2)
    }
  }

  /// Returns the error of an invalid setting, such as an environment variable, as one of the command line. The program then
  /// exits with code 2, after which a service manager does not start it again. A file that cannot be read may appear later,
  /// so that its error stays.
  package static func settingError(_ error: any Error) -> any Error {
    guard let error = error as? any ModuleError, error.code.rawValue != "unreadable-file" else {
      return error
    }
    return ValidationError(error.description)
  }

  /// Prints an error and exits with its code, or prints the requested help or version and exits with code 0.
  ///
  /// - Parameters:
  ///   - root: The root command of the executable.
  ///   - error: The error that parsing or running it threw.
  package static func end(_ root: (some ParsableCommand).Type, _ error: any Error) -> Never {
    if let error = error as? any ModuleError { fail(error.description) }
    let code = root.exitCode(for: error)
    if code.isSuccess {
      StandardOutput.write(root.fullMessage(for: error) + "\n")
    } else if code == .validationFailure {
      let problem = NegativeAmount.unmarked(message: root.message(for: error)).split(separator: "\n").map {
        $0.drop { $0 == " " }
      }.joined(
        separator: " "
      )
      StandardError.write("\(name): \(printable(problem, limit: 1000)) (see \(name) help)\n")
    }
    if !(error is ExitCode), !(error is ValidationError), code == .failure {
      StandardError.write("\(name): \(printable("\(error)", limit: 1000))\n")
    }
    // ArgumentParser's exit code 64 becomes 2. The exit code of a verb stays.
    quit(code == .validationFailure ? 2 : code.rawValue)
  }

  /// Prints a one-line message and exits with code 1.
  package static func fail(_ message: String) -> Never {
    StandardOutput.flush()
    StandardError.write("\(name): \(message)\n")
    quit(1)
  }
}
