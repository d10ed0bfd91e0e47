import ArgumentParser
import PriceTag

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The command: its verbs and its exit codes, on one screen.
@main
struct PriceTagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pricetag",
    abstract: "Prices as each store writes them.",
    discussion: """
      Every price is written by its own store's locale and currency. Nothing is converted, and nothing is rounded \
      unless a rounding mode is named.

      Exit codes: 0 done; 1 the work could not be done; 2 the command line is wrong; 3 done, with some input set aside or something found.

      Completion: pricetag --generate-completion-script bash|zsh|fish
      """,
    version: "PriceTag \(Versions.current.priceTag)",
    subcommands: [
      FormatCommand.self, StorefrontsCommand.self, ProductsCommand.self, ImportCommand.self,
      VerifyCommand.self,
      ExportCommand.self, BatchCommand.self, PagesCommand.self, ServeCommand.self, RecordCommand.self,
      CheckCommand.self,
      StringsCommand.self, VersionCommand.self,
    ]
  )

  static func main() {
    holdStandardStreams()
    // A file that becomes too large is an error of the write, which says so.
    signal(SIGXFSZ, SIG_IGN)
    requireUTF8Arguments()
    do {
      var command = try parseAsRoot(CommandLine.arguments.dropFirst().map(NegativeAmount.marked))
      try command.run()
    } catch let error as any ModuleError {
      fail(error.description)
    } catch {
      let code = exitCode(for: error)
      if code.isSuccess {
        StandardOutput.write(fullMessage(for: error) + "\n")
      } else if code == .validationFailure {
        let problem = NegativeAmount.unmarked(message: message(for: error)).split(separator: "\n").map {
          $0.drop { $0 == " " }
        }.joined(
          separator: " "
        )
        StandardError.write("pricetag: \(printable(problem, limit: 1000)) (pricetag help tells more)\n")
      }
      if !(error is ExitCode), !(error is ValidationError), code == .failure {
        StandardError.write("pricetag: \(printable("\(error)", limit: 1000))\n")
      }
      // ArgumentParser's 64 is 2 here; a verb's own code is kept.
      quit(code == .validationFailure ? 2 : code.rawValue)
    }
    quit(0)
  }

  /// Ends with exit code 2 where an argument is not UTF-8, such as the name of an old file: it could not be found.
  private static func requireUTF8Arguments() {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
        continue
      }
      StandardError.write(
        "pricetag: the argument \(quoted(String(cString: argument))) is not UTF-8: rename the file, or give its contents to standard input (-)\n"
      )
      quit(2)
    }
  }

  /// Ends with exit code 1 and one line.
  static func fail(_ message: String) -> Never {
    StandardOutput.flush()
    StandardError.write("pricetag: \(message)\n")
    quit(1)
  }
}

/// Tells ArgumentParser that a negative amount is no option.
enum NegativeAmount {
  private static let mark: Character = "\u{1}"

  static func marked(_ argument: String) -> String {
    let second = argument.dropFirst().first
    let isNegative = argument.first == "-" && (second?.isNumber == true || second == ".")
    return isNegative ? String(mark) + argument : argument
  }

  static func unmarked(_ text: String) -> String { text.first == mark ? String(text.dropFirst()) : text }

  /// A message about an argument, as it was written.
  static func unmarked(message: String) -> String { message.filter { $0 != mark } }
}

/// Counts what was answered and what was set aside, and tells the exit code.
struct Tally {
  private var answered = 0
  private var setAside = 0

  /// Does one piece of work; a failure is told on standard error, and the rest goes on.
  mutating func attempt(_ work: () throws(PriceTagError) -> Void) {
    do throws(PriceTagError) {
      try work()
      answered += 1
    } catch {
      setAside += 1
      // In the order of the answers, where both go to one terminal.
      StandardOutput.flush()
      StandardError.write("pricetag: \(error)\n")
    }
  }

  /// Counts what told its own failure.
  mutating func count(isAnswered: Bool) {
    if isAnswered { answered += 1 } else { setAside += 1 }
  }

  /// Ends with 1 where nothing was answered, with 3 where something was set aside.
  func finish() throws {
    if setAside > 0 { throw ExitCode(answered == 0 ? 1 : 3) }
  }
}
