// The real replica over the real device store, in memory. A crash throws the replica away and
// makes another one on the same database, as a restart of the process would.

import BrokerCore
import DeviceStore
import Records
import RecordsWire
import SyncCore

/// A device in a simulated world.
struct SimulatedDevice {
  let index: Int
  private let database: DeviceDatabase
  private let bundled: [(name: RecordName, fields: Fields)]
  private(set) var replica: Replica
  var socket: ConnectionID?
  /// Whether the device asked to be connected and was not answered yet.
  var wantsConnection = false
  /// When each timer runs out, in the world's milliseconds.
  var timers: [SyncTimer: Int64] = [:]
  /// Waits for a whole sync that were begun, with the length of the history then.
  var waits: [UInt64: Int] = [:]
  private(set) var lastWait: UInt64 = 0

  init(index: Int, bundled: [(name: RecordName, fields: Fields)], now: Timestamp, dice: inout Dice)
    throws
  {
    self.index = index
    self.bundled = bundled
    database = try DeviceDatabase.inMemory()
    replica = try Self.replica(index, database, bundled, now, &dice)
  }

  /// The process dies and is started again.
  mutating func crash(now: Timestamp, dice: inout Dice) throws -> [SyncAction] {
    socket = nil
    wantsConnection = false
    timers = [:]
    waits = [:]
    replica = try Self.replica(index, database, bundled, now, &dice)
    return replica.start()
  }

  mutating func beginWait(historyLength: Int, now: Timestamp) throws -> [SyncAction] {
    lastWait += 1
    waits[lastWait] = historyLength
    return try replica.synchronize(id: lastWait, now: now)
  }

  private static func replica(
    _ index: Int, _ database: DeviceDatabase, _ bundled: [(name: RecordName, fields: Fields)],
    _ now: Timestamp,
    _ dice: inout Dice
  ) throws -> Replica {
    try Replica(
      database: database,
      settings: DeviceSettings(accountName: "ada", deviceName: "device-\(index)"),
      bundled: bundled, generator: dice.split(), now: now)
  }
}
