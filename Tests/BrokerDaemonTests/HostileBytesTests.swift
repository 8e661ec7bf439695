import Processes
import Records
import RecordsWire
import Testing

@Suite("I18, H2 hostile bytes", .timeLimit(.minutes(5)))
struct HostileBytesTests {
  /// The bytes that misbehaving connections send.
  static let nonsense: [[UInt8]] = [
    // Not protobuf.
    [0, 0, 0, 4, 0xFF, 0xFF, 0xFF, 0xFF],
    // Lengths out of bounds.
    [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF, 1], [0, 0x40, 0, 1, 8, 1],
    // An HTTP client.
    Array("GET / HTTP/1.1\r\nHost: broker\r\n\r\n".utf8),
    // A message before hello.
    ClientFrame(id: 1, message: .ping).framed,
    ClientFrame(id: 1, message: .checkpoint).framed,
    ClientFrame(id: 1, message: .attach(.fromNothing)).framed,
    // Two hellos without waiting.
    ClientFrame(id: 1, message: .hello(WireDevice().hello())).framed
      + ClientFrame(id: 2, message: .hello(WireDevice().hello())).framed,
    // A key too short.
    ClientFrame(id: 1, message: .hello(WireDevice().hello(key: [1, 2, 3]))).framed,
    // No message in the frame.
    [0, 0, 0, 2, 8, 1],
  ]

  @Test(arguments: nonsense)
  func `invalid bytes close that connection with a reason, and no other`(
    bytes: [UInt8]
  ) async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let bystander = try await device.connect(broker)
    let hostile = try WireClient(broker)
    try await hostile.send(bytes)
    let frames = try await hostile.rest()
    guard case .goodbye(let reason)? = frames.last?.message else {
      throw RecordsError(.serverResponseLost, "It ended without a goodbye: \(frames).")
    }
    #expect(!reason.message.isEmpty)
    #expect(try await device.perform(.note("a"), over: bystander) == [.saved(tag: Revision(1))])
  }

  @Test func `a second hello closes a signed-in connection`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    try await client.send(.hello(device.hello()))
    #expect(try await client.rest().last?.errorCode == .invalidArguments)
  }

  @Test func `an incomplete frame leaves nothing behind`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let bystander = try await device.connect(broker)
    let whole = ClientFrame(id: 1, message: .hello(WireDevice().hello())).framed
    for length in [1, 3, 5, whole.count - 1] {
      let client = try WireClient(broker)
      try await client.send(Array(whole.prefix(length)))
      client.close()
    }
    let half = try WireClient(broker)
    try await half.send(Array(whole.prefix(7)))
    half.endSending()
    _ = try await half.rest()
    #expect(try await device.perform(.note("a"), over: bystander) == [.saved(tag: Revision(1))])
  }

  @Test func `ten thousand frames before the hello end the connection at the first`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let bystander = try await device.connect(broker)
    let flood = (1...10_000).flatMap { ClientFrame(id: $0, message: .ping).framed }
    let hostile = try WireClient(broker)
    try await hostile.send(flood)
    #expect(try await hostile.rest().count <= 2)
    #expect(try await device.perform(.note("a"), over: bystander) == [.saved(tag: Revision(1))])
  }

  @Test func `an announced length uses no memory until its bytes arrive`() async throws {
    let broker = try await RunningBroker()
    let before = broker.program.residentBytes
    var clients: [WireClient] = []
    for _ in 0..<100 {
      let client = try WireClient(broker)
      try await client.send([0, 1, 0xF0, 0] + [UInt8](repeating: 0, count: 1000))
      clients.append(client)
    }
    var device = WireDevice()
    try await device.perform(.note("a"), over: try await device.connect(broker))
    #expect(broker.program.residentBytes - before < 64 << 20)
    #expect(clients.allSatisfy { !$0.isClosed })
  }

  @Test func `a connection before its hello gets memory for a greeting and no more`() async throws {
    let broker = try await RunningBroker()
    let client = try WireClient(broker)
    try await client.send([0, 0x3F, 0xFF, 0xFF])
    #expect(try await client.rest().last?.errorCode == .limitExceeded)
  }

  @Test
  func `an account gets a share of the connections, and the broker reserves files for itself`()
    async throws
  {
    // Of 128 files 64 are reserved, and one account must leave a quarter of the others free.
    let broker = try await RunningBroker(openFilesMaximum: 128)
    var devices: [WireDevice] = []
    var clients: [WireClient] = []
    for _ in 0..<48 {
      var device = WireDevice()
      clients.append(try await device.connect(broker))
      devices.append(device)
    }
    let last = try WireClient(broker)
    try await last.send(.hello(WireDevice().hello()))
    #expect(try await last.rest().last?.errorCode == .requestRateLimited)
    var strangers: [WireClient] = []
    for _ in 0..<40 { strangers.append(try WireClient(broker)) }
    for refused in strangers.dropFirst(16) {
      #expect(try await refused.rest().last?.errorCode == .requestRateLimited)
    }
    #expect(
      try await devices[0].perform(.note("a"), over: clients[0]) == [.saved(tag: Revision(1))])
    clients[1].close()
    try await Patience.wait(until: "there is room again") {
      var device = WireDevice()
      return (try? await device.connect(broker)) != nil
    }
  }

  @Test func `the frames of one user that are never finished share a limit`() async throws {
    let broker = try await RunningBroker()
    let before = broker.program.residentBytes
    let half = [0, 0x3F, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 0x3F_FF00)
    var clients: [WireClient] = []
    for _ in 0..<40 {
      var device = WireDevice()
      let hostile = try await device.connect(broker)
      // The broker may close the connection before all bytes are sent.
      try? await hostile.send(half)
      clients.append(hostile)
    }
    // 160 MiB were sent.
    #expect(broker.program.residentBytes - before < 120 << 20)
    var device = WireDevice()
    let bystander = try await device.connect(broker)
    #expect(try await device.perform(.note("a"), over: bystander) == [.saved(tag: Revision(1))])
    let last = try #require(clients.last)
    #expect(try await last.rest().last?.errorCode == .limitExceeded)
  }

  @Test func `answers that a client does not read are bounded, however many it requested`()
    async throws
  {
    let broker = try await RunningBroker()
    var writer = WireDevice()
    let writing = try await writer.connect(broker)
    let text = String(repeating: "z", count: 900_000)
    for name in ["a", "b", "c", "d"] {
      try await writer.perform(.note(name, text: text), over: writing)
    }
    let ids = ["a", "b", "c", "d"].map { RecordID(zone: .standard, name: RecordName(stored: $0)) }
    var deaf = WireDevice()
    let asking = try await deaf.connect(broker)
    let before = broker.program.residentBytes
    let flood = (10..<310).flatMap { ClientFrame(id: $0, message: .fetch(ids)).framed }
    try await asking.send(flood)
    // This answer follows all frames of the flood that were read.
    try await writer.perform(.note("e"), over: writing)
    try await Task.sleep(for: .seconds(1))
    #expect(broker.program.residentBytes - before < 64 << 20)
    // The client receives all answers once it reads.
    for number in UInt64(10)..<310 {
      guard case .fetched(let found) = try await asking.answer(to: number) else {
        Issue.record("Question \(number) was not answered.")
        return
      }
      #expect(found.count == 4)
    }
  }

  @Test func `the broker stops reading a client that sends requests and reads no answers`()
    async throws
  {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let bystander = try await device.connect(broker)
    var deaf = WireDevice()
    let asking = try await deaf.connect(broker)
    let before = broker.program.residentBytes
    let flood = (1...20_000).flatMap { ClientFrame(id: $0, message: .ping).framed }
    // Send until the socket is full, or far more than sockets buffer.
    for _ in 0..<100 {
      guard try await asking.sendWhatFits(flood) else { break }
    }
    #expect(broker.program.residentBytes - before < 64 << 20)
    #expect(try await device.perform(.note("a"), over: bystander) == [.saved(tag: Revision(1))])
  }

  @Test func `an invalid request is refused and the connection stays open`() async throws {
    let broker = try await RunningBroker()
    var device = WireDevice()
    let client = try await device.connect(broker)
    let text = String(repeating: "z", count: 700_000)
    let request = device.request([
      .note("a", text: text), .note("b", text: text),
      .note("c", text: text), .note("d", text: text),
    ])
    let answer = try await client.ask(.modify(request))
    guard case .error(let error) = answer else { throw Unexpected(answer) }
    #expect(error.code == .limitExceeded)
    device.lastNumber = .zero
    #expect(try await device.perform(.note("a"), over: client) == [.saved(tag: Revision(1))])
  }
}
