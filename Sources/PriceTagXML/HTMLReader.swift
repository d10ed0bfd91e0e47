import CXML
import PriceTagSystem
import PriceTagText

/// Receives the contents of an HTML page, in order. Each element that starts also ends, even if the page lacks its end tag.
package protocol HTMLHandler: AnyObject {
  func start(_ name: String, _ attributes: HTMLAttributes, line: Int)
  func end()
  /// Receives text, whose entities are decoded. The text of an element may arrive in several pieces.
  func text(_ text: String)
}

/// The attributes of an element.
package struct HTMLAttributes {
  fileprivate let list: UnsafePointer<UnsafePointer<CChar>?>?

  /// The value of an attribute, which is empty for one without a value; `nil` without the attribute.
  package subscript(name: String) -> String? {
    guard var next = list else { return nil }
    while let found = next.pointee {
      if strcmp(found, name) == 0 { return next[1].map { String(cString: $0) } ?? "" }
      next += 2
    }
    return nil
  }
}

/// A page that cannot be read.
package struct HTMLError: Error {
  /// The line, from 1; `nil` if it is unknown.
  package let line: Int?
  package let problem: String
  package let fix: String
}

/// Reads an HTML page, whose markup is repaired as browsers do, and loads no other file.
///
/// A page is UTF-16 with a byte order mark, text in the charset that a `<meta>` element at its start names, or UTF-8.
package func readHTML(_ page: [UInt8], _ handler: any HTMLHandler) throws(HTMLError) {
  let (charset, start) = try charset(of: page)
  let context = HTMLContext(handler)
  var error = CXMLError()
  let isRead = withExtendedLifetime(context) {
    var receiver = CXMLHandler(
      context: Unmanaged.passUnretained(context).toOpaque(),
      start: { context, name, attributes, line in
        HTMLContext.of(context).start(name.map { String(cString: $0) } ?? "", HTMLAttributes(list: attributes), line: Int(line))
      },
      end: { HTMLContext.of($0).end() },
      text: { HTMLContext.of($0).text(String(decoding: UnsafeRawBufferPointer(start: $1, count: Int($2)), as: UTF8.self)) }
    )
    return page[start...].withUnsafeBytes { bytes in
      Int32(exactly: bytes.count).map { cxml_read_html(bytes.baseAddress, $0, charset, &receiver, &error) } ?? false
    }
  }
  guard isRead else {
    let line = error.line > 0 ? Int(error.line) : nil
    throw HTMLError(line: line, problem: PriceTagSystem.text(of: error.message), fix: "correct the page")
  }
}

/// Passes the events of a page on, through a pointer.
private final class HTMLContext {
  let handler: any HTMLHandler

  init(_ handler: any HTMLHandler) { self.handler = handler }

  static func of(_ pointer: UnsafeMutableRawPointer?) -> any HTMLHandler {
    // The pointer is the context of `readHTML`, which lives until the page is read.
    Unmanaged<HTMLContext>.fromOpaque(pointer.unsafelyUnwrapped).takeUnretainedValue().handler
  }
}

/// Returns the charset of a page, as libxml2 names it, and the length of its byte order mark.
private func charset(of page: [UInt8]) throws(HTMLError) -> (name: String, start: Int) {
  if page.starts(with: [0xFE, 0xFF]) { return ("UTF-16BE", 2) }
  if page.starts(with: [0xFF, 0xFE]) { return ("UTF-16LE", 2) }
  func line(of place: Int) -> Int { 1 + page[..<place].count { $0 == 0x0A } }
  if let place = page.firstIndex(of: 0) {
    throw HTMLError(line: line(of: place), problem: "the page has a NUL character", fix: "save it as UTF-8")
  }
  // As in HTML, the element must be at the start of the page.
  let start = String(decoding: page.prefix(1024), as: UTF8.self).lowercased()
  let tags = start.split(separator: "<meta", omittingEmptySubsequences: false).dropFirst().map { $0.prefix { $0 != ">" } }
  let values = tags.lazy.compactMap { $0.split(separator: "charset", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first }
  let name = values.first.map { value in
    String(value.drop { $0.isWhitespace || "=\"'".contains($0) }.prefix { !$0.isWhitespace && !"\"'/;".contains($0) })
  }
  switch name ?? "utf-8" {
  case "iso-8859-1", "latin1", "us-ascii", "ascii", "cp1252": return ("windows-1252", 0)
  case "utf-8", "utf8", "utf-16":
    do { _ = try UTF8Span(validating: page.span) } catch {
      throw HTMLError(
        line: line(of: error.byteOffsets.lowerBound),
        problem: "the page is not UTF-8",
        fix: "save it as UTF-8, or name its charset in <meta charset=\"…\">"
      )
    }
    return ("UTF-8", page.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
  case let name: return (name, 0)
  }
}
