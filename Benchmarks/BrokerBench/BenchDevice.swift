// A device without a store: it sends hello and requests, and reads frames.

import Foundation
import Measuring
import Records
import RecordsWire

/// A signed-in connection to the broker.
final class BenchDevice {
  /// The socket.
  let socket: StreamSocket
  private var decoder = FrameDecoder()
  private var lastNumber: Int64 = 0
  private var acknowledged: Int64 = 0
  private var frameID: UInt64 = 1

  /// Connects and signs in. With `follows`, the device follows the default zone from its present revision
  /// and has caught up when this returns.
  init(
    _ setting: BenchSetting, name: String, account: String = "bench", follows: Bool = false
  ) throws {
    socket = try setting.connect()
    try socket.write(Self.helloFrame(name: name, account: account, follows: follows))
    while true {
      switch try next() {
      case .welcome: if !follows { return }
      case .level: return
      case .error(let error), .goodbye(let error): throw BenchFailure(error.message)
      default: continue
      }
    }
  }

  /// Registers a device over the broker's Unix socket, and returns it with its id. Over TLS, only known devices can
  /// sign in.
  static func registered(
    _ setting: BenchSetting, name: String, account: String = "bench"
  ) throws -> KnownDevice {
    var known = KnownDevice(name: name, account: account)
    var local = setting
    local.usesTLS = false
    _ = try BenchDevice(local, known).catchUp(&known)
    return known
  }

  /// Connects and sends hello for a known or new device. Returns without waiting for the answer.
  convenience init(_ setting: BenchSetting, _ known: KnownDevice) throws {
    try self.init(setting, known.hello)
  }

  /// Connects and sends `hello`. Returns without waiting for the answer.
  init(_ setting: BenchSetting, _ hello: Hello) throws {
    socket = try setting.connect(bufferBytes: 4096)
    try socket.write(Self.helloFrame(hello))
  }

  /// Waits until the device has caught up, stores its new position in `known`, and returns the number of
  /// received records.
  func catchUp(_ known: inout KnownDevice) throws -> Int {
    var records = 0
    while true {
      switch try next() {
      case .welcome(let welcome):
        known.id = welcome.device
        known.directory = welcome.directory
      case .changes(let page): records += page.changes.count
      case .level(_, let incarnation, let head, let scanStart, _):
        known.token = ChangeToken(
          incarnation: incarnation, revision: head, scanStart: scanStart)
        return records
      case .reset: throw BenchFailure("The broker requested a reading from the start.")
      case .error(let error), .goodbye(let error): throw BenchFailure(error.message)
      default: continue
      }
    }
  }

  /// Returns the hello frame of a new device.
  static func helloFrame(name: String, account: String = "bench", follows: Bool) -> [UInt8] {
    helloFrame(KnownDevice(name: name, account: account).hello(follows: follows))
  }

  /// Returns the frame of `hello`.
  static func helloFrame(_ hello: Hello) -> [UInt8] {
    ClientFrame(id: 1, message: .hello(hello)).framed
  }

  /// Waits for the next message and returns it.
  func next() throws -> BrokerMessage {
    while true {
      if let payload = try decoder.next() { return try BrokerFrame(payload: payload).message }
      decoder.append(try socket.read())
    }
  }

  /// Sends a request that saves `records` new records. Returns without waiting for the outcome.
  func save(
    records: Int, fields: EncodedRecord, in zone: ZoneID = .standard
  ) throws {
    var generator = SystemRandomNumberGenerator()
    let time = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
    let operations = (0..<records).map { _ in
      let name = RecordName.generated(at: time, using: &generator)
      return Operation.save(
        Operation.Save(name: name, type: RecordType(stored: "Contact"), tag: nil, fields: fields))
    }
    try modify(operations, in: zone)
  }

  /// Sends a request with one atomic group. Returns without waiting for the outcome.
  func modify(_ operations: [Records.Operation], in zone: ZoneID) throws {
    lastNumber += 1
    let request = ModifyRequest(
      number: RequestNumber(lastNumber), acknowledged: RequestNumber(acknowledged),
      groups: [OperationGroup(zone: zone, operations: operations)])
    try send(.modify(request))
  }

  /// Sends a message. Returns without waiting for an answer.
  func send(_ message: ClientMessage) throws {
    frameID += 1
    try socket.write(ClientFrame(id: frameID, message: message).framed)
  }

  /// Waits for bytes and returns the complete messages.
  func receivedMessages() throws -> [BrokerMessage] {
    decoder.append(try socket.read())
    var messages: [BrokerMessage] = []
    while let payload = try decoder.next() {
      messages.append(try BrokerFrame(payload: payload).message)
    }
    return messages
  }

  /// Waits for the next outcome and returns its highest tag.
  /// - Throws: `BenchFailure` if the outcome is not a success.
  func outcome() throws -> Revision {
    while true {
      switch try next() {
      case .outcome(let outcome): return try succeed(outcome)
      case .error(let error), .goodbye(let error): throw BenchFailure(error.message)
      default: continue
      }
    }
  }

  /// Reads once from the socket and returns the number of complete outcomes.
  /// - Throws: `BenchFailure` if an outcome is not a success.
  func receivedOutcomes() throws -> Int {
    decoder.append(try socket.read())
    var count = 0
    while let payload = try decoder.next() {
      if let number = savedAlone(payload) {
        acknowledged = number
        count += 1
        continue
      }
      switch try BrokerFrame(payload: payload).message {
      case .outcome(let outcome):
        _ = try succeed(outcome)
        count += 1
      case .error(let error), .goodbye(let error): throw BenchFailure(error.message)
      default: continue
      }
    }
    return count
  }

  /// Sends a ping, so that the broker does not close a connection that only reads.
  func ping() throws { try send(.ping) }

  /// Waits for the next page of the feed.
  func changes() throws -> ZoneChanges {
    while true {
      if case .changes(let changes) = try next() { return changes }
    }
  }

  /// Reads until `count` changes have arrived.
  func skipChanges(_ count: Int) throws {
    var rest = count
    while rest > 0 { rest -= try changes().changes.count }
  }

  /// Returns the request number of an outcome that reports one saved record, and `nil` for any other
  /// message. Reads the bytes without decoding messages, because the clients share two cores with the
  /// measured program.
  private func savedAlone(_ payload: ArraySlice<UInt8>) -> Int64? {
    guard let outcome = try? payload.message(3),
      let number = try? outcome.number(1),
      let saved = try? outcome.message(2)?.message(1)?.message(1),
      let tag = try? saved.number(1), tag > 0
    else { return nil }
    return Int64(number)
  }

  /// Returns the highest tag in an outcome.
  /// - Throws: `BenchFailure` if the outcome is not a success.
  func tag(of outcome: ModifyOutcome) throws -> Revision { try succeed(outcome) }

  private func succeed(_ outcome: ModifyOutcome) throws -> Revision {
    acknowledged = outcome.number.value
    var highest = Revision.zero
    for result in outcome.groups.joined() {
      switch result {
      case .saved(let tag): highest = max(highest, tag)
      case .zoneSaved, .zoneDeleted: break
      case .deleted, .trashEmptied, .failed: throw BenchFailure("A save failed: \(result)")
      }
    }
    return highest
  }
}

extension ArraySlice<UInt8> {
  /// Returns the only message field with this number, and `nil` if there is none or more than one.
  fileprivate func message(_ number: Int) throws(RecordsError) -> Self? {
    var found: Self?
    var reader = ByteReader(self)
    while let field = try reader.next() {
      guard field.number == number else { continue }
      guard found == nil else { return nil }
      found = try field.payload.slice()
    }
    return found
  }

  fileprivate func number(_ number: Int) throws(RecordsError) -> UInt64? {
    var found: UInt64?
    var reader = ByteReader(self)
    while let field = try reader.next() {
      if field.number == number { found = try field.payload.unsigned() }
    }
    return found
  }
}

/// Returns a record's fields of about `bytes` bytes.
func fields(bytes: Int) throws -> EncodedRecord {
  var fields = Fields()
  fields["note"] = .string(String(repeating: "x", count: bytes - 12))
  return EncodedRecord(fields)
}
