import PriceTagText

/// Prometheus's standard metrics of the process, which are available on Linux only.
enum ProcessMetrics {
  struct Metric: Sendable {
    let name: String
    let kind: MetricKind
    let help: String
    let value: @Sendable () -> Double?
  }

  #if os(Linux)
    static var all: [Metric] {
      // Read once, so that the start time does not change when the clock is set.
      guard let start = startSeconds() else { return [] }
      return [
        Metric(
          name: "process_cpu_seconds_total",
          kind: .computedCounter,
          help: "Total user and system CPU time spent in seconds.",
          value: cpuSeconds
        ),
        Metric(
          name: "process_max_fds",
          kind: .computedGauge,
          help: "Maximum number of open file descriptors.",
          value: { DescriptorLimit.current.map(Double.init) }
        ),
        Metric(
          name: "process_open_fds",
          kind: .computedGauge,
          help: "Number of open file descriptors.",
          value: openDescriptors
        ),
        Metric(
          name: "process_resident_memory_bytes",
          kind: .computedGauge,
          help: "Resident memory size in bytes.",
          value: residentBytes
        ),
        Metric(
          name: "process_start_time_seconds",
          kind: .computedGauge,
          help: "Start time of the process since unix epoch in seconds.",
          value: { start }
        ),
      ]
    }

    /// Returns the fields of `/proc/self/stat` starting with the third, `state`. The second field is the program's
    /// name, which may contain any character.
    private static func fields() -> [Double]? {
      let descriptor = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0, let name = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
      return bytes[(name + 1)..<count].split(separator: UInt8(ascii: " ")).map {
        Double(String(decoding: $0, as: UTF8.self)) ?? 0
      }
    }

    private static func field(_ number: Int) -> Double? {
      guard let fields = fields(), fields.indices.contains(number - 3) else { return nil }
      return fields[number - 3]
    }

    private static var ticksPerSecond: Double { Double(max(1, sysconf(Int32(_SC_CLK_TCK)))) }

    private static func cpuSeconds() -> Double? {
      guard let fields = fields(), fields.count > 12 else { return nil }
      return (fields[11] + fields[12]) / ticksPerSecond
    }

    private static func residentBytes() -> Double? {
      field(24).map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) }
    }

    private static func startSeconds() -> Double? {
      guard let sinceBoot = field(22) else { return nil }
      let start = seconds(CLOCK_REALTIME) - seconds(CLOCK_BOOTTIME) + sinceBoot / ticksPerSecond
      // The kernel's clock ticks are hundredths of a second.
      return (start * 100).rounded() / 100
    }

    private static func seconds(_ clock: clockid_t) -> Double {
      var time = timespec()
      clock_gettime(clock, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    private static func openDescriptors() -> Double? {
      // One of them is the folder's own descriptor.
      entryNames(ofFolder: "/proc/self/fd").map { Double(max(0, $0.count - 1)) }
    }
  #else
    static var all: [Metric] { [] }
  #endif
}
