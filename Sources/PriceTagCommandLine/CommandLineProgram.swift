import ArgumentParser
import PriceTag
import PriceTagText

/// What the executables `pricetag` and `pricetag-server` do before and after their verbs: the same messages and exit codes.
///
///     CommandLineProgram.prepare()
///     do {
///       var command = try PriceTagCommand.parseAsRoot(CommandLineProgram.arguments)
///       try command.run()
///     } catch { CommandLineProgram.end(PriceTagCommand.self, error) }
///     quit(0)
package enum CommandLineProgram {
  /// What messages begin with: `pricetag-server` where it was started by that name.
  ///
  /// `pricetag serve` starts the server by the name `pricetag`, so that its messages name the command that the user knows.
  package static let name: String = {
    let path = CommandLine.arguments.first ?? ""
    return path.split(separator: "/").last == "pricetag-server" ? "pricetag-server" : "pricetag"
  }()

  /// What `--version` prints, without the line's end. The command and the server compare it.
  package static var version: String { "PriceTag \(Versions.current.priceTag)" }

  /// The arguments as they are to be parsed.
  package static var arguments: [String] { CommandLine.arguments.dropFirst().map(NegativeAmount.marked) }

  /// Prepares the process: its standard streams, its signals, and arguments that are UTF-8.
  package static func prepare() {
    holdStandardStreams()
    // A file that becomes too large is an error of the write, which says so.
    signal(SIGXFSZ, SIG_IGN)
    requireUTF8Arguments()
  }

  /// Ends with exit code 2 where an argument is not UTF-8, such as the name of an old file: it could not be found.
  private static func requireUTF8Arguments() {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
        continue
      }
      StandardError.write(
        "\(name): the argument \(quoted(String(cString: argument))) is not UTF-8: rename the file, or give its contents to standard input (-)\n"
      )
      quit(2)
    }
  }

  /// Ends with what an error says: with its message and exit code, or with the help that was asked for.
  ///
  /// - Parameters:
  ///   - root: The executable's command.
  ///   - error: What parsing or running it threw.
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
      StandardError.write("\(name): \(printable(problem, limit: 1000)) (\(name) help tells more)\n")
    }
    if !(error is ExitCode), !(error is ValidationError), code == .failure {
      StandardError.write("\(name): \(printable("\(error)", limit: 1000))\n")
    }
    // ArgumentParser's 64 is 2 here; a verb's own code is kept.
    quit(code == .validationFailure ? 2 : code.rawValue)
  }

  /// Ends with exit code 1 and one line.
  package static func fail(_ message: String) -> Never {
    StandardOutput.flush()
    StandardError.write("\(name): \(message)\n")
    quit(1)
  }
}
