// A device as its broker knows it: an identity that outlives connections, and request numbers without gaps.

import Processes
import Records
import RecordsWire

/// A device's identity.
struct WireDevice {
  var key: [UInt8]
  let account: String?
  var id: DeviceID?
  var lastNumber: RequestNumber = .zero
  var acknowledged: RequestNumber = .zero
  var directory: Revision = .zero

  init(account: String? = "alice") {
    self.account = account
    key = (0..<32).map { _ in UInt8.random(in: 0 ... .max) }
  }

  func hello(
    version: Int = ProtocolVersion.newest, key: [UInt8]? = nil, zones: [ZonePosition] = []
  ) -> Hello {
    Hello(
      version: version, container: "contacts", accountName: account, deviceName: "test",
      device: id, deviceKey: key ?? self.key, lastNumber: lastNumber, acknowledged: acknowledged,
      directory: directory, zones: zones)
  }

  /// Connects, sends the hello and stores the identity from the welcome.
  mutating func connect(
    _ broker: RunningBroker, zones: [ZonePosition] = []
  ) async throws -> WireClient {
    let client = try WireClient(broker)
    id = try await client.welcome(hello(zones: zones)).device
    return client
  }

  /// A request under the next number.
  mutating func request(
    _ operations: [Operation], in zone: ZoneID = .standard
  ) -> ModifyRequest {
    request([OperationGroup(zone: zone, operations: operations)])
  }

  /// A request under the next number.
  mutating func request(_ groups: [OperationGroup]) -> ModifyRequest {
    lastNumber = lastNumber.next
    return ModifyRequest(number: lastNumber, acknowledged: acknowledged, groups: groups)
  }

  /// Sends a request under the next number and returns the results of its only group.
  @discardableResult
  mutating func perform(
    _ operations: Operation..., in zone: ZoneID = .standard, over client: WireClient
  ) async throws -> [OperationResult] {
    let outcome = try await client.outcome(of: request(operations, in: zone))
    acknowledged = outcome.number
    return outcome.groups.first ?? []
  }
}

extension WireClient {
  /// Sends a hello and returns the welcome.
  func welcome(_ hello: Hello) async throws -> Welcome {
    let answer = try await ask(.hello(hello))
    guard case .welcome(let welcome) = answer else { throw Unexpected(answer) }
    return welcome
  }

  /// Sends a request and returns its outcome.
  func outcome(of request: ModifyRequest) async throws -> ModifyOutcome {
    let answer = try await ask(.modify(request))
    guard case .outcome(let outcome) = answer else { throw Unexpected(answer) }
    return outcome
  }

  /// Returns the newest state of a record; `nil` if there is none.
  func record(_ name: String, in zone: ZoneID = .standard) async throws -> Change? {
    let answer = try await ask(.fetch([RecordID(zone: zone, name: RecordName(stored: name))]))
    guard case .fetched(let changes) = answer, changes.count == 1 else { throw Unexpected(answer) }
    return changes[0]
  }

  /// Returns the next segment of a feed.
  func changes() async throws -> ZoneChanges {
    try await first("changes") {
      if case .changes(let changes) = $0.message { changes } else { nil }
    }
  }

  /// Returns all segments until the feed reports that they are complete, and the head it reports.
  func changesUntilLevel() async throws -> ([ZoneChanges], head: Revision) {
    var segments: [ZoneChanges] = []
    while true {
      let frame: BrokerMessage = try await first("changes or level") {
        switch $0.message {
        case .changes, .level: $0.message
        default: nil
        }
      }
      switch frame {
      case .changes(let changes): segments.append(changes)
      case .level(_, _, let head, _, _): return (segments, head)
      default: throw Unexpected(frame)
      }
    }
  }

  /// Returns the next change of the directory.
  func directory() async throws -> DirectoryPage {
    try await first("a directory") {
      if case .directory(let page) = $0.message { page } else { nil }
    }
  }
}

/// An unexpected message from the broker.
struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ message: BrokerMessage) {
    description = "The broker said \(message)."
  }
}

extension Operation {
  /// A save of a note that must not exist yet, or must have the tag `tag`.
  static func note(
    _ name: String, text: String = "hi", tag: Int64? = nil,
    policy: SavePolicy = .ifServerRecordUnchanged
  ) -> Operation {
    .save(
      Save(
        name: RecordName(stored: name), type: RecordType(stored: "Note"), policy: policy,
        tag: tag.map { Revision($0) }, fields: EncodedRecord(["text": .string(text)])))
  }
}

extension RequestNumber {
  static func + (number: Self, count: Int64) -> Self { Self(number.value + count) }
}
