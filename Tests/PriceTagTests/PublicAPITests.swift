import Foundation
import Testing

/// The public declarations of all modules, compared with a stored list, so that a change of the API is seen in review.
///
/// `WRITE_PUBLIC_API=1` writes the list again.
@Suite struct PublicAPITests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

  @Test func listHasAllDeclarations() throws {
    let file = Self.root.appending(path: "Tests/Formats/public-api.txt")
    let found = try Self.declarations()
    if ProcessInfo.processInfo.environment["WRITE_PUBLIC_API"] != nil {
      try Data((found.joined(separator: "\n") + "\n").utf8).write(to: file)
    }
    let listed = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    let changes = found.difference(from: listed).map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
    #expect(changes == [], "write Tests/Formats/public-api.txt again with WRITE_PUBLIC_API=1")
  }

  /// Returns the declarations of all modules, one a line: `PriceTag.Storefront: public let id: String`.
  private static func declarations() throws -> [String] {
    let sources = root.appending(path: "Sources").path
    var found: [String] = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources)
    where path.hasPrefix("PriceTag") && path.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
      var scan = SourceScan(module: String(path.prefix { $0 != "/" }), lines: text.split(separator: "\n"))
      found += scan.declarations()
    }
    return found.sorted()
  }
}

/// Finds the public declarations of a source file by its lines and their indentation, which swift-format makes regular.
private struct SourceScan {
  let module: String
  let lines: [Substring]
  /// The types and extensions around a line, with the indentation of their members, and the kind of a public type.
  private var types: [(indentation: Int, name: String, kind: String)] = []

  init(module: String, lines: [Substring]) {
    (self.module, self.lines) = (module, lines)
  }

  mutating func declarations() -> [String] {
    var found: [String] = []
    for (index, line) in lines.enumerated() {
      let words = line.split(separator: " ")
      guard let first = words.first, !first.hasPrefix("//"), !first.hasPrefix("@_spi") else { continue }
      let indentation = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
      while let type = types.last, type.indentation > indentation { types.removeLast() }
      let kind = types.last?.indentation == indentation ? types.last?.kind : nil
      let isMember = kind == "enum" && first == "case" || kind == "protocol"
      let isConformance = first == "extension" && words[1].hasSuffix(":") && !words[1].hasPrefix("[")
      if isMember || isConformance || first == "public" || first == "open" {
        found.append("\(place): \(declaration(at: index))")
      }
      if let place = words.firstIndex(where: Self.kinds.contains), place + 1 < words.count {
        let name = words[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "." }
        types.append((indentation + 2, String(name), first == "public" ? String(words[place]) : ""))
      }
    }
    return found
  }

  private static let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "extension", "actor"]

  private var place: String { ([module] + types.map(\.name)).joined(separator: ".") }

  /// Returns the declaration that starts on a line, without its body and its value.
  private func declaration(at index: Int) -> String {
    var text = ""
    var depth = 0
    for line in lines[index...] {
      let part = line.drop { $0 == " " }
      let continues = depth > 0 || ["throws", "->", "where"].contains { part.hasPrefix($0) }
      if !text.isEmpty, !continues { break }
      text += text.isEmpty || text.hasSuffix("(") || part.hasPrefix(")") ? part : " \(part)"
      depth = text.count { "([".contains($0) } - text.count { ")]".contains($0) }
      if depth == 0, part.hasSuffix("{") || part.hasSuffix("}") { break }
    }
    depth = 0
    let words = text.split(separator: " ")
    let end = words.firstIndex { word in
      if depth == 0, word == "=" || word.hasPrefix("{") { return true }
      depth += word.count { "([".contains($0) } - word.count { ")]".contains($0) }
      return false
    }
    return words[..<(end ?? words.endIndex)].joined(separator: " ")
  }
}
