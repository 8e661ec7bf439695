// The broker's state machine with a store that the test controls.

import BrokerCore
import Records
import Synchronization
import Testing

/// Counts encodings.
final class EncodingCount: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func increase() { count.withLock { $0 += 1 } }
}

/// A state machine and the messages that tests send to it.
struct SmallBroker {
  let encodings: EncodingCount
  var broker: Broker

  init(quotas: QuotaPolicy = QuotaPolicy()) {
    let encodings = EncodingCount()
    self.encodings = encodings
    broker = Broker(
      BrokerConfiguration(
        policy: BrokerPolicy(maySpeakFor: [0], accountsAreOpen: false), quotas: quotas,
        encode: { _ in
          encodings.increase()
          return [1]
        }, digest: { $0 }))
  }

  func hello(version: Int = 1) -> Hello {
    Hello(
      version: version, container: "contacts", accountName: "ada", deviceName: "laptop",
      device: nil, deviceKey: [], lastNumber: .zero, acknowledged: .zero, directory: .zero,
      zones: [])
  }

  func request(_ value: Int64) -> ModifyRequest {
    ModifyRequest(
      number: number(value), acknowledged: .zero,
      groups: [OperationGroup(zone: .standard, operations: [save("a", tag: nil)])])
  }

  mutating func say(
    _ message: ClientMessage, from connection: ConnectionID, number: UInt64 = 1,
    byteCount: Int = 10
  ) -> [BrokerAction] {
    broker.handle(.received(connection, number: number, message, byteCount: byteCount))
  }

  /// Opens a connection of an account that joined `zone` at a revision, and subscribes to it at `token`. Its directory is
  /// unchanged.
  @discardableResult mutating func open(
    _ connection: ConnectionID, zone: StoredZone? = nil, token: ChangeToken? = nil,
    joined: Revision = .zero, isDirectoryLeftOut: Bool = false
  ) -> [BrokerAction] {
    _ = broker.handle(.opened(connection, .localUser(0)))
    _ = say(.hello(hello()), from: connection)
    let zones = zone.map { zone in
      [
        AttachedZone(
          position: ZonePosition(zone: zone.id, token: token), stored: zone, joined: joined)
      ]
    }
    let signedIn = SignedIn(
      identity: identity, accountName: "ada", lastNumber: .zero,
      directory: DirectoryPage(from: .zero, to: .zero, entries: []),
      isDirectoryLeftOut: isDirectoryLeftOut, zones: zones ?? [])
    return broker.handle(.stored([.signedIn(.success(signedIn), connection)]))
  }

  /// Opens a connection that is live in an empty standard zone.
  mutating func openLive(_ connection: ConnectionID) {
    let empty = zone(head: 0)
    let token = ChangeToken(
      incarnation: empty.incarnation, revision: .zero, scanStart: .zero)
    open(connection, zone: empty, token: token)
  }

  mutating func commit(
    _ changes: [Change], from: Int64, by connection: ConnectionID
  ) -> [BrokerAction] {
    let stored = zone(head: changes.last?.tag.value ?? from)
    let effects = CommitEffects(zones: [
      ZoneCommit(container: 1, zone: stored, from: Revision(from), changes: changes)
    ])
    let outcome = ModifyOutcome(number: number(1), groups: [])
    return broker.handle(.stored([client(.modified(outcome, effects), connection)]))
  }

  // MARK: Inspection of actions

  func messages(in actions: [BrokerAction]) -> [BrokerMessage] {
    actions.compactMap {
      switch $0 {
      case .send(_, _, let message), .broadcast(let message, _): message
      default: nil
      }
    }
  }

  func name(_ message: BrokerMessage) -> String {
    String(String(describing: message).prefix { $0 != "(" })
  }

  func goodbye(in actions: [BrokerAction]) -> RecordsError? {
    for case .goodbye(let error) in messages(in: actions) { return error }
    return nil
  }

  func reads(in actions: [BrokerAction]) -> [ReadRequest] {
    actions.compactMap {
      guard case .read(let request) = $0 else { return nil }
      return request
    }
  }

  func publications(
    in actions: [BrokerAction]
  ) -> [(segments: [FeedSegment], connections: [ConnectionID])] {
    actions.compactMap {
      guard case .publish(let segments, let connections) = $0 else { return nil }
      return (segments, connections)
    }
  }

  func segments(in actions: [BrokerAction]) -> Int {
    actions.count {
      guard case .sendSegment = $0 else { return false }
      return true
    }
  }

  func isPause(_ action: BrokerAction) -> Bool {
    guard case .pause = action else { return false }
    return true
  }

  func isResume(_ action: BrokerAction) -> Bool {
    guard case .resume = action else { return false }
    return true
  }
}
