import PriceTag
import PriceTagCommandLine
import PriceTagText

/// `pricetag-server`, which serves and fetches for the command.
///
/// It is looked for beside the command, symbolic links resolved, and then on `PATH`, as git and cargo look for their
/// subcommands. It must be of the command's version: both read one command line, and write the same prices.
struct ServerExecutable {
  static let name = "pricetag-server"

  let path: String

  /// Finds the server, and compares its version with the command's.
  ///
  /// - Throws: `.invalidOption` where there is none, where it does not run, and where it is of another version.
  static func find() throws(PriceTagError) -> ServerExecutable {
    let command = commandPath
    let server = try ServerExecutable(path: located(besides: command))
    try server.requireVersion(of: command)
    return server
  }

  // MARK: Where it is

  /// The command's own file, with all symbolic links resolved; its name alone where the system does not say.
  private static var commandPath: String {
    #if os(Linux)
      let link = "/proc/self/exe"
    #else
      let link = CommandLine.arguments.first ?? ServerExecutable.name
    #endif
    guard let resolved = realpath(link, nil) else { return CommandLine.arguments.first ?? "pricetag" }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func located(besides command: String) throws(PriceTagError) -> String {
    // An empty or relative part of PATH means the working folder, whose files somebody else may have written.
    let searched = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").filter {
      $0.hasPrefix("/")
    }
    let folder = command.hasPrefix("/") ? OutputFile.folder(of: command) : nil
    let folders = (folder.map { [$0] } ?? []) + searched.map(String.init)
    let candidates = folders.map { $0 == "/" ? "/\(name)" : "\($0)/\(name)" }
    if let found = candidates.first(where: isExecutable) { return found }
    throw PriceTagError(
      .invalidOption,
      folder.map { "\(name) is neither in \(inQuotes($0)) nor on PATH" } ?? "\(name) is not on PATH",
      fix: "build it with make build, or install the package \(name)"
    )
  }

  /// A path in full: the user has to find the file.
  static func inQuotes(_ path: String) -> String { "\"\(printable(path, limit: 4096, isQuoted: true))\"" }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  // MARK: Its version

  private func requireVersion(of command: String) throws(PriceTagError) {
    let outcome = try ChildProcess.run(path, ["--version"], maximumByteCount: 1 << 12, seconds: 30)
    let version =
      String(decoding: outcome.output, as: UTF8.self)
      .split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
    if outcome.end == .exit(0), version == CommandLineProgram.version { return }
    guard outcome.end == .exit(0), version.hasPrefix("PriceTag ") else {
      throw PriceTagError(
        .invalidOption,
        "\(Self.inQuotes(path)) does not print its version (\(outcome.end.description))",
        fix: "build or install \(Self.name) again"
      )
    }
    throw PriceTagError(
      .invalidOption,
      "the server \(Self.inQuotes(path)) is \(quoted(version)), and the command \(Self.inQuotes(command)) is \(quoted(CommandLineProgram.version))",
      fix: "build or install both from one release"
    )
  }

  // MARK: What it does

  /// Becomes the server, with the command's own arguments: its process identifier, standard streams and environment stay,
  /// so signals and the exit code are the server's.
  func replaceProcess() throws(PriceTagError) -> Never {
    StandardOutput.flush()
    // What is ignored stays ignored behind execv.
    signal(SIGXFSZ, SIG_DFL)
    execv(path, CommandLine.unsafeArgv)
    let reason = SystemError().reason
    throw PriceTagError(
      .invalidOption,
      "\(Self.inQuotes(path)) cannot be run: \(reason)",
      fix: "build or install \(Self.name) again"
    )
  }

  /// Runs a verb of the server as a child, which writes its messages itself, as the command would.
  func run(_ arguments: [String], maximumByteCount: Int) throws(PriceTagError) -> ChildProcess.Outcome {
    try ChildProcess.run(path, arguments, maximumByteCount: maximumByteCount, seconds: nil)
  }
}
