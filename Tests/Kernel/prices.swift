// Formats the rows of a table with a pack, as prices.c does, in a Swift program with a runtime of its own: the library's
// runtime functions must not replace those of the program.
//
//     prices PACK <prices.tsv

final class Row {
  let fields: [String]
  init(_ line: String) {
    fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  }
}

func result(_ pack: OpaquePointer, _ row: Row) -> String {
  var formatter: OpaquePointer?
  var status = pricetag_formatter_for_locale(pack, row.fields[0], row.fields[1], nil, &formatter)
  var text = [CChar](repeating: 0, count: 256)
  var length = 0
  if status == 0 {
    let amount = row.fields[2]
    let rounding = Int32(row.fields[3]) ?? 0
    status = pricetag_format(formatter, amount, amount.utf8.count, rounding, &text, text.count, &length)
  }
  guard status == 0 else { return String(cString: pricetag_status_code(status)) }
  return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

@main
enum Prices {
  static func main() throws {
    var pack: OpaquePointer?
    guard pricetag_pack_open_file(CommandLine.arguments[1], &pack) == 0, let pack else { return }
    defer { pricetag_pack_close(pack) }
    while let line = readLine() {
      if line.hasPrefix("#") {
        print(line)
        continue
      }
      let row = Row(line)
      // An error and a cast use parts of the runtime that the library has too.
      let fields: [Any] = Array(row.fields.prefix(4)) + [result(pack, row)]
      print(fields.compactMap { $0 as? String }.joined(separator: "\t"))
    }
  }
}
