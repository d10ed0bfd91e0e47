import PriceTag
import PriceTagSystem
import PriceTagText

/// Divides an input into blocks of complete rows.
final class BlockReader {
  /// The size of a block, if no row is longer. A block of this size fits into the processor's second-level cache.
  static let blockByteCount = 1 << 18
  /// The maximum size of a row in bytes.
  static let maximumRowByteCount = 4 << 20

  private let source: ByteSource
  /// The format of the input.
  let format: BatchFormat
  /// The delimiter of CSV.
  let delimiter: UInt8
  /// Whether the header follows a line such as `sep=;`.
  let hasDelimiterLine: Bool
  /// Rewrites a JSON array; `nil` for all other input.
  private var arrayRows: JSONArrayRows?
  /// Whether the input starts with a byte order mark, which is not part of a row.
  let hasByteOrderMark: Bool
  /// Whether to wait for input until a block is full. Each block of a compressed output is one gzip member, so the output
  /// would otherwise depend on timing.
  private let fillsBlocks: Bool
  /// The bytes read after the last block.
  private var tail: [UInt8]
  private var byteOffset: Int
  private var isAtEnd = false
  /// Whether the CSV header was not read yet. A header that is too long ends the batch.
  var expectsHeader: Bool
  /// The number of bytes searched for closing quotes that do not exist. A limit, because after each unclosed quote the
  /// next line is searched again.
  private var unclosedByteCount = 0
  private static let maximumInvalidByteCount = 1 << 30

  /// Creates a reader at the start of an input.
  ///
  /// - Throws: `.unreadableInput`; `.notUTF8` for UTF-16 and UTF-32; `.malformedHeader` for a delimiter other than that of
  ///   the options; `.malformedInput` for a malformed array.
  init(_ source: ByteSource, _ options: BatchOptions) throws(BatchError) {
    func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    var start: [UInt8] = []
    while start.count < 4 || (start.allSatisfy(isBlank) && start.count < Self.blockByteCount) {
      let more = try source.read(atMost: Self.blockByteCount)
      if more.isEmpty { break }
      start += more
    }
    // NUL bytes alone do not prove UTF-16: a row with a NUL byte is rejected, and the batch continues.
    let isMarked = [[0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF]].contains { start.starts(with: $0) }
    if let encoding = TextEncoding(of: start), isMarked || start.prefix(4).contains(UInt8(ascii: "{")) {
      throw BatchError(
        .notUTF8,
        "the file is \(encoding.rawValue), not UTF-8",
        fix: "save it as UTF-8",
        place: printable(source.name)
      )
    }
    hasByteOrderMark = start.starts(with: [0xEF, 0xBB, 0xBF])
    byteOffset = hasByteOrderMark ? 3 : 0
    tail = Array(start.dropFirst(byteOffset))
    let first = tail.first { !isBlank($0) }
    let isJSON = first == nil || first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    format = options.input ?? (isJSON ? .jsonl : .csv)
    (self.source, fillsBlocks) = (source, options.compresses)
    expectsHeader = format == .csv
    var csv = format == .csv ? CSVStart(tail, isLast: false) : nil
    while csv == nil, format == .csv {
      let more = try source.read(atMost: Self.blockByteCount)
      tail += more
      // The header ends at a line feed.
      if more.isEmpty || more.contains(0x0A) || tail.count >= CSVStart.maximumByteCount {
        csv = CSVStart(tail, isLast: more.isEmpty)
      }
    }
    hasDelimiterLine = csv.map { $0.headerOffset > 0 } ?? false
    if let csv, hasDelimiterLine, let delimiter = options.delimiter, delimiter != csv.delimiter {
      throw BatchError(
        .malformedHeader,
        "the first line names the delimiter \(quoted(String(Unicode.Scalar(csv.delimiter)))), and the options name another",
        fix: "remove the line, or pass the delimiter that it names (--delimiter)",
        place: printable(source.name)
      )
    }
    delimiter = options.delimiter ?? csv?.delimiter ?? UInt8(ascii: ",")
    tail.removeFirst(csv?.headerOffset ?? 0)
    byteOffset += csv?.headerOffset ?? 0
    if format == .jsonl, first == UInt8(ascii: "["), try !startsWithLines() {
      arrayRows = JSONArrayRows(offset: byteOffset, name: source.name)
      try tail.withUnsafeMutableBufferPointer { (bytes) throws(BatchError) in
        try arrayRows?.rewrite(UnsafeMutableRawBufferPointer(bytes))
      }
    }
  }

  /// Returns whether lines that are arrays precede a line with an object: JSON Lines, of which these rows are rejected. In a
  /// JSON array, a comma would be between them.
  private func startsWithLines() throws(BatchError) -> Bool {
    while true {
      var lines = tail.split(separator: 0x0A).map { $0.filter { $0 > 0x20 } }
      // The end of the last line may follow.
      let unfinished = tail.last == 0x0A ? nil : lines.popLast()
      let other = lines.first { line in
        !line.isEmpty && !(line.first == UInt8(ascii: "[") && line.last == UInt8(ascii: "]"))
      }
      if let other { return other.first == UInt8(ascii: "{") }
      if unfinished?.first == UInt8(ascii: "{") { return true }
      let more = tail.count < Self.blockByteCount ? try source.read(atMost: Self.blockByteCount) : []
      if more.isEmpty { return false }
      tail += more
    }
  }

  /// Reads at least one byte, and returns the number of bytes; 0 at the end of the input.
  private func read(_ buffer: UnsafeMutableRawBufferPointer) throws(BatchError) -> Int {
    let count = try source.read(buffer)
    if count == 0 { try arrayRows?.finish() }
    try arrayRows?.rewrite(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    return count
  }

  /// Ends a read that waits for input. May be called from any thread.
  func stop() { source.stop() }

  /// The size of the input file in bytes; `nil` for a pipe.
  var storedByteCount: Int? { source.storedByteCount }

  /// Reads the next block. Returns false at the end of the input.
  func next(into block: Block) throws(BatchError) -> Bool {
    block.reset(capacity: max(Self.blockByteCount, tail.count))
    block.isArray = arrayRows != nil
    tail.withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress { block.bytes.update(from: base, count: bytes.count) }
    }
    block.count = tail.count
    tail.removeAll(keepingCapacity: true)
    (block.byteOffset, block.longRowByteCount) = (byteOffset, nil)
    var end = 0
    var hasRead = false
    repeat {
      try fill(block, mustRead: hasRead)
      hasRead = true
      if block.count == 0 { return false }
      end = try rowsEnd(block)
      if end > 0 { break }
      if isAtEnd {
        end = block.count
      } else if block.count > Self.maximumRowByteCount {
        guard !expectsHeader else { throw longHeader() }
        try skipLongRow(block)
        end = block.count
      } else if block.count == block.capacity {
        block.grow(to: min(block.capacity * 2, Self.maximumRowByteCount + 1))
      }
    } while end == 0
    tail.append(contentsOf: UnsafeBufferPointer(start: block.bytes + end, count: block.count - end))
    block.count = end
    block.storedBytesRead = source.storedBytesRead
    byteOffset += block.longRowByteCount ?? end
    if block.longRowByteCount != nil { byteOffset += 1 }
    return true
  }

  /// Reads until the block is full. From a pipe, reads until the block has a line and no more input is available.
  private func fill(_ block: Block, mustRead: Bool) throws(BatchError) {
    var mustRead = mustRead
    while !isAtEnd, block.count < block.capacity {
      if !mustRead, !fillsBlocks, source.wouldWait, memchr(block.bytes, 0x0A, block.count) != nil { return }
      mustRead = false
      let free = UnsafeMutableRawBufferPointer(
        start: block.bytes + block.count,
        count: block.capacity - block.count
      )
      let count = try read(free)
      if count == 0 { isAtEnd = true }
      block.count += count
    }
  }

  /// Returns the end of the last complete row of the block, or 0 if no row is complete.
  private func rowsEnd(_ block: Block) throws(BatchError) -> Int {
    let start = UnsafeRawPointer(block.bytes)
    switch format {
    case .jsonl:
      if isAtEnd { return block.count }
      return lastLineFeed(block.bytes, 0, block.count).map { $0 + 1 } ?? 0
    case .csv:
      let found = CSVRecordEnd(block.bytes, block.count, delimiter: delimiter, isLast: isAtEnd)
      if found.end > 0 { return isAtEnd && found.unclosedQuote == nil ? block.count : found.end }
      // A quote that is never closed makes only its own line invalid. The next line is a row again.
      guard isAtEnd, found.unclosedQuote != nil, let feed = memchr(start, 0x0A, block.count) else { return 0 }
      unclosedByteCount += block.count
      guard unclosedByteCount <= Self.maximumInvalidByteCount else { throw notClosed("a quoted field") }
      return start.distance(to: feed) + 1
    }
  }

  private func longHeader() -> BatchError {
    BatchError(
      .malformedHeader,
      "the header is larger than \(Self.maximumRowByteCount >> 20) MB",
      fix: "write the column names in the first line",
      place: printable(source.name)
    )
  }

  private func notClosed(_ field: String) -> BatchError {
    BatchError(
      .malformedInput,
      "\(field) in the row at byte \(byteOffset) is not closed",
      fix: #"end the field with a quote, and write "" for a quote inside it"#,
      place: printable(source.name)
    )
  }

  /// Skips a row that is too long, and leaves its start in the block.
  ///
  /// - Throws: `.malformedInput` for a quote that is not closed before the end of the input: the text after it may be rows
  ///   or a part of the field.
  private func skipLongRow(_ block: Block) throws(BatchError) {
    var byteCount = block.count
    // One for the end of the row. There may be more line feeds within quotes.
    var lineCount = 1 + lineFeedCount(block.bytes, block.count)
    let excerptCount = BatchReject.excerptByteCount
    let excerpt = (0..<excerptCount).map { block.bytes[$0] }
    var isQuoted =
      format == .csv
      && CSVRecordEnd(block.bytes, block.count, delimiter: delimiter, isLast: true).unclosedQuote != nil
    // The rest of the row overwrites the block.
    let buffer = UnsafeMutableRawBufferPointer(start: block.bytes, count: block.capacity)
    while true {
      let count = try read(buffer)
      if count == 0 {
        isAtEnd = true
        if isQuoted { throw notClosed("a quoted field of more than \(Self.maximumRowByteCount >> 20) MB") }
        break
      }
      if let length = lineEnd(block.bytes, count, format, &isQuoted) {
        byteCount += length
        lineCount += lineFeedCount(block.bytes, length)
        tail.append(
          contentsOf: UnsafeBufferPointer(start: block.bytes + length + 1, count: count - length - 1)
        )
        break
      }
      byteCount += count
      lineCount += lineFeedCount(block.bytes, count)
      guard byteCount <= Self.maximumInvalidByteCount else {
        throw BatchError(
          .malformedInput,
          "the row at byte \(byteOffset) is larger than \(Self.maximumInvalidByteCount >> 30) GB",
          fix: "end each row with a line break",
          place: printable(source.name)
        )
      }
    }
    for (index, byte) in excerpt.enumerated() { block.bytes[index] = byte }
    block.count = excerptCount
    (block.longRowByteCount, block.longRowLineCount) = (byteCount, lineCount)
  }
}

/// Returns the offset of the first line feed outside quotes. A quote within a quoted field is written as two quotes, which
/// toggle the state twice.
private func lineEnd(
  _ bytes: UnsafePointer<UInt8>,
  _ count: Int,
  _ format: BatchFormat,
  _ isQuoted: inout Bool
) -> Int? {
  for offset in 0..<count {
    if format == .csv, bytes[offset] == UInt8(ascii: "\"") { isQuoted.toggle() }
    if bytes[offset] == 0x0A, !isQuoted { return offset }
  }
  return nil
}
