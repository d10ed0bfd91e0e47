import PriceTag
import PriceTagCommandLine
import PriceTagText

/// Writes rejects to a file, or the first of them to standard error.
class RejectReport {
  let file: OutputFile?
  let progress: ProgressLine?
  let isQuiet: Bool
  private var count = 0

  /// The number of rejects that are printed.
  private static let maximumPrintedCount = 20

  /// - Parameters:
  ///   - file: The path of the file of all rejects; `nil` to print the first of them to standard error.
  ///   - isQuiet: Whether neither rejects nor progress are printed.
  init(file path: String?, isQuiet: Bool) throws(PriceTagError) {
    file = try path.map { (path) throws(PriceTagError) in try OutputFile(path) }
    progress = isQuiet ? nil : ProgressLine()
    self.isQuiet = isQuiet
  }

  /// Writes a reject to the file or to standard error. Only one of its forms is created.
  func reject(_ description: @autoclosure () -> String, json: (inout [UInt8]) -> Void) {
    if let file {
      return file.write {
        json(&$0)
        $0.append(0x0A)
      }
    }
    count += 1
    guard !isQuiet, count <= Self.maximumPrintedCount else { return }
    progress?.clear()
    StandardError.write("pricetag: rejected: \(description())\n")
  }

  /// Prints how many of a number of rejects were not printed.
  func writeUnprintedCount(of total: Int) {
    guard file == nil, total > Self.maximumPrintedCount else { return }
    StandardError.write(
      "pricetag: … and \(total - Self.maximumPrintedCount) more (--rejects FILE writes all of them)\n"
    )
  }
}
