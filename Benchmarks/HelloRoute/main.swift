import Hummingbird

// What the service is measured beside: a route that does nothing, served as Hummingbird serves it.
let router = Router()
router.get("hello") { _, _ in "hello" }
let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
let configuration = ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
try await Application(router: router, configuration: configuration).runService()
