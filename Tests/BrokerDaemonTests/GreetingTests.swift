import Processes
import Records
import RecordsWire
import Testing

@Suite("B1, P10 the hello", .timeLimit(.minutes(5)))
struct GreetingTests {
  @Test func `a hello is answered by a welcome, and the account is created`() async throws {
    let broker = try await RunningBroker()
    let device = WireDevice(account: "alice")
    let welcome = try await WireClient(broker).welcome(device.hello())
    #expect(welcome.version == 1)
    #expect(welcome.accountName == "alice")
    #expect(welcome.lastNumber == .zero)
    #expect(welcome.heartbeatSeconds > 0)
  }

  @Test func `without changes a hello returns a welcome and the end of the snapshot, and no page`()
    async throws
  {
    let broker = try await RunningBroker()
    var device = WireDevice()
    var client = try await device.connect(
      broker, zones: [ZonePosition(zone: .standard, token: nil)])
    let (_, start) = try await client.changesUntilLevel()
    try await device.perform(.note("a"), .note("b"), over: client)
    let changes = try await client.changes()
    #expect(changes.from == start)
    let token = ChangeToken(
      incarnation: changes.incarnation, revision: changes.to, scanStart: start)
    device.directory = try await client.directory().to
    client.close()

    client = try WireClient(broker)
    let welcome = try await client.welcome(
      device.hello(zones: [ZonePosition(zone: .standard, token: token)]))
    let end = try await client.send(.ping)
    var messages: [BrokerMessage] = []
    while let frame = try await client.next(), frame.replyTo != end {
      messages.append(frame.message)
    }
    #expect(messages.count == 1)
    guard case .level(_, _, let head, _, _)? = messages.last else {
      throw Unexpected(messages.first ?? .pong)
    }
    #expect(welcome.directory == device.directory)
    #expect(head == changes.to)
  }
}

extension BrokerFrame {
  /// The error code of an `error`, `goodbye` or `reset` frame.
  var errorCode: RecordsError.Code? {
    switch message {
    case .error(let error), .goodbye(let error), .reset(_, let error): error.code
    default: nil
    }
  }
}
