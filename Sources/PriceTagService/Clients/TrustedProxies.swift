import HTTPTypes
import PriceTag
import PriceTagText

/// A range of IP addresses in CIDR notation, such as `10.0.0.0/8` or `2001:db8::/32`, or a single address.
///
///     try AddressRange("10.0.0.0/8").description   // "10.0.0.0/8"
public struct AddressRange: Hashable, Sendable, CustomStringConvertible {
  private let first: ClientAddress
  private let bits: Int
  /// The text that the range was created from.
  public let description: String

  /// Creates a range from its text.
  ///
  /// - Parameter text: An IPv4 or IPv6 address, optionally followed by `/` and the number of prefix bits.
  /// - Throws: `.invalidSetting` if the text is invalid, or if the address has bits set after the prefix.
  public init(_ text: String) throws(ServiceError) {
    description = text
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let address = parts.first.flatMap { ClientAddress($0) }
    // An IPv4-mapped address has a fixed prefix of 96 bits.
    let (before, width) = address?.isIPv4 == true ? (96, 32) : (0, 128)
    let digits = parts.count == 1 ? "\(width)" : parts.dropFirst().joined(separator: "/")
    guard let address, digits.utf8.count <= 3, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let given = Int(digits), given <= width, address.prefix(before + given) == address
    else {
      throw ServiceError(
        .invalidSetting,
        "\(quoted(text)) is not an address range",
        fix:
          "use an address or a range such as 10.0.0.0/8 or 2001:db8::/32, without bits set after the prefix"
      )
    }
    (first, bits) = (address, before + given)
  }

  func contains(_ address: ClientAddress) -> Bool { address.prefix(bits) == first }
}

/// The proxies whose `X-Forwarded-For` header is trusted.
///
///     let proxies = TrustedProxies(ranges: [try AddressRange("10.0.0.0/8")])
///     proxies.client(of: 10.0.0.1, [.xForwardedFor: "198.51.100.7, 10.0.0.9"])   // 198.51.100.7
struct TrustedProxies: Sendable {
  var ranges: [AddressRange] = []

  func contains(_ address: ClientAddress) -> Bool { ranges.contains { $0.contains(address) } }

  /// Returns the client of a request: the rightmost address in `X-Forwarded-For` that is not a trusted proxy. Addresses
  /// to its left come from that client and cannot be trusted.
  ///
  /// - Parameters:
  ///   - peer: The remote address of the connection.
  ///   - fields: The request's header fields.
  func client(of peer: ClientAddress, _ fields: HTTPFields) -> ClientAddress {
    guard contains(peer) else { return peer }
    var client = peer
    for value in fields[values: .xForwardedFor].reversed() {
      for part in value.split(separator: ",", omittingEmptySubsequences: false).reversed() {
        // An invalid entry was not written by a trusted proxy. Use the proxy that forwarded it.
        guard let address = ClientAddress(forwarded: part.withoutBlanks) else { return client }
        client = address
        if !contains(address) { return client }
      }
    }
    return client
  }
}

extension HTTPField.Name {
  static let xForwardedFor = Self("X-Forwarded-For") ?? .via
  static let traceParent = Self("traceparent") ?? .via
}

extension Substring {
  /// The text without leading and trailing spaces and tabs.
  var withoutBlanks: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
