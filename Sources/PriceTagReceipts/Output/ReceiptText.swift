import PriceTag
import PriceTagStrings
import PriceTagSystem
import PriceTagText

extension Receipt {
  /// The receipt as plain text of at most 60 terminal columns, with amounts aligned at the end of lines.
  ///
  /// In a right-to-left language, each line starts with a direction mark, and prices and texts of the order are isolated.
  public var text: String { ReceiptText(self).text }
}

/// Lays out a receipt as plain text.
private struct ReceiptText {
  private static let width = 60

  private(set) var text = ""
  private let isRightToLeft: Bool
  /// The columns of the widest amount.
  private let amountWidth: Int

  init(_ receipt: Receipt) {
    isRightToLeft = receipt.direction == .rightToLeft
    let amounts = receipt.lines.map(\.amount) + receipt.totals.map(\.price)
    amountWidth = amounts.map { columns(of: $0.text) }.max() ?? 0
    let words = receipt.words
    write(message(words.title), hasOrderText: true)
    write("")
    let labelWidth = words.details.map { columns(of: $0.label.plain) }.max() ?? 0
    for detail in words.details {
      for (index, part) in wrapped(balancedBidi(detail.value), Self.width - labelWidth - 2).enumerated() {
        let label = index == 0 ? message(detail.label) : ""
        write(
          padded(label, labelWidth + 2) + (detail.isFromOrder ? isolated(part) : part),
          hasOrderText: true
        )
      }
    }
    write("")
    writeRow(message(words.product), message(words.amount))
    separate()
    for line in receipt.lines { write(line, words) }
    separate()
    for total in receipt.totals {
      let notes = [total.notes.name.map { isolated(balancedBidi($0)) }, total.notes.rate.map(isolated)]
        .compactMap(\.self)
      writeRow(
        message(total.label) + (notes.isEmpty ? "" : " (\(notes.joined(separator: " ")))"),
        price(total.price)
      )
    }
    if let storeTax = words.storeTax { writeRow("", message(storeTax)) }
  }

  private mutating func write(_ line: Receipt.Line, _ words: ReceiptWords) {
    // A name is isolated as a part of each line, so that it is wrapped first.
    writeRow(balancedBidi(line.name), price(line.amount), isFromOrder: true)
    if let calculation = words.calculation(line) {
      write("  " + message(calculation))
    }
    if let discount = line.discount { write("  \(message(words.discount)) \(price(discount))") }
  }

  /// Writes a label and an amount at the end of the line. A long label continues on further lines.
  private mutating func writeRow(_ label: String, _ amount: String, isFromOrder: Bool = false) {
    let labelWidth = max(10, Self.width - max(amountWidth, columns(of: amount)) - 2)
    for (index, part) in wrapped(label, labelWidth).enumerated() {
      let text = isFromOrder ? isolated(part) : part
      guard index == 0 else {
        write(text, hasOrderText: isFromOrder)
        continue
      }
      let space = max(2, Self.width - columns(of: text) - columns(of: amount))
      write(text + String(repeating: " ", count: space) + amount, hasOrderText: true)
    }
  }

  private mutating func separate() { write(String(repeating: "-", count: Self.width)) }

  private mutating func write(_ line: String, hasOrderText: Bool = false) {
    if !line.isEmpty {
      if isRightToLeft {
        text += "\u{200F}"
      } else if hasOrderText, Self.hasRightToLeft(line) {
        text += "\u{200E}"
      }
    }
    text += line + "\n"
  }

  private func price(_ price: FormattedPrice) -> String { isolated(price.text) }

  private func message(_ message: FormattedMessage) -> String {
    isRightToLeft || Self.hasRightToLeft(message.plain) ? message.isolated : message.plain
  }

  /// Isolates a text that could change the order of its line.
  private func isolated(_ text: String) -> String {
    // A part of a wrapped text may have lost the other end of a control.
    isRightToLeft || Self.hasRightToLeft(text) ? "\u{2068}\(balancedBidi(text))\u{2069}" : text
  }

  /// Returns whether a text has a character of a right-to-left script, or a directional control.
  private static func hasRightToLeft(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x590...0x8FF, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFB1D...0xFDFF, 0xFE70...0xFEFF,
        0x10800...0x10FFF, 0x1E800...0x1EFFF:
        true
      default: false
      }
    }
  }

  /// Returns a text in parts of at most so many columns, at spaces where possible.
  private func wrapped(_ text: String, _ width: Int) -> [String] {
    guard columns(of: text) > width else { return [text] }
    var parts: [String] = []
    var (part, partWidth) = ("", 0)
    func end(_ parts: inout [String], _ part: inout String, _ partWidth: inout Int) {
      if !part.isEmpty { parts.append(part) }
      (part, partWidth) = ("", 0)
    }
    for word in text.split(separator: " ") {
      let wordWidth = columns(of: String(word))
      if partWidth > 0, partWidth + 1 + wordWidth <= width {
        part += " \(word)"
        partWidth += 1 + wordWidth
        continue
      }
      end(&parts, &part, &partWidth)
      for character in word {
        let characterWidth = columns(of: String(character))
        if partWidth + characterWidth > width { end(&parts, &part, &partWidth) }
        part.append(character)
        partWidth += characterWidth
      }
    }
    end(&parts, &part, &partWidth)
    return parts
  }
}
