import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import PriceTagPages
import PriceTagService

let source = CatalogSource(path: "Examples/rocket-garage.json", shop: try Shop(name: "Rocket Garage"))
let service = try PriceService(source, ServiceConfiguration(), logger: Logger(label: "shop"))

// Requests in the same process, as in a test. `service.run()` would listen on a port.
try await service.application().test(.router) { client in
  let page = try await client.execute(uri: "/store/jpn/de/", method: .get)
  print(page.status, page.headers[.contentLanguage] ?? "")  // 200 OK de
  let rows = ByteBuffer(string: #"{"prices":[{"storefront":"JPN","amount":"1200"}]}"#)
  let prices = try await client.execute(uri: "/v1/format", method: .post, body: rows)
  print(String(buffer: prices.body))  // {"prices":[{"storefront":"JPN","amount":"1200","display":"￥1,200"}]}
}
