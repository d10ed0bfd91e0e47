import ArgumentParser
import PriceTagCommandLine

/// Runs the command line of the process, and exits.
package func runCommand() { PriceTagCommand.main() }

/// The command `pricetag`, with its verbs and exit codes.
struct PriceTagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pricetag",
    abstract: "Format prices strictly by each store's locale and currency.",
    discussion: """
      The locale and currency of the storefront determine how a price is formatted. Amounts are never converted to \
      another currency, and never rounded unless an option allows rounding. Data goes to standard output, everything else \
      to standard error.

      Examples:
        pricetag format --storefront JPN 1200
        pricetag batch prices.csv -o formatted.csv
        pricetag help batch

      Exit codes: 0 done; 1 the work could not be done; 2 the command line is wrong; 3 done, with rejected input or findings.

      Shell completion: pricetag --generate-completion-script bash|zsh|fish
      """,
    version: CommandLineProgram.version,
    subcommands: [
      FormatCommand.self, ReadCommand.self, StorefrontsCommand.self, ProductsCommand.self, ImportCommand.self,
      VerifyCommand.self, EndingsCommand.self,
      ExportCommand.self, BatchCommand.self, PackCommand.self, PagesCommand.self, ReceiptCommand.self,
      ServeCommand.self,
      RecordCommand.self, ExpectCommand.self,
      CheckCommand.self,
      StringsCommand.self, VersionCommand.self,
    ]
  )

  static func main() {
    CommandLineProgram.prepare()
    let arguments = CommandLineProgram.arguments
    do {
      if let quick = QuickArguments(arguments) { quit(try quick.run()) }
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      CommandLineProgram.end(Self.self, error)
    }
    quit(0)
  }
}

/// Counts successes and failures, and determines the exit code.
struct Tally {
  private var succeeded = 0
  private var failed = 0

  /// Calls a closure, and prints its error to standard error.
  mutating func attempt(_ work: () throws -> Void) {
    do {
      try work()
      succeeded += 1
    } catch {
      failed += 1
      // Keeps the order of output and errors on a terminal.
      StandardOutput.flush()
      StandardError.write("pricetag: \(error)\n")
    }
  }

  /// Counts a success, or a failure that is already reported.
  mutating func count(isSuccess: Bool) {
    if isSuccess { succeeded += 1 } else { failed += 1 }
  }

  /// 0 without failures, 1 without successes, else 3.
  var exitCode: Int32 { failed == 0 ? 0 : succeeded == 0 ? 1 : 3 }

  /// Throws the exit code unless it is 0.
  func finish() throws {
    if exitCode != 0 { throw ExitCode(exitCode) }
  }
}
