// A device of a simulated world, with the real replica.

import AgentStore
import BrokerCore
import Collation
import DeviceStore
import Records
import RecordsWire
import SyncCore

/// The real replica over the real device store, in memory. After a crash a new replica opens the same
/// database, as a restarted process would.
struct SimulatedDevice {
  let index: Int
  private let database: DeviceDatabase
  /// The files on the device's disk, the files being fetched, and the queue of the disk's thread.
  var files: [AssetDigest: [UInt8]] = [:]
  private var parts: [AssetDigest: [UInt8]] = [:]
  var diskActions: [(action: FileAction, attempt: Int)] = []
  /// Counts connections, so that a disk action of an earlier connection sends nothing on a later one.
  private(set) var attempt = 0
  private let settings: DeviceSettings
  /// Makes the application of a process; each start has its own.
  private let application: () throws -> Application
  private(set) var replica: Replica
  var socket: ConnectionID?
  /// Whether the device does not know move ids, like some clients.
  var ignoresMoves = false
  /// Whether the device cannot reach the broker; its timers rest.
  var isAway = false
  /// Whether the device asked for a connection and has none yet.
  var wantsConnection = false
  /// When each timer fires, in the world's milliseconds.
  var timers: [SyncTimer: Int64] = [:]
  /// Pending waits for synchronization, with the length of the history when each began.
  var waits: [UInt64: Int] = [:]
  private(set) var lastWait: UInt64 = 0

  /// Creates a device of contacts.
  init(
    index: Int, bundled: [(name: RecordName, fields: Fields)], settings: DeviceSettings,
    now: Timestamp, generator: inout SimulationGenerator
  ) throws {
    try self.init(
      index: index, database: .inMemory(), settings: settings,
      application: { .agent(bundled: bundled, language: .neutral) }, now: now,
      generator: &generator)
  }

  /// Creates a device of any application, over a database with its schema.
  init(
    index: Int, database: DeviceDatabase, settings: DeviceSettings,
    application: @escaping () throws -> Application, now: Timestamp,
    generator: inout SimulationGenerator
  ) throws {
    self.index = index
    self.database = database
    self.settings = settings
    self.application = application
    replica = try Replica(
      database: database, settings: settings, application: application(),
      generator: generator.split(), now: now)
  }

  /// The process crashes and restarts.
  mutating func crash(now: Timestamp, generator: inout SimulationGenerator) throws -> [SyncAction] {
    socket = nil
    wantsConnection = false
    timers = [:]
    waits = [:]
    diskActions = []
    attempt += 1
    let entered = try replica.reader.entered(Array(files.keys))
    files = files.filter { entered.contains($0.key) }
    replica = try Replica(
      database: database, settings: settings, application: application(),
      generator: generator.split(), now: now)
    return replica.start()
  }

  mutating func beginWait(historyLength: Int, now: Timestamp) throws -> [SyncAction] {
    lastWait += 1
    waits[lastWait] = historyLength
    return try replica.synchronize(id: lastWait, now: now)
  }
}

// MARK: - Files

extension SimulatedDevice {
  /// The connection was replaced or ended.
  mutating func connectionChanged() {
    attempt += 1
  }

  /// Performs the oldest action of the disk's thread. Returns a message to send and the actions that follow.
  mutating func useDisk(
    now: Timestamp
  ) throws -> (message: (id: UInt64, ClientMessage)?, actions: [SyncAction]) {
    let (action, attempt) = diskActions.removeFirst()
    switch action {
    case .send(let id, let asset, let offset, let byteCount):
      guard attempt == self.attempt else { return (nil, []) }
      guard let file = files[asset.id] else {
        let error = RecordsError(.assetNotAvailable, "It is not here.")
        return (nil, try replica.unreadable(asset, error, now: now))
      }
      let piece = AssetPiece(
        digest: asset.id, offset: offset, content: Array(file[offset..<offset + byteCount]))
      return ((id, .assetPiece(piece)), [])
    case .open(let asset): return (nil, try came(asset, attempt, now))
    case .append(let asset, let piece):
      guard parts[asset.id, default: []].count == piece.offset else {
        let error = RecordsError(.serverResponseLost, "It does not join on.")
        let ends = attempt == self.attempt
        return (nil, try ends ? replica.failed(asset, error, now: now) : [])
      }
      parts[asset.id, default: []] += piece.content
      return (nil, try came(asset, attempt, now))
    }
  }

  private mutating func came(
    _ asset: Asset, _ attempt: Int, _ now: Timestamp
  ) throws -> [SyncAction] {
    let part = parts[asset.id, default: []]
    guard part.count == asset.byteCount else {
      return attempt == self.attempt ? replica.reached(asset, byteCount: part.count, now: now) : []
    }
    parts[asset.id] = nil
    guard SimulatedDisk.digest(of: part) == asset.id else {
      throw InvariantViolation("I19", "device \(index) fetched a file with another digest")
    }
    files[asset.id] = part
    return try replica.arrived([asset], now: now)
  }

  /// Deletes files that are not in use.
  mutating func collect(now: Timestamp) throws {
    for digest in try replica.collectAssets(now: now) { files[digest] = nil }
  }
}
