import PriceTagSystem

/// Prometheus's standard metrics of the process, which are available on Linux only.
enum ProcessMetrics {
  #if os(Linux)
    /// The metrics in Prometheus's text format; empty if the system does not provide them.
    static var text: String {
      guard let start else { return "" }
      let metrics: [(name: String, type: String, help: String, value: Double?)] = [
        (
          "process_cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds.",
          cpuSeconds()
        ),
        (
          "process_max_fds", "gauge", "Maximum number of open file descriptors.",
          DescriptorLimit.current.map { Double($0) }
        ),
        ("process_open_fds", "gauge", "Number of open file descriptors.", openDescriptors()),
        ("process_resident_memory_bytes", "gauge", "Resident memory size in bytes.", residentBytes()),
        (
          "process_start_time_seconds", "gauge", "Start time of the process since unix epoch in seconds.",
          start
        ),
      ]
      return metrics.map { metric in
        PrometheusText.header(metric.name, type: metric.type, help: metric.help)
          + (metric.value.map { "\(metric.name) \(PrometheusText.text(of: $0))\n" } ?? "")
      }.joined()
    }

    // Read once, so that the start time does not change when the clock is set.
    private static let start = startSeconds()

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
    static var text: String { "" }
  #endif
}
