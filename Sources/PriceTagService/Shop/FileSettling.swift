import Logging
import PriceTag
import PriceTagText

/// Whether a file that somebody writes has stayed the same for long enough to be complete.
struct FileSettling: Sendable {
  /// The longest that a caller waits for a file that keeps changing.
  private static let longestWait = Duration.seconds(120)

  private let time: Duration
  private var seen: ShopFile?
  private var since: ContinuousClock.Instant?

  init(seconds: Int) {
    time = .seconds(seconds)
  }

  /// Takes a look at a file; says whether it has looked like this since long enough ago.
  mutating func hasSettled(_ file: ShopFile?, at now: ContinuousClock.Instant) -> Bool {
    if file != seen || since == nil { (seen, since) = (file, now) }
    guard let since else { return false }
    return now - since >= time
  }

  /// Waits until a file has settled; at once where it was changed last longer ago than that.
  ///
  /// - Throws: `.catalogFailed` for a file that keeps changing.
  static func wait(for path: String, seconds: Int, _ logger: Logger) throws(ServiceError) {
    guard seconds > 0, var file = ShopFile(path) else { return }
    let time = Duration.seconds(seconds)
    guard file.age < time else { return }
    logger.info("waiting for the catalog to settle", metadata: ["seconds": .stringConvertible(seconds)])
    let start = ContinuousClock.now
    while ContinuousClock.now - start < max(longestWait, time * 4) {
      // A time in the future says nothing: such a file is watched for as long as any other.
      sleep(for: file.age < .zero ? time : min(time, max(time - file.age, .milliseconds(10))))
      let now = ShopFile(path)
      if now == file { return }
      guard let now else { return }
      file = now
      if file.age >= time { return }
    }
    throw ServiceError(
      .catalogFailed,
      "the catalog keeps changing",
      fix: "write it beside its place and rename it, or pass --settle-seconds 0",
      place: printable(path)
    )
  }

  private static func sleep(for time: Duration) {
    let (seconds, attoseconds) = time.components
    var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var left = timespec()
    // A signal ends a sleep early.
    while nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
  }
}
