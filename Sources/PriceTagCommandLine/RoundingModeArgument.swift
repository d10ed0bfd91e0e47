import ArgumentParser
import PriceTag

extension RoundingMode: ExpressibleByArgument {}
