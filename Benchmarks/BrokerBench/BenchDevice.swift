// A device as the broker sees it, with nothing behind it: it greets, saves and reads frames.

import Foundation
import Measuring
import Records
import RecordsWire

/// One connection to the broker, signed in.
final class BenchDevice {
  /// The socket.
  let socket: StreamSocket
  private var decoder = FrameDecoder()
  private var lastNumber: Int64 = 0
  private var acknowledged: Int64 = 0
  private var frameID: UInt64 = 1

  /// Connects and greets; with `follows`, the standard zone is followed from its present head and
  /// the device is level when this returns.
  init(
    _ setting: BenchSetting, name: String, account: String = "bench", follows: Bool = false
  ) throws {
    socket = try StreamSocket(path: setting.brokerSocket)
    try socket.write(Self.greeting(name: name, account: account, follows: follows))
    while true {
      switch try next() {
      case .welcome: if !follows { return }
      case .level: return
      case .error(let error), .goodbye(let error): throw BenchFailure(error.message)
      default: continue
      }
    }
  }

  /// Connects and says hello for a device the broker knows, or gets to know; returns without
  /// waiting for the answer.
  convenience init(_ setting: BenchSetting, _ known: KnownDevice) throws {
    try self.init(setting, known.hello)
  }

  /// Connects and says hello; returns without waiting for the answer.
  init(_ setting: BenchSetting, _ hello: Hello) throws {
    socket = try StreamSocket(path: setting.brokerSocket, bufferBytes: 4096)
    try socket.write(Self.greeting(hello))
  }

  /// Waits until the device has what it lacked, keeps in `known` what it is told, and returns how
  /// many records it was sent.
  func becomeLevel(_ known: inout KnownDevice) throws -> Int {
    var records = 0
    while true {
      switch try next() {
      case .welcome(let welcome):
        known.id = welcome.device
        known.directory = welcome.directory
      case .changes(let stretch): records += stretch.changes.count
      case .level(_, let incarnation, let head, let scanStart, _):
        known.token = ChangeToken(
          incarnation: incarnation, revision: head, scanStart: scanStart)
        return records
      case .reset: throw BenchFailure("The broker asks to read everything again.")
      case .error(let error), .goodbye(let error): throw BenchFailure(error.message)
      default: continue
      }
    }
  }

  /// The hello frame of a device that the broker does not know yet.
  static func greeting(name: String, account: String = "bench", follows: Bool) -> [UInt8] {
    greeting(KnownDevice(name: name, account: account).hello(follows: follows))
  }

  /// The frame of a hello.
  static func greeting(_ hello: Hello) -> [UInt8] {
    ClientFrame(id: 1, message: .hello(hello)).framed
  }

  /// The next message, waited for.
  func next() throws -> BrokerMessage {
    while true {
      if let payload = try decoder.next() { return try BrokerFrame(payload: payload).message }
      decoder.append(try socket.read())
    }
  }

  /// Sends a request that saves so many new records; returns without waiting.
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

  /// Sends a request of one action; returns without waiting.
  func modify(_ operations: [Records.Operation], in zone: ZoneID) throws {
    lastNumber += 1
    let request = ModifyRequest(
      number: RequestNumber(lastNumber), acknowledged: RequestNumber(acknowledged),
      groups: [OperationGroup(zone: zone, operations: operations)])
    try say(.modify(request))
  }

  /// Sends a message; returns without waiting.
  func say(_ message: ClientMessage) throws {
    frameID += 1
    try socket.write(ClientFrame(id: frameID, message: message).framed)
  }

  /// The messages that have come; waits for the first bytes.
  func messagesAtHand() throws -> [BrokerMessage] {
    decoder.append(try socket.read())
    var messages: [BrokerMessage] = []
    while let payload = try decoder.next() {
      messages.append(try BrokerFrame(payload: payload).message)
    }
    return messages
  }

  /// Waits for the next outcome, which must be a success, and returns the highest tag in it.
  func outcome() throws -> Revision {
    while true {
      switch try next() {
      case .outcome(let outcome): return try succeed(outcome)
      case .error(let error), .goodbye(let error): throw BenchFailure(error.message)
      default: continue
      }
    }
  }

  /// The outcomes that have come; returns at once when none has.
  func outcomesAtHand() throws -> Int {
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

  /// Says that the device is there.
  func ping() throws { try say(.ping) }

  /// Waits for the next stretch of the feed.
  func changes() throws -> ZoneChanges {
    while true {
      if case .changes(let changes) = try next() { return changes }
    }
  }

  /// Reads on until so many records have come.
  func pass(over count: Int) throws {
    var rest = count
    while rest > 0 { rest -= try changes().changes.count }
  }

  /// The number of a request whose outcome says that one record was saved, read without making
  /// messages of it: the clients share two cores with what is measured. `nil` for anything else.
  private func savedAlone(_ payload: ArraySlice<UInt8>) -> Int64? {
    guard let outcome = try? payload.message(3),
      let number = try? outcome.number(1),
      let saved = try? outcome.message(2)?.message(1)?.message(1),
      let tag = try? saved.number(1), tag > 0
    else { return nil }
    return Int64(number)
  }

  /// The highest tag in an outcome, which must be a success.
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
  /// The only message with this number; `nil` when there is none, or several.
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

/// A record's fields of about so many bytes.
func fields(bytes: Int) throws -> EncodedRecord {
  var fields = Fields()
  fields["note"] = .string(String(repeating: "x", count: bytes - 12))
  return EncodedRecord(fields)
}
