// A session with a scripted broker that sends and closes as the test specifies.

import BrokerLinks
import NIOCore
import NIOPosix
import Records
import RecordsWire
import Synchronization
import Testing

@testable import BrokerClient

@Suite("K3, K4 a session after a lost connection", .timeLimit(.minutes(5)))
struct SessionTests {
  private let broker = ScriptedBroker()

  private func session(
    _ identity: DeviceIdentity, timeout: TimeAmount, cursor: StreamCursor? = nil
  ) -> Session {
    session(SharedIdentity(identity) { _ in }, timeout: timeout, cursor: cursor)
  }

  private func session(
    _ shared: SharedIdentity, timeout: TimeAmount, cursor: StreamCursor? = nil
  ) -> Session {
    Session(
      SessionEnvironment(
        connector: broker, loop: broker.loop,
        helloTemplate: HelloTemplate(container: "tests", account: "ada"),
        sharedIdentity: shared, timeout: timeout),
      cursor: cursor)
  }

  @Test func `a request that was sent before the broker stopped may have been applied`()
    async throws
  {
    broker.answers { message in
      switch message {
      case .hello: .say(ScriptedBroker.welcome(lastNumber: 0))
      case .modify: .leave
      default: .keepSilent
      }
    }
    let session = session(DeviceIdentity(name: "laptop"), timeout: .milliseconds(500))
    let error = await #expect(throws: RecordsError.self) {
      let group = OperationGroup(zone: .standard, operations: [.emptyTrash(through: .zero)])
      _ = try await session.modify([group])
    }
    #expect(error?.code == .serverResponseLost)
    await session.close()
  }

  @Test func `a broker that counts its notifications from the start is followed by an open stream`()
    async throws
  {
    var identity = DeviceIdentity(name: "laptop")
    identity.acknowledged = 5
    let position = NotificationNumber(100)
    identity.acknowledgedNotifications = position
    let fold = CollapsedNotifications(
      subscription: try SubscriptionID("s"), zones: [], first: NotificationNumber(1),
      last: NotificationNumber(3), count: 3)
    broker.answers { message in
      switch message {
      case .hello: .say(ScriptedBroker.welcome(lastNumber: 2))
      case .followNotifications(.none):
        .say(.notifications(NotificationPage(notifications: [], collapsed: [fold], isLevel: true)))
      default: .keepSilent
      }
    }
    let session = session(
      identity, timeout: .seconds(60),
      cursor: .notifications(NotificationCursor(after: position)))
    guard case .notifications(let page) = try await session.next() else {
      Issue.record("nothing came")
      return
    }
    #expect(page.collapsed == [fold])
    await session.close()
  }

  @Test func `a stream that the broker cannot give at the moment is requested again`() async throws
  {
    let asked = Mutex(0)
    let first = { @Sendable in
      asked.withLock { count in
        count += 1
        return count == 1
      }
    }
    broker.answers { message in
      switch message {
      case .hello: .say(ScriptedBroker.welcome(lastNumber: 0))
      case .followNotifications where first():
        .say(.error(RecordsError(.serviceUnavailable, "Its disk is full.", retryAfterSeconds: 0)))
      case .followNotifications:
        .say(.notifications(NotificationPage(notifications: [], collapsed: [], isLevel: true)))
      default: .keepSilent
      }
    }
    let session = session(
      DeviceIdentity(name: "laptop"), timeout: .seconds(60),
      cursor: .notifications(NotificationCursor(after: NotificationNumber(0))))
    guard case .notifications(let page) = try await session.next() else {
      Issue.record("nothing came")
      return
    }
    #expect(page.isLevel)
    await session.close()
  }

  @Test func `when the network has changed, the broker is asked whether it still answers`()
    async throws
  {
    let pings = Mutex(0)
    broker.answers { message in
      switch message {
      case .hello: return .say(ScriptedBroker.welcome(lastNumber: 0))
      case .ping:
        pings.withLock { $0 += 1 }
        return .keepSilent
      default: return .keepSilent
      }
    }
    let session = session(DeviceIdentity(name: "laptop"), timeout: .seconds(60))
    _ = try await session.welcome()
    await session.networkChanged()
    #expect(pings.withLock { $0 } == 1)
    await session.close()
  }

  @Test func `a copied program names its former device until it has a welcome`() async throws {
    var identity = DeviceIdentity(name: "laptop")
    identity.register(as: DeviceID(3))
    let former = FormerDevice(DeviceID(3), key: identity.key)
    let copied = RecordsError(.constraintViolation, "A copy.", reason: "clonedDevice")
    let hellos = Mutex<[Hello]>([])
    broker.answers { message in
      guard case .hello(let hello) = message else { return .keepSilent }
      let count = hellos.withLock { hellos in
        hellos.append(hello)
        return hellos.count
      }
      return .say(count == 1 ? .goodbye(copied) : ScriptedBroker.welcome(lastNumber: 0))
    }
    let shared = SharedIdentity(identity) { _ in }
    let session = session(shared, timeout: .seconds(60))
    _ = try await session.welcome()
    let sent = hellos.withLock { $0 }
    #expect(sent.map(\.formerDevice) == [nil, former])
    #expect(sent.map(\.device) == [DeviceID(3), nil])
    #expect(shared.current.id == DeviceID(8).description && shared.current.former == nil)
    #expect(shared.current.key != former.key)
    await session.close()
  }

  @Test func `a welcome of the former device does not name the new one`() async throws {
    var identity = DeviceIdentity(name: "laptop")
    identity.register(as: DeviceID(8))
    let shared = SharedIdentity(identity) { _ in }
    broker.answers { message in
      guard case .hello = message else { return .keepSilent }
      // Another connection of the container makes the program a new device at this moment.
      shared.update { $0.resetAsNewDevice() }
      return .say(ScriptedBroker.welcome(lastNumber: 0))
    }
    let session = session(shared, timeout: .seconds(60))
    _ = try await session.welcome()
    #expect(shared.current.id == nil)
    #expect(shared.current.formerDevice?.device == DeviceID(8))
    await session.close()
  }
}

/// A broker that accepts one connection after another and answers by a script.
private final class ScriptedBroker: BrokerConnector {
  /// The reaction to a message.
  enum Turn: Sendable {
    case say(BrokerMessage)
    case keepSilent
    /// Closes the connection and accepts no others.
    case leave
  }

  private struct State {
    var answer: @Sendable (ClientMessage) -> Turn = { _ in .keepSilent }
    var isGone = false
  }

  let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
  private let state = Mutex(State())

  static func welcome(lastNumber: Int64) -> BrokerMessage {
    .welcome(
      Welcome(
        version: 1, account: AccountID(7), accountName: "ada", device: DeviceID(8),
        lastNumber: RequestNumber(lastNumber), directory: .zero, heartbeatSeconds: 600))
  }

  func answers(_ answer: @escaping @Sendable (ClientMessage) -> Turn) {
    state.withLock { $0.answer = answer }
  }

  func connect(_ receive: @escaping @Sendable (LinkEvent) -> Void) {
    loop.execute { [self] in
      guard !state.withLock({ $0.isGone }) else { return receive(Self.nobody) }
      receive(.opened(ScriptedLink(broker: self, receive: receive)))
    }
  }

  private static let nobody = LinkEvent.closed(
    RecordsError(.networkUnavailable, "No broker answers.", retryAfterSeconds: 1))

  fileprivate func received(
    _ message: ClientMessage, _ id: UInt64, _ receive: @escaping @Sendable (LinkEvent) -> Void
  ) {
    let turn = state.withLock { $0.answer }(message)
    loop.execute { [self] in
      switch turn {
      case .say(let answer): receive(.received(BrokerFrame(replyTo: id, message: answer)))
      case .keepSilent: break
      case .leave:
        state.withLock { $0.isGone = true }
        receive(Self.nobody)
      }
    }
  }
}

/// A connection to the scripted broker.
private struct ScriptedLink: BrokerLink {
  let broker: ScriptedBroker
  let receive: @Sendable (LinkEvent) -> Void

  func send(_ id: UInt64, _ message: ClientMessage) -> Bool {
    broker.received(message, id, receive)
    return true
  }

  func send(_ id: UInt64, encodedRequest: [UInt8]) -> Bool { true }
  func flush() {}
  func pause() {}
  func resume() {}
  func close() {}
}
