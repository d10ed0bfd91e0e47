import ArgumentParser
import PriceTag
import PriceTagCatalogFormats
import PriceTagPages

extension ArgumentHelp {
  /// Returns the help of an option that is a setting. The property of the option has the name of the setting.
  static func setting(_ setting: ServiceSetting, _ valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(setting.help, valueName: valueName)
  }
}

extension ServeArguments {
  /// The settings on the command line, in the notation of environment variables.
  package var settings: [ServiceSetting: String] {
    var settings: [ServiceSetting: String] = [:]
    let groups: [Any] = [self, listening, limits, pages, pages.shop, reading, data]
    for property in groups.flatMap({ Mirror(reflecting: $0).children }) {
      // The wrapper of a property has the property's name after an underscore.
      guard let name = property.label?.dropFirst(), let setting = ServiceSetting(rawValue: String(name))
      else {
        continue
      }
      settings[setting] =
        switch property.value {
        case let catalog as Argument<String?>: catalog.wrappedValue
        case let text as Option<String?>: text.wrappedValue
        case let number as Option<Int?>: number.wrappedValue.map(String.init)
        case let list as Option<[String]>:
          list.wrappedValue.isEmpty ? nil : list.wrappedValue.joined(separator: ",")
        case let flag as Flag<Bool>: flag.wrappedValue ? "true" : nil
        case let format as Option<CatalogFormat?>: format.wrappedValue?.rawValue
        case let mode as Option<RoundingMode?>: mode.wrappedValue?.rawValue
        case let tax as Option<TaxInclusion?>: tax.wrappedValue?.rawValue
        // For a service, today is the instant of each request.
        case let day as Option<StoreDay?>:
          day.wrappedValue.map { $0 == LocaleDataOptions.today ? "today" : $0.description }
        // The group of the shop's options has the name of a setting.
        default: settings[setting]
        }
    }
    return settings
  }
}
