import Hummingbird

// The baseline for the service: a Hummingbird route that returns a constant.
let router = Router()
router.get("hello") { _, _ in "hello" }
let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
let configuration = ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
try await Application(router: router, configuration: configuration).runService()
