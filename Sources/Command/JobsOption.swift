import ArgumentParser
import PriceTagText

/// How many threads work.
struct JobsOption: ParsableArguments {
  @Option(help: ArgumentHelp("How many threads work (default: one for each processor).", valueName: "count"))
  var jobs: Int?

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs \(jobs) is outside 1...256")
    }
  }

  /// How many.
  var count: Int { jobs ?? min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), 16) }
}
