import PriceTag
import PriceTagStrings
import PriceTagText

extension StringsFile {
  /// The object that a file of JSON is.
  static func jsonObject(_ bytes: [UInt8]) throws(StringsError) -> JSONObject {
    do throws(JSONError) {
      let value = try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
        try JSONReader.value(of: bytes)
      }
      guard case .object(let object) = value else {
        throw JSONError(line: 1, problem: "the file is \(value.kind), not an object")
      }
      return object
    } catch {
      throw StringsError(
        .malformedFile,
        error.problem,
        fix: "correct the JSON",
        place: error.place()
      )
    }
  }
}
