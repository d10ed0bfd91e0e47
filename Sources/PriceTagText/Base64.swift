import FoundationEssentials

/// Returns bytes as Base64 with padding (RFC 4648).
///
///     base64([0x66, 0x6F])   // "Zm8="
package func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
