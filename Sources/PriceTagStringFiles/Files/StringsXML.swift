import PriceTagStrings
import PriceTagXML

extension StringsErrorCode: XMLErrorCode {}

typealias StringsXMLReader = XMLReader<StringsErrorCode>

extension [XMLAttribute] {
  /// The XML attributes as attributes of a strings file.
  var ofFile: [StringsFile.Attribute] { map { .init(name: $0.name, value: $0.value) } }
}
