import CXML
import PriceTagSystem
import PriceTagText

/// Receives the contents of an HTML page, in order. Each element that starts also ends, even if the page lacks its end tag.
package protocol HTMLHandler: AnyObject {
  func start(_ name: String, _ attributes: HTMLAttributes, line: Int)
  func end()
  /// Receives decoded text. The text of an element may arrive in several pieces.
  func text(_ text: String)
}

/// The attributes of an element, by name. One without a value is empty.
package struct HTMLAttributes {
  fileprivate let list: UnsafePointer<UnsafePointer<CChar>?>?

  package subscript(name: String) -> String? {
    guard var next = list else { return nil }
    while let found = next.pointee {
      if strcmp(found, name) == 0 { return next[1].map { String(cString: $0) } ?? "" }
      next += 2
    }
    return nil
  }
}

/// Reads an HTML page of any quality: UTF-8, or in the charset that it names. No other file is loaded.
///
/// - Returns: The line and the problem if the page cannot be read; `nil` for success.
package func readHTML(_ page: [UInt8], _ handler: any HTMLHandler) -> (line: Int, problem: String)? {
  let isUTF16 = page.starts(with: [0xFE, 0xFF]) || page.starts(with: [0xFF, 0xFE])
  // The parser would take it for the end.
  if !isUTF16, let end = page.firstIndex(of: 0) {
    return (1 + page[..<end].count { $0 == 0x0A }, "the page has a NUL character")
  }
  let isUTF8 = (try? UTF8Span(validating: page.span)) != nil
  let context = HTMLContext(handler)
  var error = CXMLError()
  let isRead = withExtendedLifetime(context) {
    var receiver = CXMLHandler(
      context: Unmanaged.passUnretained(context).toOpaque(),
      start: { context, name, attributes, line in
        let name = name.map { String(cString: $0) } ?? ""
        HTMLContext.of(context)?.start(name, HTMLAttributes(list: attributes), line: Int(line))
      },
      end: { HTMLContext.of($0)?.end() },
      text: { context, bytes, count in
        let bytes = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        HTMLContext.of(context)?.text(String(decoding: bytes, as: UTF8.self))
      }
    )
    let page = isUTF8 && page.starts(with: [0xEF, 0xBB, 0xBF]) ? page[3...] : page[...]
    return page.withUnsafeBytes { bytes in
      Int32(exactly: bytes.count).map { cxml_read_html(bytes.baseAddress, $0, isUTF8, &receiver, &error) }
        ?? false
    }
  }
  return isRead ? nil : (max(1, Int(error.line)), PriceTagSystem.text(of: error.message))
}

/// Passes the events of a page on, through a pointer.
private final class HTMLContext {
  private let handler: any HTMLHandler

  init(_ handler: any HTMLHandler) { self.handler = handler }

  /// Returns the handler of a context that `readHTML` has passed, and keeps until the page is read.
  static func of(_ pointer: UnsafeMutableRawPointer?) -> (any HTMLHandler)? {
    pointer.map { Unmanaged<HTMLContext>.fromOpaque($0).takeUnretainedValue().handler }
  }
}
