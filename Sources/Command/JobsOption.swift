import ArgumentParser
import PriceTagSystem

/// The number of threads.
struct JobsOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The number of threads, 1 to 256 (default: one per processor, at most 16).",
      valueName: "count"
    )
  )
  var jobs: Int?

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs \(jobs) is not between 1 and 256; use a number in this range")
    }
  }

  /// The number of threads.
  var count: Int { jobs ?? min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), 16) }
}
