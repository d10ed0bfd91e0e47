import PriceTag
import PriceTagSystem

/// Runs another executable and reads its standard output. Its standard error is that of the command.
enum ChildProcess {
  /// How a child ended.
  enum End: Equatable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)
    /// It was killed after its time limit.
    case tooLong
    /// It was killed because it wrote more than the limit.
    case tooMuchOutput

    var description: String {
      switch self {
      case .exit(let code): "exit code \(code)"
      case .signal(let number): "signal \(number)"
      case .tooLong: "time limit exceeded"
      case .tooMuchOutput: "output limit exceeded"
      }
    }
  }

  /// Runs an executable and waits for its end.
  ///
  /// - Parameters:
  ///   - path: The executable.
  ///   - arguments: Its arguments, after its name.
  ///   - maximumByteCount: The maximum number of output bytes. A child that writes more is killed.
  ///   - time: The time limit. A child that runs longer is killed. `nil` for a child that limits its own time.
  static func run(
    _ path: String,
    _ arguments: [String],
    maximumByteCount: Int,
    time: Duration? = nil
  ) throws(PriceTagError) -> (output: [UInt8], end: End) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw unstartable(path, errno) }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // If SIGCHLD is ignored, waitpid cannot return how a child ended.
    let inherited = signal(SIGCHLD, SIG_DFL)
    defer { signal(SIGCHLD, inherited) }
    let child: pid_t
    do {
      defer { close(ends[1]) }
      child = try start(path, arguments, output: ends[1])
    }
    let deadline = time.map { ContinuousClock.now + $0 }
    var output: [UInt8] = []
    let problem = read(ends[0], into: &output, maximumByteCount, deadline)
    if problem != nil { kill(child, SIGKILL) }
    let ended = end(of: child, by: deadline)
    return (output, problem ?? ended)
  }

  /// Waits for a child that has closed its output, and kills it after the deadline.
  private static func end(of child: pid_t, by deadline: ContinuousClock.Instant?) -> End {
    var status: Int32 = 0
    var isKilled = false
    while true {
      let ended = waitpid(child, &status, deadline == nil || isKilled ? 0 : WNOHANG)
      if ended == child { return isKilled ? .tooLong : end(status) }
      if ended < 0, errno != EINTR { return .exit(-1) }
      if ended == 0, let deadline {
        isKilled = .now >= deadline
        if isKilled { kill(child, SIGKILL) } else { usleep(1000) }
      }
    }
  }

  private static func start(
    _ path: String,
    _ arguments: [String],
    output: Int32
  ) throws(PriceTagError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // The child must not read the command's standard input.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    // The child uses the command's name in its messages.
    var values = ([CommandLine.arguments.first ?? "pricetag"] + arguments).map { strdup($0) }
    values.append(nil)
    defer { for value in values { free(value) } }
    var child = pid_t()
    let status = posix_spawn(&child, path, &actions, &attributes, values, environ)
    guard status == 0 else { throw unstartable(path, status) }
    return child
  }

  /// Reads the output to its end. Returns the limit that was exceeded, else `nil`.
  private static func read(
    _ descriptor: Int32,
    into output: inout [UInt8],
    _ maximumByteCount: Int,
    _ deadline: ContinuousClock.Instant?
  ) -> End? {
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      if let deadline {
        let left = deadline - .now
        guard left > .zero else { return .tooLong }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&waiting, 1, Int32(left / .milliseconds(1)) + 1)
        if count <= 0 { continue }
      }
      let count = piece.withUnsafeMutableBytes { PriceTagSystem.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      guard output.count + count <= maximumByteCount else { return .tooMuchOutput }
      output += piece[..<count]
    }
  }

  /// Converts a status of `waitpid`.
  private static func end(_ status: Int32) -> End {
    let signal = status & 0x7F
    return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
  }

  static func unstartable(_ path: String, _ number: Int32) -> PriceTagError {
    let fix =
      switch number {
      case EMFILE, ENFILE: SystemError(number).fix(.read)
      case EAGAIN, ENOMEM: "raise the limit of processes and threads (ulimit -u), or end other processes"
      default: "build or install \(ServerExecutable.name) again"
      }
    return PriceTagError(
      .invalidOption,
      "cannot run \(ServerExecutable.inQuotes(path)): \(SystemError(number).reason)",
      fix: fix
    )
  }
}
