import NIOCore
import NIOEmbedded
import Testing

@testable import PriceTagHTTPGuard

private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
private func post(_ length: Int, _ more: String = "") -> String {
  "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\(more)\r\n"
}
private func answer(_ status: String, _ code: String) -> String {
  let body = "{\"code\":\"\(code)\"}"
  return
    "HTTP/1.1 \(status)\r\nContent-Type: application/problem+json\r\nContent-Length: \(body.utf8.count)\r\n"
    + "Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\r\n\(body)"
}

@Suite("Request guard")
struct RequestGuardTests {
  // MARK: Ordinary requests

  @Test("Requests pass one after the other, and the connection is counted once")
  func ordinaryRequests() throws {
    let connection = try GuardedConnection()
    for _ in 0..<3 {
      try connection.send(get)
      try connection.respond()
      #expect(try connection.received() == "answer")
    }
    #expect(connection.passed == get + get + get)
    #expect(connection.application.pieces == 3)
    #expect(connection.openings == [true])
    try connection.channel.close().wait()
    #expect(connection.openings == [true, false])
    #expect(connection.refusals.isEmpty)
  }

  @Test("A head in pieces is passed on whole, a body as it comes")
  func pieces() throws {
    let connection = try GuardedConnection()
    for byte in post(4).unicodeScalars.dropLast() { try connection.send(String(byte)) }
    #expect(connection.application.pieces == 0)
    try connection.send("\nab")
    #expect(connection.application.pieces == 1)
    #expect(connection.passed == post(4) + "ab")
    try connection.send("c")
    try connection.send("d")
    #expect(connection.passed == post(4) + "abcd")
  }

  // MARK: Deadlines

  @Test("A silent connection, a slow head: 408 at the deadline", arguments: ["", "GET / HTTP/1.1\r\nHo"])
  func headDeadline(start: String) throws {
    let connection = try GuardedConnection()
    connection.pass(9)
    if !start.isEmpty { try connection.send(start) }
    #expect(try connection.received() == "")
    connection.pass(1)
    #expect(try connection.received() == answer("408 Request Timeout", "request-timeout"))
    #expect(connection.refusals == ["408 request-timeout"])
    #expect(connection.passed == "")
    #expect(connection.socket.outputIsClosed)
    #expect(connection.isOpen)
    connection.pass(1)
    #expect(!connection.isOpen)
    #expect(connection.openings == [true, false])
  }

  @Test("A byte a second does not put the deadline off")
  func byteASecond() throws {
    let connection = try GuardedConnection()
    for byte in get.prefix(20) {
      guard connection.isOpen else { break }
      try connection.send(String(byte))
      connection.pass(1)
    }
    #expect(connection.refusals == ["408 request-timeout"])
  }

  @Test("A later head has as long from its first byte")
  func laterHead() throws {
    let connection = try GuardedConnection()
    try connection.send(get)
    try connection.respond()
    connection.pass(50)
    try connection.send("G")
    connection.pass(9)
    #expect(connection.refusals == [])
    connection.pass(1)
    #expect(connection.refusals == ["408 request-timeout"])
  }

  @Test("Between requests a connection closes without a word")
  func idle() throws {
    let connection = try GuardedConnection()
    try connection.send(get)
    connection.pass(300)
    try connection.respond()
    _ = try connection.received()
    connection.pass(59)
    #expect(!connection.socket.outputIsClosed)
    connection.pass(1)
    #expect(connection.socket.outputIsClosed)
    connection.pass(1)
    #expect(!connection.isOpen)
    #expect(try connection.received() == "")
    #expect(connection.refusals == [])
  }

  // MARK: Rate of the body

  @Test("A body that does not come is refused after the grace and one window")
  func silentBody() throws {
    let connection = try GuardedConnection()
    try connection.send(post(10) + "a")
    connection.pass(19)
    #expect(connection.refusals == [])
    connection.pass(1)
    #expect(connection.refusals == ["408 request-timeout"])
    #expect(try connection.received() == answer("408 Request Timeout", "request-timeout"))
    #expect(connection.application.seesInputEnd)
  }

  @Test("A slow body, a body fast enough", arguments: [(499, false), (500, true)])
  func bodyRate(bytesPerSecond: Int, passes: Bool) throws {
    let connection = try GuardedConnection()
    try connection.send(post(100_000))
    for _ in 0..<60 {
      connection.pass(1)
      guard connection.refusals.isEmpty else { break }
      try connection.send(String(repeating: "a", count: bytesPerSecond))
    }
    #expect(connection.refusals.isEmpty == passes)
  }

  @Test("Time in which nobody reads does not count")
  func backPressure() throws {
    let connection = try GuardedConnection()
    try connection.send(post(100))
    try connection.sendWithoutRead("a")
    connection.pass(1_000)
    #expect(connection.refusals == [])
    connection.channel.read()
    connection.pass(19)
    #expect(connection.refusals == [])
    try connection.sendWithoutRead("b")
    connection.pass(1_000)
    connection.channel.read()
    connection.pass(1)
    #expect(connection.refusals == ["408 request-timeout"])
  }

  @Test("The read that was asked for before the head of a held request counts for its body")
  func readBeforeBody() throws {
    let connection = try GuardedConnection()
    try connection.send(get + post(100))
    try connection.respond()
    connection.pass(20)
    #expect(connection.refusals == ["408 request-timeout"])
  }

  @Test("While the application answers, no deadline runs")
  func slowApplication() throws {
    let connection = try GuardedConnection()
    try connection.send(post(1) + "a")
    connection.pass(3_600)
    #expect(connection.isOpen)
    try connection.respond()
    #expect(try connection.received() == "answer")
  }

  // MARK: One request at a time

  @Test("Bytes after a request wait until it is answered")
  func pipelining() throws {
    let connection = try GuardedConnection()
    try connection.send(get + post(2) + "ab" + get + "GET")
    #expect(connection.passed == get)
    try connection.respond("1")
    #expect(connection.passed == get + post(2) + "ab")
    try connection.respond("2", ends: false)
    #expect(connection.passed == get + post(2) + "ab")
    try connection.respond("2")
    #expect(connection.passed == get + post(2) + "ab" + get)
    try connection.respond("3")
    connection.pass(10)
    #expect(try connection.received() == "1223" + answer("408 Request Timeout", "request-timeout"))
  }

  @Test("A response that ends before its request: the next one waits for both")
  func earlyResponse() throws {
    let connection = try GuardedConnection()
    try connection.send(post(4) + "ab")
    try connection.respond()
    try connection.send("cd" + get)
    connection.channel.embeddedEventLoop.run()
    #expect(connection.passed == post(4) + "abcd" + get)
  }

  @Test("With enough held, nothing more is read until there is room")
  func heldBytes() throws {
    let connection = try GuardedConnection(ConnectionLimits(headBytes: 100))
    try connection.send(get)
    try connection.send(post(1_000) + String(repeating: "a", count: 200))
    let reads = connection.socket.reads
    connection.channel.read()
    #expect(connection.socket.reads == reads)
    try connection.respond()
    #expect(connection.socket.reads == reads + 1)
    connection.channel.read()
    #expect(connection.socket.reads == reads + 2)
  }

  @Test("The last request closes the output, and what follows it is no request")
  func lastRequest() throws {
    let connection = try GuardedConnection()
    let last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    try connection.send(last + get)
    try connection.respond()
    #expect(connection.passed == last)
    #expect(try connection.received() == "answer")
    #expect(connection.socket.outputIsClosed)
    connection.pass(1)
    #expect(!connection.isOpen)
  }

  // MARK: Refusals

  @Test("Nothing of a refused head reaches the application, and its output goes nowhere")
  func refusedHead() throws {
    let connection = try GuardedConnection()
    try connection.send("GET / HTTP/2.0\r\n\r\n")
    #expect(try connection.received() == answer("505 HTTP Version Not Supported", "unsupported-http-version"))
    #expect(connection.passed == "")
    let promise = connection.channel.eventLoop.makePromise(of: Void.self)
    connection.channel.writeAndFlush(ByteBuffer(string: "late"), promise: promise)
    #expect(throws: ChannelError.self) { try promise.futureResult.wait() }
    #expect(try connection.received() == "")
  }

  @Test("A body too large is refused before it is sent")
  func largeBody() throws {
    let connection = try GuardedConnection()
    try connection.send(post(1_048_577, "Expect: 100-continue\r\n"))
    #expect(try connection.received() == answer("413 Content Too Large", "body-too-large"))
    #expect(connection.passed == "")
  }

  @Test("A body refused in the middle ends the input of the application")
  func refusedMidBody() throws {
    let connection = try GuardedConnection()
    let head = "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    try connection.send(head + "1\r\na\r\n")
    try connection.send("0x10\r\n")
    #expect(connection.passed == head + "1\r\na\r\n")
    #expect(connection.application.seesInputEnd)
    #expect(try connection.received() == answer("400 Bad Request", "malformed-chunk"))
  }

  @Test("A refusal in the middle of a response only closes")
  func refusedMidResponse() throws {
    let connection = try GuardedConnection()
    try connection.send("POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    try connection.respond("begin", ends: false)
    try connection.send("x")
    #expect(try connection.received() == "begin")
    #expect(connection.refusals == ["400 malformed-chunk"])
    #expect(!connection.isOpen)
    #expect(connection.application.seesClose)
  }

  @Test("A refused client may go on for a second or a megabyte, and then no more")
  func lingering() throws {
    let connection = try GuardedConnection(ConnectionLimits(lingerBytes: 1_000))
    try connection.send("BREW / HTTP/1.1\r\n")
    let reads = connection.socket.reads
    try connection.sendWithoutRead(String(repeating: "a", count: 1_000))
    #expect(connection.socket.reads == reads + 1)
    #expect(connection.isOpen)
    #expect(connection.passed == "")
    try connection.sendWithoutRead("a")
    #expect(!connection.isOpen)
  }

  @Test("A close by the application does not cut the answer to a refusal short")
  func closeWhileLingering() throws {
    let connection = try GuardedConnection()
    try connection.send("BREW / HTTP/1.1\r\n")
    let promise = connection.channel.eventLoop.makePromise(of: Void.self)
    connection.channel.close(promise: promise)
    #expect(connection.isOpen)
    connection.pass(1)
    #expect(!connection.isOpen)
    try promise.futureResult.wait()
  }

  @Test("A client that closes after a refusal is let go at once")
  func clientClosesWhileLingering() throws {
    let connection = try GuardedConnection()
    try connection.send("BREW / HTTP/1.1\r\n")
    connection.sendEnd()
    #expect(!connection.isOpen)
  }

  // MARK: 100 Continue

  @Test("The guard asks for the body when the head is accepted and the body is not here")
  func asksForBody() throws {
    let connection = try GuardedConnection()
    try connection.send(post(2, "Expect: 100-continue\r\n"))
    #expect(try connection.received() == "HTTP/1.1 100 Continue\r\n\r\n")
    try connection.send("ab")
    try connection.respond()
    #expect(try connection.received() == "answer")
    try connection.send(post(2, "Expect: 100-continue\r\n") + "a")
    #expect(try connection.received() == "")
  }

  @Test("A body that was asked for may still be refused")
  func refusesBodyAskedFor() throws {
    let connection = try GuardedConnection()
    try connection.send(post(2, "Expect: 100-continue\r\n"))
    _ = try connection.received()
    connection.pass(20)
    #expect(try connection.received() == answer("408 Request Timeout", "request-timeout"))
  }

  // MARK: Slow readers and half-closed connections

  // MARK: Stopping

  @Test("A connection that is idle when the service stops has a second for one more request")
  func draining() throws {
    for isUsed in [false, true] {
      for event in [true, false] {
        let connection = try GuardedConnection()
        if isUsed {
          try connection.send(get)
          try connection.respond()
          _ = try connection.received()
        }
        // By the server's own event, or by the service's word.
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
        #expect(try connection.received() == "answer")
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

  @Test("Requests that have arrived before the last response are answered")
  func drainingPipeline() throws {
    let connection = try GuardedConnection()
    try connection.send(get + get)
    connection.requestGuard.beginDraining()
    try connection.respond("one")
    #expect(!connection.isLast)
    try connection.respond("two")
    #expect(connection.isLast)
    #expect(try connection.received() == "onetwo")
  }

  @Test("A client that sends a body may take the answer later")
  func writesBeforeItReads() throws {
    let connection = try GuardedConnection()
    try connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
    connection.channel.isWritable = false
    connection.channel.pipeline.fireChannelWritabilityChanged()
    for _ in 0..<10 {
      connection.channel.embeddedEventLoop.advanceTime(by: .seconds(9))
      try connection.send(String(repeating: "x", count: 10_000))
    }
    #expect(connection.isOpen)
    // Nothing is read from it, and it takes nothing.
    try connection.sendWithoutRead(String(repeating: "x", count: 1000))
    connection.channel.embeddedEventLoop.advanceTime(by: .seconds(61))
    #expect(!connection.isOpen)
  }

  @Test("A client that takes nothing for 30 seconds is closed, one that takes something is not")
  func writeStall() throws {
    let connection = try GuardedConnection()
    try connection.send(get)
    connection.channel.isWritable = false
    connection.channel.pipeline.fireChannelWritabilityChanged()
    connection.pass(29)
    connection.channel.isWritable = true
    connection.channel.pipeline.fireChannelWritabilityChanged()
    connection.pass(100)
    #expect(connection.isOpen)
    connection.channel.isWritable = false
    connection.channel.pipeline.fireChannelWritabilityChanged()
    connection.pass(30)
    #expect(!connection.isOpen)
  }

  @Test("A stall is judged by what has left the buffer")
  func stallProgress() {
    let start = NIODeadline.uptimeNanoseconds(0)
    var stall = OutputStall(limits: ConnectionLimits(), buffered: 100_000, now: start)
    let isStalledFirst = stall.isStalled(buffered: 85_000, at: start + .seconds(30))
    #expect(!isStalledFirst)
    #expect(stall.deadline == start + .seconds(60))
    stall.count(1_000)
    let isStalledThen = stall.isStalled(buffered: 71_001, at: start + .seconds(60))
    #expect(isStalledThen)
  }

  @Test("A client may close its side after whole requests and gets every answer")
  func halfClose() throws {
    let connection = try GuardedConnection()
    try connection.send(get + get)
    connection.sendEnd()
    #expect(!connection.application.seesInputEnd)
    try connection.respond("1")
    #expect(connection.application.seesInputEnd)
    #expect(connection.passed == get + get)
    try connection.respond("2")
    #expect(try connection.received() == "12")
    #expect(!connection.isOpen)
  }

  @Test("An end in the middle of a request closes", arguments: ["GET / HT", post(2) + "a", get + "GE"])
  func endInRequest(start: String) throws {
    let connection = try GuardedConnection()
    try connection.send(start)
    connection.sendEnd()
    if connection.isOpen { try connection.respond() }
    #expect(!connection.isOpen)
    #expect(connection.application.seesClose)
    #expect(connection.refusals == [])
  }

  @Test("One timer stands for all deadlines of a connection")
  func oneTimer() throws {
    let connection = try GuardedConnection(ConnectionLimits(idleSeconds: 60))
    for _ in 0..<100 {
      try connection.send(get)
      try connection.respond()
      connection.pass(1)
    }
    _ = try connection.received()
    #expect(connection.isOpen)
    connection.pass(58)
    #expect(!connection.socket.outputIsClosed)
    connection.pass(1)
    #expect(connection.socket.outputIsClosed)
  }
}
