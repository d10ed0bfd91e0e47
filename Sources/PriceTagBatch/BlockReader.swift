import PriceTag
import PriceTagText

/// Cuts an input into blocks of whole rows.
final class BlockReader {
  /// How much is read at once, where rows are shorter: it stays in the nearer caches.
  static let blockByteCount = 1 << 18
  /// The most bytes of a row.
  static let mostRowBytes = 4 << 20

  private let source: ByteSource
  /// How the rows are written down.
  let format: BatchFormat
  private let delimiter: UInt8
  /// Whether the input starts with a byte order mark, which belongs to no row.
  let hasByteOrderMark: Bool
  /// Whether blocks are as large as they can be, for their borders are seen in the output.
  private let fillsBlocks: Bool
  /// What follows the last block already.
  private var tail: [UInt8]
  private var byteOffset: Int
  private var isAtEnd = false
  /// Whether the header of CSV is still to come: one that is too long ends the batch, which means nothing without it.
  var expectsHeader: Bool
  /// How many bytes were searched in vain for quotes that close; so many lines may be spoiled by them, and no more.
  private var spoiledBytes = 0
  private static let mostSpoiledBytes = 1 << 30

  /// A reader at the input's start.
  ///
  /// - Throws: `.unreadableInput`; `.notUTF8` for UTF-16 and UTF-32.
  init(_ source: ByteSource, _ options: BatchOptions) throws(BatchError) {
    func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    var start: [UInt8] = []
    while start.count < 4 || (start.allSatisfy(isBlank) && start.count < Self.blockByteCount) {
      let more = try source.read(atMost: Self.blockByteCount)
      if more.isEmpty { break }
      start += more
    }
    // Zeros alone tell little of rows: a bad one is rejected, and the rest goes on.
    let isMarked = [[0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF]].contains { start.starts(with: $0) }
    if let encoding = TextEncoding(of: start), isMarked || start.prefix(4).contains(UInt8(ascii: "{")) {
      throw BatchError(.notUTF8, "\(quoted(source.name)) is \(encoding.rawValue)", fix: "save it as UTF-8")
    }
    hasByteOrderMark = start.starts(with: [0xEF, 0xBB, 0xBF])
    byteOffset = hasByteOrderMark ? 3 : 0
    tail = Array(start.dropFirst(byteOffset))
    let first = tail.first { !isBlank($0) }
    let isJSON = first == nil || first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    format = options.input ?? (isJSON ? .jsonl : .csv)
    (self.source, delimiter, fillsBlocks) = (source, options.delimiter, options.compresses)
    expectsHeader = format == .csv
  }

  /// Lets a read that waits end, from any thread.
  func stop() { source.stop() }

  /// How many there are; `nil` for a pipe.
  var storedByteCount: Int? { source.storedByteCount }

  /// Reads the next block; false where there is none.
  func next(into block: Block) throws(BatchError) -> Bool {
    block.start(capacity: max(Self.blockByteCount, tail.count))
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
      } else if block.count > Self.mostRowBytes {
        guard !expectsHeader else { throw longHeader() }
        try skipLongRow(block)
        end = block.count
      } else if block.count == block.capacity {
        // What has come of a pipe may be less than there is room for.
        block.grow(to: min(block.capacity * 2, Self.mostRowBytes + 1))
      }
    } while end == 0
    tail.append(contentsOf: UnsafeBufferPointer(start: block.bytes + end, count: block.count - end))
    block.count = end
    block.storedBytesRead = source.storedBytesRead
    byteOffset += block.longRowByteCount ?? end
    if block.longRowByteCount != nil { byteOffset += 1 }
    return true
  }

  /// Reads until the block is full, or, of a pipe, until there is a line and nobody writes just now.
  private func fill(_ block: Block, mustRead: Bool) throws(BatchError) {
    var mustRead = mustRead
    while !isAtEnd, block.count < block.capacity {
      if !mustRead, !fillsBlocks, source.wouldWait, memchr(block.bytes, 0x0A, block.count) != nil { return }
      mustRead = false
      let room = UnsafeMutableRawBufferPointer(
        start: block.bytes + block.count,
        count: block.capacity - block.count
      )
      let count = try source.read(room)
      if count == 0 { isAtEnd = true }
      block.count += count
    }
  }

  /// Behind the last row that ends in the block; 0 where none does.
  private func rowsEnd(_ block: Block) throws(BatchError) -> Int {
    let start = UnsafeRawPointer(block.bytes)
    switch format {
    case .jsonl:
      if isAtEnd { return block.count }
      return lastLineFeed(block.bytes, 0, block.count).map { $0 + 1 } ?? 0
    case .csv:
      let found = CSVRecordEnd(block.bytes, block.count, delimiter: delimiter, isLast: isAtEnd)
      if found.end > 0 { return isAtEnd && found.unclosedQuote == nil ? block.count : found.end }
      // A quote that is never closed spoils its own line, and the rest is read again.
      guard isAtEnd, found.unclosedQuote != nil, let feed = memchr(start, 0x0A, block.count) else { return 0 }
      spoiledBytes += block.count
      guard spoiledBytes <= Self.mostSpoiledBytes else { throw notClosed("a quoted field") }
      return start.distance(to: feed) + 1
    }
  }

  private func longHeader() -> BatchError {
    BatchError(
      .malformedHeader,
      "the header has more than \(Self.mostRowBytes >> 20) MB",
      fix: "give CSV whose first line has the names of the columns",
      place: printable(source.name)
    )
  }

  private func notClosed(_ field: String) -> BatchError {
    BatchError(
      .malformedInput,
      "\(field) is not closed: the row that it is of starts at byte \(byteOffset)",
      fix: #"end the field with a quote, and write "" for a quote inside"#,
      place: printable(source.name)
    )
  }

  /// Reads over a row that is too long, up to its line end, and keeps its start.
  ///
  /// - Throws: `.malformedInput` where a quote is not closed up to the input's end: whether what follows it are rows or
  ///   its text, nobody can say.
  private func skipLongRow(_ block: Block) throws(BatchError) {
    var byteCount = block.count
    // Of the row's last line; within quotes there may be others.
    var lineCount = 1 + lineFeedCount(block.bytes, block.count)
    let kept = BatchReject.keptBytes
    let first = (0..<kept).map { block.bytes[$0] }
    var isQuoted =
      format == .csv
      && CSVRecordEnd(block.bytes, block.count, delimiter: delimiter, isLast: true).unclosedQuote != nil
    // The rest goes where it is not needed any more.
    let room = UnsafeMutableRawBufferPointer(start: block.bytes, count: block.capacity)
    while true {
      let count = try source.read(room)
      if count == 0 {
        isAtEnd = true
        if isQuoted { throw notClosed("a quoted field of more than \(Self.mostRowBytes >> 20) MB") }
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
      guard byteCount <= Self.mostSpoiledBytes else {
        throw BatchError(
          .malformedInput,
          "the row that starts at byte \(byteOffset) has more than \(Self.mostSpoiledBytes >> 30) GB",
          fix: "end each row with a line break",
          place: printable(source.name)
        )
      }
    }
    for (index, byte) in first.enumerated() { block.bytes[index] = byte }
    block.count = kept
    (block.longRowByteCount, block.longRowLineCount) = (byteCount, lineCount)
  }
}

/// The place of the first line feed outside quotes; a quote within a quoted field is two, which change nothing together.
private func lineEnd(
  _ bytes: UnsafePointer<UInt8>,
  _ count: Int,
  _ format: BatchFormat,
  _ isQuoted: inout Bool
) -> Int? {
  for place in 0..<count {
    if format == .csv, bytes[place] == UInt8(ascii: "\"") { isQuoted.toggle() }
    if bytes[place] == 0x0A, !isQuoted { return place }
  }
  return nil
}
