import CommandLineTools
import Foundation
import Testing

/// `pricetag serve` finds the server, compares the versions, and runs it.
@Suite struct ServerExecutableTests {
  /// A folder that has the command, but no server.
  private struct Installation {
    let folder: URL
    var command: URL { folder.appending(path: "bin/pricetag") }

    init() throws {
      // Symbolic links are resolved, as in the messages of the command.
      folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appending(
        path: "pricetag-\(UUID().uuidString)"
      )
      try FileManager.default.createDirectory(
        at: folder.appending(path: "bin"),
        withIntermediateDirectories: true
      )
      // A hard link would change the status of the built command, by which `pricetag pages` knows whether it was replaced.
      // Another process copies it, because a file that is open for writing in a process that starts others cannot be run.
      let copy = try CommandLineTool.run(
        URL(filePath: "/bin/cp"),
        [CommandLineTool.binary.path, command.path],
        [:]
      )
      try #require(copy.status == 0, "\(copy.report)")
    }

    /// Writes a server that prints a version, and otherwise runs a script.
    func writeServer(in name: String = "bin", version: String, script: String = "exit 9") throws {
      let place = folder.appending(path: name)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let server = place.appending(path: "pricetag-server")
      try Data(
        "#!/bin/sh\ncase \"$1\" in --version) \(version);; *) \(script);; esac\n".utf8
      ).write(to: server)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: server.path)
    }

    func run(_ arguments: [String], path: String? = nil) throws -> CommandLineTool.Outcome {
      try CommandLineTool.run(command, arguments, path.map { ["PATH": $0] } ?? [:])
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
  }

  private static func installation(_ body: (Installation) throws -> Void) throws {
    let installation = try Installation()
    defer { installation.remove() }
    try body(installation)
  }

  private static let server = CommandLineTool.binary.deletingLastPathComponent().appending(
    path: "pricetag-server"
  )

  /// `PriceTag 0.1.0`, as both executables print it.
  private static func version() throws -> String {
    try String(CommandLineTool.run(["--version"]).output.dropLast())
  }

  // MARK: Search

  @Test(arguments: [
    ["serve", "shop.json"],
    ["products", "shop.json", "--storefront", "USA", "--identifiers", "https://shop.example/list.json"],
  ])
  func failsWithoutServer(arguments: [String]) throws {
    try Self.installation { installation in
      let shop = StructureTests.root.appending(path: "Examples/rocket-garage.json")
      let outcome = try installation.run(arguments.map { $0 == "shop.json" ? shop.path : $0 })
      #expect(
        outcome.errors
          == "pricetag: pricetag-server is neither in \"\(installation.folder.path)/bin\" nor on PATH; build it with make build, or install the package pricetag-server\n",
        "\(outcome.report)"
      )
      #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome.report)")
    }
  }

  typealias Search = (name: String, beside: Bool, path: [String], found: String?)

  /// The folders of PATH are in the installation folder.
  static let searches: [Search] = [
    ("beside the command", true, [], "bin"),
    ("beside the command before PATH", true, ["first"], "bin"),
    ("on PATH", false, ["nothing", "first", "second"], "first"),
    ("an empty entry of PATH", false, [""], nil),
    ("a relative entry of PATH", false, ["."], nil),
    ("nowhere", false, ["nothing"], nil),
  ]

  @Test(arguments: searches) func findsServer(_ search: Search) throws {
    try Self.installation { installation in
      let version = "echo '\(try Self.version())'"
      for place in ["first", "second"] + (search.beside ? ["bin"] : []) {
        try installation.writeServer(in: place, version: version, script: "echo \(place)")
      }
      let path = search.path.map { $0.isEmpty || $0 == "." ? $0 : "\(installation.folder.path)/\($0)" }
      let outcome = try installation.run(
        ["serve", "shop.json"],
        path: path.isEmpty ? nil : path.joined(separator: ":")
      )
      #expect(outcome.output == (search.found.map { "\($0)\n" } ?? ""), "\(search.name): \(outcome.report)")
      #expect((outcome.status == 0) == (search.found != nil), "\(search.name): \(outcome.report)")
    }
  }

  /// The command resolves symbolic links before the search.
  @Test func findsServerForLinkedCommand() throws {
    try Self.installation { installation in
      let link = installation.folder.appending(path: "pricetag")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: CommandLineTool.binary)
      let outcome = try CommandLineTool.run(link, ["serve", "/nonexistent/shop.json"], [:])
      #expect(outcome.status == 1, "\(outcome.report)")
      #expect(outcome.errors.contains("/nonexistent/shop.json"), "\(outcome.report)")
      #expect(!outcome.errors.contains("pricetag-server"), "\(outcome.report)")
    }
  }

  // MARK: Versions

  @Test func failsForOtherVersion() throws {
    try Self.installation { installation in
      try installation.writeServer(version: "echo 'PriceTag 9.9.9'")
      let outcome = try installation.run(["serve", "shop.json"])
      let folder = "\(installation.folder.path)/bin"
      #expect(
        outcome.errors
          == "pricetag: the server \"\(folder)/pricetag-server\" is \"PriceTag 9.9.9\", and the command \"\(folder)/pricetag\" is \"\(try Self.version())\"; build or install both from one release\n",
        "\(outcome.report)"
      )
      #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome.report)")
    }
  }

  /// A process that ignores SIGCHLD cannot read how its children end, so the command restores the default.
  @Test func readsVersionWithIgnoredSIGCHLD() throws {
    try Self.installation { installation in
      try installation.writeServer(
        version: "echo '\(try Self.version())'",
        script: "echo served"
      )
      let line = "exec env --ignore-signal=CHLD '\(installation.command.path)' serve shop.json"
      let outcome = try CommandLineTool.shell(line)
      #expect(outcome.output == "served\n" && outcome.status == 0, "\(outcome.report)")
    }
  }

  typealias BrokenServer = (script: String, reason: String)

  static let brokenServers: [BrokenServer] = [
    ("exit 3", "exit code 3"), ("echo hello", "exit code 0"), ("kill -9 $$", "signal 9"),
    ("while :; do echo 'PriceTag 1'; done", "output limit exceeded"),
  ]

  @Test(arguments: brokenServers) func failsForServerWithoutVersion(_ broken: BrokenServer) throws {
    try Self.installation { installation in
      try installation.writeServer(version: broken.script)
      let outcome = try installation.run(["serve", "shop.json"])
      #expect(
        outcome.errors
          == "pricetag: \"\(installation.folder.path)/bin/pricetag-server\" does not print its version (\(broken.reason)); build or install pricetag-server again\n",
        "\(outcome.report)"
      )
      #expect(outcome.status == 1, "\(outcome.report)")
    }
  }

  // MARK: Running

  /// The server has the process, arguments and exit code of the command, and the command's name in messages.
  @Test func replacesProcess() throws {
    try Self.installation { installation in
      try installation.writeServer(
        version: "echo '\(try Self.version())'",
        script: #"printf '%s\n' "$$" "$@"; sed -n 's/^SigIgn:.//p' /proc/$$/status; exit 7"#
      )
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["--default-signal", installation.command.path, "serve", "a b.json", "--port", "0"]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 7)
      let lines = text.split(separator: "\n").map(String.init)
      #expect(lines.prefix(5) == ["\(process.processIdentifier)", "serve", "a b.json", "--port", "0"])
      // The command itself ignores SIGXFSZ. The two highest signals are the C library's.
      let ignored = try #require(UInt64(lines.last ?? "", radix: 16))
      #expect(lines.count == 6 && ignored & 0x7FFF_FFFF == 0, "\(lines)")
    }
  }

  // MARK: Command line

  @Test func printsHelpOfServe() throws {
    let help = try CommandLineTool.run(["help", "serve"])
    #expect(help.status == 0 && help.errors.isEmpty)
    for part in [
      "USAGE: pricetag serve ", "LISTENING:", "LIMITS:", "PAGES:", "READING FILES:", "LOCALE DATA:",
      "--max-connections-per-client", "--tls-certificate",
    ] {
      #expect(help.output.contains(part), "\(part): \(help.report)")
    }
    #expect(try CommandLineTool.run(["serve", "--help"]).output == help.output)
    for shell in ["bash", "zsh", "fish"] {
      let script = try CommandLineTool.run(["--generate-completion-script", shell]).output
      #expect(script.contains("max-connections-per-client") && script.contains("settle-seconds"), "\(shell)")
    }
  }

  /// The command and the server reject the same command lines, with the same message and exit code.
  @Test(arguments: [
    ["serve", "shop.json", "--prot", "80"], ["serve", "shop.json", "--port", "x"],
    ["serve", "shop.json", "--port", "-5"], ["serve", "a.json", "b.json"], ["serve"],
    ["serve", "shop.json", "--port"], ["serve", "shop.json", "--port", "70000"],
    ["serve", "shop.json", "--prices-of", "USA", "--reinterpret-as", "JPN"],
    ["serve", "shop.json", "--log-level", "loud"], ["serve", "shop.json", "--at", "2026-02-30"],
  ])
  func rejectsWrongCommandLines(arguments: [String]) throws {
    let command = try CommandLineTool.run(arguments)
    let server = try CommandLineTool.run(Self.server, arguments, [:])
    #expect(command.status == 2 && command.output.isEmpty, "\(command.report)")
    #expect(server.status == 2 && server.output.isEmpty, "\(server.report)")
    #expect(command.errors.hasPrefix("pricetag: "), "\(command.report)")
    #expect(
      command.errors
        == server.errors.replacing("pricetag-server: ", with: "pricetag: ")
        .replacing("pricetag-server help", with: "pricetag help"),
      "\(server.report)"
    )
  }

  /// Variables can combine options that the command line rejects.
  @Test func rejectsVariablesThatExcludeEachOther() throws {
    let variables = ["PRICETAG_PRICES_OF": "USA", "PRICETAG_REINTERPRET_AS": "JPN"]
    let both = try CommandLineTool.run(Self.server, ["serve", "/nonexistent.json"], variables)
    #expect(
      both.errors
        == "pricetag-server: PRICETAG_REINTERPRET_AS: --prices-of and --reinterpret-as cannot be combined; remove one (see pricetag-server help)\n"
    )
    #expect(both.status == 2, "\(both.report)")
    for variable in variables {
      let one = try CommandLineTool.run(
        Self.server,
        ["serve", "/nonexistent.json"],
        [variable.key: variable.value]
      )
      #expect(one.errors.hasPrefix("pricetag-server: /nonexistent.json: cannot read the file: "))
      #expect(one.status == 1, "\(one.report)")
    }
  }

  @Test func printsHelpOfServer() throws {
    let bare = try CommandLineTool.run(Self.server, [], [:])
    #expect(bare.status == 0 && bare.errors.isEmpty, "\(bare.report)")
    #expect(bare.output.contains("USAGE: pricetag-server <subcommand>"), "\(bare.report)")
    #expect(try CommandLineTool.run(Self.server, ["--help"], [:]).output == bare.output)
    #expect(try CommandLineTool.run(Self.server, ["--version"], [:]).output == "\(try Self.version())\n")
    let unknown = try CommandLineTool.run(Self.server, ["format", "1"], [:])
    #expect(unknown.status == 2 && unknown.errors.hasPrefix("pricetag-server: "), "\(unknown.report)")
  }
}
