import NIOCore
import NIOEmbedded
import Testing

@testable import PriceTagHTTPGuard

private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
private func post(_ length: Int, _ more: String = "") -> String {
  "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\(more)\r\n"
}
private func refusalResponse(_ status: String, _ code: String) -> String {
  let body = "{\"code\":\"\(code)\"}"
  return
    "HTTP/1.1 \(status)\r\nContent-Type: application/problem+json\r\nContent-Length: \(body.utf8.count)\r\n"
    + "Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\r\n\(body)"
}

@Suite("Request guard")
struct RequestGuardTests {
  // MARK: Ordinary requests

  @Test("Forwards requests one at a time, and reports the connection once")
  func forwardsRequests() throws {
    let connection = try GuardedConnection()
    for _ in 0..<3 {
      try connection.send(get)
      try connection.respond()
      #expect(try connection.received() == "response")
    }
    #expect(connection.forwarded == get + get + get)
    #expect(connection.application.pieceCount == 3)
    #expect(connection.openings == [true])
    try connection.channel.close().wait()
    #expect(connection.openings == [true, false])
    #expect(connection.refusals.isEmpty)
  }

  @Test("Forwards a head in one piece, and a body as it arrives")
  func forwardsPieces() throws {
    let connection = try GuardedConnection()
    for byte in post(4).unicodeScalars.dropLast() { try connection.send(String(byte)) }
    #expect(connection.application.pieceCount == 0)
    try connection.send("\nab")
    #expect(connection.application.pieceCount == 1)
    #expect(connection.forwarded == post(4) + "ab")
    try connection.send("c")
    try connection.send("d")
    #expect(connection.forwarded == post(4) + "abcd")
  }

  // MARK: Deadlines

  @Test(
    "Responds with 408 to a silent connection or a slow head at the deadline",
    arguments: ["", "GET / HTTP/1.1\r\nHo"]
  )
  func headDeadline(start: String) throws {
    let connection = try GuardedConnection()
    connection.advance(9)
    if !start.isEmpty { try connection.send(start) }
    #expect(try connection.received() == "")
    connection.advance(1)
    #expect(try connection.received() == refusalResponse("408 Request Timeout", "request-timeout"))
    #expect(connection.refusals == ["408 request-timeout"])
    #expect(connection.forwarded == "")
    #expect(connection.socket.outputIsClosed)
    #expect(connection.isOpen)
    connection.advance(1)
    #expect(!connection.isOpen)
    #expect(connection.openings == [true, false])
  }

  @Test("One byte per second does not extend the deadline")
  func slowBytesDoNotExtendDeadline() throws {
    let connection = try GuardedConnection()
    for byte in get.prefix(20) {
      guard connection.isOpen else { break }
      try connection.send(String(byte))
      connection.advance(1)
    }
    #expect(connection.refusals == ["408 request-timeout"])
  }

  @Test("The deadline of a later head starts at its first byte")
  func deadlineOfLaterHead() throws {
    let connection = try GuardedConnection()
    try connection.send(get)
    try connection.respond()
    connection.advance(50)
    try connection.send("G")
    connection.advance(9)
    #expect(connection.refusals == [])
    connection.advance(1)
    #expect(connection.refusals == ["408 request-timeout"])
  }

  @Test("Closes an idle connection without a response")
  func closesIdleConnection() throws {
    let connection = try GuardedConnection()
    try connection.send(get)
    connection.advance(300)
    try connection.respond()
    _ = try connection.received()
    connection.advance(59)
    #expect(!connection.socket.outputIsClosed)
    connection.advance(1)
    #expect(connection.socket.outputIsClosed)
    connection.advance(1)
    #expect(!connection.isOpen)
    #expect(try connection.received() == "")
    #expect(connection.refusals == [])
  }

  // MARK: Rate of the body

  @Test("Refuses a body that does not arrive, after the grace period and one window")
  func refusesSilentBody() throws {
    let connection = try GuardedConnection()
    try connection.send(post(10) + "a")
    connection.advance(19)
    #expect(connection.refusals == [])
    connection.advance(1)
    #expect(connection.refusals == ["408 request-timeout"])
    #expect(try connection.received() == refusalResponse("408 Request Timeout", "request-timeout"))
    #expect(connection.application.seesInputEnd)
  }

  @Test("Refuses a body below the minimum rate", arguments: [(499, false), (500, true)])
  func checksBodyRate(bytesPerSecond: Int, isAccepted: Bool) throws {
    let connection = try GuardedConnection()
    try connection.send(post(100_000))
    for _ in 0..<60 {
      connection.advance(1)
      guard connection.refusals.isEmpty else { break }
      try connection.send(String(repeating: "a", count: bytesPerSecond))
    }
    #expect(connection.refusals.isEmpty == isAccepted)
  }

  @Test("Does not count time in which the application does not read")
  func ignoresBackpressureTime() throws {
    let connection = try GuardedConnection()
    try connection.send(post(100))
    try connection.sendWithoutRead("a")
    connection.advance(1_000)
    #expect(connection.refusals == [])
    connection.channel.read()
    connection.advance(19)
    #expect(connection.refusals == [])
    try connection.sendWithoutRead("b")
    connection.advance(1_000)
    connection.channel.read()
    connection.advance(1)
    #expect(connection.refusals == ["408 request-timeout"])
  }

  @Test("A read that was requested before a pending request counts for its body")
  func countsEarlierReadForBody() throws {
    let connection = try GuardedConnection()
    try connection.send(get + post(100))
    try connection.respond()
    connection.advance(20)
    #expect(connection.refusals == ["408 request-timeout"])
  }

  @Test("Has no deadline while the application responds")
  func waitsForSlowApplication() throws {
    let connection = try GuardedConnection()
    try connection.send(post(1) + "a")
    connection.advance(3_600)
    #expect(connection.isOpen)
    try connection.respond()
    #expect(try connection.received() == "response")
  }

  // MARK: One request at a time

  @Test("Stores bytes after a request until its response is complete")
  func storesPipelinedRequests() throws {
    let connection = try GuardedConnection()
    try connection.send(get + post(2) + "ab" + get + "GET")
    #expect(connection.forwarded == get)
    try connection.respond("1")
    #expect(connection.forwarded == get + post(2) + "ab")
    try connection.respond("2", ends: false)
    #expect(connection.forwarded == get + post(2) + "ab")
    try connection.respond("2")
    #expect(connection.forwarded == get + post(2) + "ab" + get)
    try connection.respond("3")
    connection.advance(10)
    #expect(try connection.received() == "1223" + refusalResponse("408 Request Timeout", "request-timeout"))
  }

  @Test("The next request waits for the rest of a request whose response is already complete")
  func waitsForRequestAfterEarlyResponse() throws {
    let connection = try GuardedConnection()
    try connection.send(post(4) + "ab")
    try connection.respond()
    try connection.send("cd" + get)
    connection.channel.embeddedEventLoop.run()
    #expect(connection.forwarded == post(4) + "abcd" + get)
  }

  @Test("Does not read while enough input is pending")
  func limitsPendingInput() throws {
    let connection = try GuardedConnection { $0.headBytes = 100 }
    try connection.send(get)
    try connection.send(post(1_000) + String(repeating: "a", count: 200))
    let readCount = connection.socket.readCount
    connection.channel.read()
    #expect(connection.socket.readCount == readCount)
    try connection.respond()
    #expect(connection.socket.readCount == readCount + 1)
    connection.channel.read()
    #expect(connection.socket.readCount == readCount + 2)
  }

  @Test("Closes the output after the last request, and ignores bytes that follow")
  func closesAfterLastRequest() throws {
    let connection = try GuardedConnection()
    let last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    try connection.send(last + get)
    try connection.respond()
    #expect(connection.forwarded == last)
    #expect(try connection.received() == "response")
    #expect(connection.socket.outputIsClosed)
    connection.advance(1)
    #expect(!connection.isOpen)
  }

  // MARK: Refusals

  @Test("Does not forward a refused head, and discards later output of the application")
  func refusesHead() throws {
    let connection = try GuardedConnection()
    try connection.send("GET / HTTP/2.0\r\n\r\n")
    #expect(
      try connection.received()
        == refusalResponse("505 HTTP Version Not Supported", "unsupported-http-version")
    )
    #expect(connection.forwarded == "")
    let promise = connection.channel.eventLoop.makePromise(of: Void.self)
    connection.channel.writeAndFlush(ByteBuffer(string: "late"), promise: promise)
    #expect(throws: ChannelError.self) { try promise.futureResult.wait() }
    #expect(try connection.received() == "")
  }

  @Test("Refuses a body that is too large before it is sent")
  func refusesLargeBody() throws {
    let connection = try GuardedConnection()
    try connection.send(post(1_048_577, "Expect: 100-continue\r\n"))
    #expect(try connection.received() == refusalResponse("413 Content Too Large", "body-too-large"))
    #expect(connection.forwarded == "")
  }

  @Test("Reports the end of the input if a body is refused after it has begun")
  func refusesRestOfBody() throws {
    let connection = try GuardedConnection()
    let head = "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    try connection.send(head + "1\r\na\r\n")
    try connection.send("0x10\r\n")
    #expect(connection.forwarded == head + "1\r\na\r\n")
    #expect(connection.application.seesInputEnd)
    #expect(try connection.received() == refusalResponse("400 Bad Request", "malformed-chunk"))
  }

  @Test("Closes the connection without a response if another response has begun")
  func closesDuringResponse() throws {
    let connection = try GuardedConnection()
    try connection.send("POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    try connection.respond("begin", ends: false)
    try connection.send("x")
    #expect(try connection.received() == "begin")
    #expect(connection.refusals == ["400 malformed-chunk"])
    #expect(!connection.isOpen)
    #expect(connection.application.seesClose)
  }

  @Test("Sends what the application has written of a response before it closes the connection")
  func sendsStartOfResponse() throws {
    let connection = try GuardedConnection()
    try connection.send(get)
    try connection.respond("start", ends: false)
    connection.channel.close(promise: nil)
    #expect(try connection.received() == "start")
    #expect(connection.socket.outputIsClosed && connection.isOpen)
    connection.advance(1)
    #expect(!connection.isOpen)
  }

  @Test("Discards the input of a refused client up to a limit")
  func lingersAfterRefusal() throws {
    let connection = try GuardedConnection { $0.lingerBytes = 1_000 }
    try connection.send("BREW / HTTP/1.1\r\n")
    let readCount = connection.socket.readCount
    try connection.sendWithoutRead(String(repeating: "a", count: 1_000))
    #expect(connection.socket.readCount == readCount + 1)
    #expect(connection.isOpen)
    #expect(connection.forwarded == "")
    try connection.sendWithoutRead("a")
    #expect(!connection.isOpen)
  }

  @Test("A close by the application does not interrupt the response to a refused request")
  func defersCloseWhileLingering() throws {
    let connection = try GuardedConnection()
    try connection.send("BREW / HTTP/1.1\r\n")
    let promise = connection.channel.eventLoop.makePromise(of: Void.self)
    connection.channel.close(promise: promise)
    #expect(connection.isOpen)
    connection.advance(1)
    #expect(!connection.isOpen)
    try promise.futureResult.wait()
  }

  @Test("Closes the connection at once if the client closes after a refusal")
  func closesWhenRefusedClientCloses() throws {
    let connection = try GuardedConnection()
    try connection.send("BREW / HTTP/1.1\r\n")
    connection.sendEnd()
    #expect(!connection.isOpen)
  }

  // MARK: 100 Continue

  @Test("Sends 100 Continue if the head is accepted and the body has not arrived")
  func sendsContinue() throws {
    let connection = try GuardedConnection()
    try connection.send(post(2, "Expect: 100-continue\r\n"))
    #expect(try connection.received() == "HTTP/1.1 100 Continue\r\n\r\n")
    try connection.send("ab")
    try connection.respond()
    #expect(try connection.received() == "response")
    try connection.send(post(2, "Expect: 100-continue\r\n") + "a")
    #expect(try connection.received() == "")
  }

  @Test("Can refuse a body after 100 Continue")
  func refusesBodyAfterContinue() throws {
    let connection = try GuardedConnection()
    try connection.send(post(2, "Expect: 100-continue\r\n"))
    _ = try connection.received()
    connection.advance(20)
    #expect(try connection.received() == refusalResponse("408 Request Timeout", "request-timeout"))
  }

  // MARK: Stopping

  @Test("An idle connection has a second for one more request when the service stops")
  func drainsIdleConnection() throws {
    for isUsed in [false, true] {
      for event in [true, false] {
        let connection = try GuardedConnection()
        if isUsed {
          try connection.send(get)
          try connection.respond()
          _ = try connection.received()
        }
        // Start draining by NIO's event, or by the service.
        if event {
          connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        } else {
          connection.requestGuard.beginDraining()
        }
        connection.channel.embeddedEventLoop.advanceTime(by: .milliseconds(900))
        #expect(connection.isOpen)
        try connection.send(get)
        try connection.respond()
        #expect(connection.isLast)
        #expect(try connection.received() == "response")
        connection.sendEnd()
        connection.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!connection.isOpen)

        let idle = try GuardedConnection()
        idle.requestGuard.beginDraining()
        idle.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1100))
        idle.sendEnd()
        idle.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!idle.isOpen && idle.refusals.isEmpty)
      }
    }
  }

  @Test("Requests that arrive before the last response are answered")
  func drainsPipelinedRequests() throws {
    let connection = try GuardedConnection()
    try connection.send(get + get)
    connection.requestGuard.beginDraining()
    try connection.respond("one")
    #expect(!connection.isLast)
    try connection.respond("two")
    #expect(connection.isLast)
    #expect(try connection.received() == "onetwo")
  }

  // MARK: Slow readers and half-closed connections

  @Test("A client that sends a body may read the response later")
  func allowsClientToReadLater() throws {
    let connection = try GuardedConnection()
    try connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
    connection.channel.isWritable = false
    connection.channel.pipeline.fireChannelWritabilityChanged()
    for _ in 0..<10 {
      connection.channel.embeddedEventLoop.advanceTime(by: .seconds(9))
      try connection.send(String(repeating: "x", count: 10_000))
    }
    #expect(connection.isOpen)
    // The client reads nothing, and the service reads nothing from it.
    try connection.sendWithoutRead(String(repeating: "x", count: 1000))
    connection.channel.embeddedEventLoop.advanceTime(by: .seconds(61))
    #expect(!connection.isOpen)
  }

  @Test("Closes a connection whose client reads nothing for 30 seconds")
  func closesStalledConnection() throws {
    let connection = try GuardedConnection()
    try connection.send(get)
    connection.channel.isWritable = false
    connection.channel.pipeline.fireChannelWritabilityChanged()
    connection.advance(29)
    connection.channel.isWritable = true
    connection.channel.pipeline.fireChannelWritabilityChanged()
    connection.advance(100)
    #expect(connection.isOpen)
    connection.channel.isWritable = false
    connection.channel.pipeline.fireChannelWritabilityChanged()
    connection.advance(30)
    #expect(!connection.isOpen)
  }

  @Test("Detects a stall by the number of bytes that have left the buffer")
  func measuresStallProgress() {
    let start = NIODeadline.uptimeNanoseconds(0)
    var stall = OutputStall(limits: ConnectionLimits(), buffered: 100_000, now: start)
    let isStalledFirst = stall.isStalled(buffered: 85_000, at: start + .seconds(30))
    #expect(!isStalledFirst)
    #expect(stall.deadline == start + .seconds(60))
    stall.count(1_000)
    let isStalledThen = stall.isStalled(buffered: 71_001, at: start + .seconds(60))
    #expect(isStalledThen)
  }

  @Test("A client that closes its side after complete requests receives all responses")
  func answersHalfClosedConnection() throws {
    let connection = try GuardedConnection()
    try connection.send(get + get)
    connection.sendEnd()
    #expect(!connection.application.seesInputEnd)
    try connection.respond("1")
    #expect(connection.application.seesInputEnd)
    #expect(connection.forwarded == get + get)
    try connection.respond("2")
    #expect(try connection.received() == "12")
    #expect(!connection.isOpen)
  }

  /// What a client that has closed its side receives a second later, if the response has not begun, and whether it is
  /// known to be gone.
  @Test(
    "Probes a client that has closed its side and waits",
    arguments: [
      (get, "HTTP/1.1 100 Continue\r\n\r\n", false), (get + get, "HTTP/1.1 100 Continue\r\n\r\n", false),
      (get.replacing("HTTP/1.1", with: "HTTP/1.0"), "", true),
    ]
  )
  func probesHalfClosedConnection(request: String, probe: String, isGone: Bool) throws {
    let connection = try GuardedConnection()
    var goneCount = 0
    connection.requestGuard.onClientGone = { goneCount += 1 }
    try connection.send(request)
    connection.sendEnd()
    #expect(try connection.received() == "" && goneCount == 0)
    connection.advance(1)
    #expect(try connection.received() == probe)
    #expect((goneCount > 0) == isGone)
    connection.advance(60)
    try connection.respond("1")
    #expect(try connection.received() == "1")
    _ = try? connection.channel.close().wait()
    #expect(goneCount > 0)
  }

  @Test("Does not probe a client whose response has begun")
  func doesNotProbeWithinResponse() throws {
    let connection = try GuardedConnection()
    var goneCount = 0
    connection.requestGuard.onClientGone = { goneCount += 1 }
    try connection.send(get)
    connection.sendEnd()
    try connection.respond("1", ends: false)
    connection.advance(1)
    #expect(try connection.received() == "1" && goneCount == 0)
    connection.requestGuard.responseHasEnded()
    connection.channel.embeddedEventLoop.run()
    #expect(!connection.isOpen && goneCount > 0)
  }

  @Test(
    "Closes the connection if the input ends within a request",
    arguments: ["GET / HT", post(2) + "a", get + "GE"]
  )
  func endInRequest(start: String) throws {
    let connection = try GuardedConnection()
    try connection.send(start)
    connection.sendEnd()
    if connection.isOpen { try connection.respond() }
    #expect(!connection.isOpen)
    #expect(connection.application.seesClose)
    #expect(connection.refusals == [])
  }

  @Test("Uses one timer for all deadlines of a connection")
  func usesOneTimer() throws {
    let connection = try GuardedConnection { $0.idleSeconds = 60 }
    for _ in 0..<100 {
      try connection.send(get)
      try connection.respond()
      connection.advance(1)
    }
    _ = try connection.received()
    #expect(connection.isOpen)
    connection.advance(58)
    #expect(!connection.socket.outputIsClosed)
    connection.advance(1)
    #expect(connection.socket.outputIsClosed)
  }
}
