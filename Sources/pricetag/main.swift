import PriceTag
func load() throws {
  let t0 = ContinuousClock().now
  print(try PriceFormatter(storefront: Storefront("JPN")).format("1200"), ContinuousClock().now - t0)
}
func compile() throws {
  let sfs = LocaleData.embedded.storefronts
  for _ in 0..<60 {
  let t0 = ContinuousClock().now
  for s in sfs { _ = try PriceFormatter(storefront: s).isCompiled }
  let d = ContinuousClock().now - t0
  print(d, terminator: " ")
  }
}
func run() throws {
  var amounts: [Amount] = []
  for i in 0..<1000 { amounts.append(try Amount(minorUnits: Int64((i * 7919 * 31) % 2_000_000), exponent: 2)) }
  for id in ["USA","DEU","FRA","EGY","IND"] {
    let f = try PriceFormatter(storefront: Storefront(id))
    let buf = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: f.maximumUTF8Count)
    var t0 = ContinuousClock().now
    var total = 0
    for _ in 0..<20 { for a in amounts { total &+= try f.write(a, into: buf) } }
    let d1 = ContinuousClock().now - t0
    t0 = ContinuousClock().now
    for _ in 0..<20 { for a in amounts { total &+= try f.format(a).text.utf8.count } }
    print(id, total, "ns/buffer", d1 / 20_000, "ns/string", (ContinuousClock().now - t0) / 20_000)
  }
}
try load()
if CommandLine.arguments.contains("c") { try compile() }
if CommandLine.arguments.contains("r") { try run() }
