import ArgumentParser
import PriceTag

extension RoundingMode: ExpressibleByArgument {}
extension TaxInclusion: ExpressibleByArgument {}
