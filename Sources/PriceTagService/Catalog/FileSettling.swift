import Logging
import PriceTag
import PriceTagSystem
import PriceTagText

/// Detects whether a file has stayed unchanged long enough to be considered complete.
struct FileSettling: Sendable {
  /// The maximum time to wait for a file that keeps changing.
  private static let maximumWait = Duration.seconds(120)

  private let time: Duration
  private var lastStatus: CatalogFileStatus?
  private var since: ContinuousClock.Instant?

  init(seconds: Int) {
    time = .seconds(seconds)
  }

  /// Takes the present status of the file, and returns whether it has been unchanged for long enough.
  mutating func hasSettled(_ status: CatalogFileStatus?, at now: ContinuousClock.Instant) -> Bool {
    if status != lastStatus || since == nil { (lastStatus, since) = (status, now) }
    guard let since else { return false }
    return now - since >= time
  }

  /// Waits until a file has not changed for some seconds. Returns immediately if its modification time is older.
  ///
  /// - Throws: `.catalogFailed` if the file keeps changing.
  static func wait(for path: String, seconds: Int, _ logger: Logger) throws(ServiceError) {
    guard seconds > 0, var status = CatalogFileStatus(path) else { return }
    let time = Duration.seconds(seconds)
    guard status.age < time else { return }
    logger.info("waiting for the catalog to settle", metadata: ["seconds": .stringConvertible(seconds)])
    let start = ContinuousClock.now
    while ContinuousClock.now - start < max(maximumWait, time * 4) {
      // A modification time in the future does not show when the file changed, so wait for the full time.
      let wait = status.age < .zero ? time : min(time, max(time - status.age, .milliseconds(10)))
      // A change of the clock does not prolong it.
      usleep(UInt32(clamping: Int(wait / .microseconds(1))))
      let newStatus = CatalogFileStatus(path)
      if newStatus == status { return }
      guard let newStatus else { return }
      status = newStatus
      if status.age >= time { return }
    }
    throw ServiceError(
      .catalogFailed,
      "the catalog file keeps changing",
      fix: "write a new file and rename it to this path, or pass --settle-seconds 0",
      place: printable(path)
    )
  }
}
