import PriceTag
import Foundation
var clock = ContinuousClock()
var t0 = clock.now
let n = LocaleData.embedded.storefronts.count
print("load", n, clock.now - t0)
for id in ["USA","DEU","FRA","JPN","EGY","IND","CHE","AUT","POL","PRT","SAU","ISR","VNM","KWT","THA"] {
  let f = try PriceFormatter(storefront: Storefront(id))
  let p = try f.format(Amount(minorUnits: 1234500, exponent: 2))
  let q = try f.format(Amount(minorUnits: -100, exponent: 2))
  print(id, f.isCompiled, p.text, q.text, "|", p.spoken, "|", q.spoken, "|", try f.format(from: 1, to: 5), p.direction, p.html, p.parts.map { "\($0.type.rawValue):\($0.value)" }.joined(separator: "·"))
}
let cve = try PriceFormatter(locale: PriceLocale("pt-CV"), currency: Currency("CVE"))
print(cve.isCompiled, try cve.format("1234.50").parts)
for rep in 0..<3 {
  let sfs = LocaleData.embedded.storefronts
  t0 = clock.now
  var c = 0
  for s in sfs { if try PriceFormatter(storefront: s).isCompiled { c += 1 } }
  print("compile", c, clock.now - t0)
}
var amounts: [Amount] = []
var g = SystemRandomNumberGenerator()
for _ in 0..<1000 { amounts.append(try Amount(minorUnits: Int64.random(in: 1..<2_000_000, using: &g), exponent: 2)) }
for id in ["USA","DEU","FRA","EGY","IND"] {
  let f = try PriceFormatter(storefront: Storefront(id))
  let buf = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: f.maximumUTF8Count)
  t0 = clock.now
  var total = 0
  for _ in 0..<1000 { for a in amounts { total &+= try f.write(a, into: buf) } }
  let d1 = clock.now - t0
  t0 = clock.now
  for _ in 0..<1000 { for a in amounts { total &+= try f.format(a).text.utf8.count } }
  print(id, total, "ns/buffer", d1 / 1_000_000, "ns/string", (clock.now - t0) / 1_000_000)
}
@MainActor func bad(_ b: () throws -> Any) { let t0 = ContinuousClock().now; do { print("NO ERROR", try b()) } catch { print(ContinuousClock().now - t0, error) } }
for _ in 0..<2 {
for a in ["1e999999999","NaN","0x10","1,234.5","",String(repeating: "9", count: 10000),"١٢","1.","-",".5","1234567890123456789012"] { bad { try Amount(decimal: a) } }
for a in ["usdx","USDC","XXX","EURO",""] { bad { try Currency(a) } }
for a in ["us","en-","xx-YY","en-US-u-cu-eur","en_US@currency=EUR","en-YY","az-Arab","deutsch","english"] { bad { try PriceLocale(a) } }
for a in ["ZZZ","JAP","germany"] { bad { try Storefront(a) } }
bad { try PriceFormatter(storefront: Storefront("JPN")).format("1200.50") }
}
for l in ["iw-IL","zh-CN","zh-TW","sr-RS","en-KW","no-NO","nb-NO","zh-HK","sr-ME","en-UK","zh-MY","en-US-posix","pa-PK"] { let p = try PriceLocale(l); print(l, p, p.dataLocale) }
print(Versions.current)
