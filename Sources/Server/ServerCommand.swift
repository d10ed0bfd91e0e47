import ArgumentParser
import PriceTagCommandLine

/// The command `pricetag-server`. `pricetag serve` and `pricetag products --identifiers URL` run its verbs.
@main
struct ServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandLineProgram.name,
    abstract: "Serve prices, and fetch lists of product identifiers.",
    discussion: """
      Contains the network functions of PriceTag. The commands pricetag serve and pricetag products --identifiers URL \
      run pricetag-server; both executables must have the same version.

      Exit codes: 0 done; 1 the work could not be done; 2 the command line is wrong; 3 done, with rejected input.
      """,
    version: CommandLineProgram.version,
    subcommands: [ServeCommand.self, FetchIdentifiersCommand.self]
  )

  static func main() {
    CommandLineProgram.prepare()
    do {
      var command = try parseAsRoot(CommandLineProgram.arguments)
      try command.run()
    } catch {
      CommandLineProgram.end(Self.self, error)
    }
    quit(0)
  }
}
