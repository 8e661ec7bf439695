// Replicas and the mini broker in one room: every action is done at once, in order, until nothing is
// left to do. A device may be cut off, and lose what was said to it.

import AgentStore
import Contacts
import DeviceStore
import Records
import SyncCore

/// One device of a test.
package final class TestDevice {
  package let room: Room
  /// What its clock says.
  package var now = Room.now
  package private(set) var replica: Replica
  private let database: DeviceDatabase
  private let name: String
  private let bundled: [(name: RecordName, fields: Fields)]
  private let hasTimeline: Bool
  /// Questions and runs that are over, and whether they got all they wanted.
  package private(set) var answered: [UInt64: Bool] = [:]
  /// Runs over the timeline, as they began and ended.
  package private(set) var runs: [String] = []
  package private(set) var device: DeviceID?
  package private(set) var isConnected = false
  /// Whether the broker can be reached.
  package var isOnline: Bool
  /// Whether what the broker says gets lost on the way.
  package var isDeaf = false
  /// Whether it knows nothing of the ids of moves, like some clients.
  package var ignoresMoves = false
  package private(set) var synchronized: [UInt64] = []
  package private(set) var timers: [SyncTimer: Int] = [:]
  /// The files on its disk, and those that are being fetched.
  package var files: [AssetDigest: [UInt8]] = [:]
  package private(set) var parts: [AssetDigest: [UInt8]] = [:]
  package private(set) var lost: [AssetDigest] = []
  /// What the disk says instead of giving a piece of a file.
  package var readFailure: RecordsError?
  /// What orders came to.
  package private(set) var answers: [UInt64: OrderAnswer] = [:]
  /// What subscriptions told, as it came.
  package private(set) var notified: [NotificationView] = []
  /// What it reported to its log.
  package private(set) var reports: [String] = []

  package init(
    _ room: Room, _ name: String, database: DeviceDatabase? = nil, isOnline: Bool = true,
    bundled: [(name: RecordName, fields: Fields)] = [], hasTimeline: Bool = false
  ) throws {
    self.hasTimeline = hasTimeline
    self.room = room
    self.name = name
    self.isOnline = isOnline
    self.bundled = bundled
    self.database = try database ?? .inMemory()
    replica = try Self.replica(self.database, name, bundled, hasTimeline)
    room.devices.append(self)
    try perform(replica.start())
  }

  package var reader: DeviceReader { replica.reader }

  private static func replica(
    _ database: DeviceDatabase, _ name: String, _ bundled: [(name: RecordName, fields: Fields)],
    _ hasTimeline: Bool, at now: Timestamp = Room.now
  ) throws -> Replica {
    try Replica(
      database: database,
      settings: DeviceSettings(
        container: "contacts", accountName: "ada", deviceName: name, readsPublicRecords: hasTimeline
      ),
      bundled: bundled, generator: SystemRandomNumberGenerator(), now: now)
  }

  /// The process dies and starts again over the same database.
  package func restart(at now: Timestamp = Room.now) throws {
    isConnected = false
    isDeaf = false
    replica = try Self.replica(database, name, bundled, hasTimeline, at: now)
    try perform(replica.start())
  }

  /// The broker will meet it as a new one.
  package func forgetDevice() { device = nil }

  package func goOffline() throws {
    isOnline = false
    isConnected = false
    try perform(replica.disconnected(now: now))
  }

  package func goOnline() throws {
    isOnline = true
    isDeaf = false
    try perform(replica.brokerAppeared())
  }

  package func edit(_ edits: [LocalEdit], isAsked: Bool = true) throws {
    try perform(replica.edit(edits, isAsked: isAsked, now: now))
  }

  package func save(_ name: String, _ fields: Fields, in zone: ZoneID = .standard) throws {
    try edit([.save(Self.contact(name, fields, in: zone))])
  }

  package static func contact(
    _ name: String, _ fields: Fields, in zone: ZoneID = .standard
  ) -> LocalEdit.RecordSave {
    LocalEdit.RecordSave(
      id: RecordID(zone: zone, name: RecordName(stored: name)), type: ContactRecord.type,
      changes: FieldChanges(set: fields))
  }

  package func delete(_ name: String, in zone: ZoneID = .standard) throws {
    try edit([.delete(RecordID(zone: zone, name: RecordName(stored: name)), version: nil)])
  }

  package func fields(_ name: String, in zone: ZoneID = .standard) throws -> Fields? {
    try reader.record(RecordID(zone: zone, name: RecordName(stored: name)))?.fields
  }

  /// A person chooses a setting.
  package func choose(_ key: String, _ value: String?, at now: Timestamp = Room.now) throws {
    try perform(replica.choose(setting: key, value: value, now: now))
  }

  /// The tables of the device's database in which `text` stands.
  package func holds(_ text: String) throws -> [String] {
    try database.tables(holding: text)
  }

  /// The tables refuse a row from now on.
  package func refuse(insertsInto table: String, where condition: String) throws {
    try database.refuse(insertsInto: table, where: condition)
  }

  /// Leaves no more room on the disk, or makes room again.
  package func fill(_ isFull: Bool) throws {
    if isFull { try database.fill() } else { try database.makeRoom() }
  }

  /// The tables refuse changes of a row from now on; with `nil` they no longer do.
  package func refuse(updatesOf table: String, where condition: String?) throws {
    try database.refuse(updatesOf: table, where: condition)
  }

  /// The tables keep a row from being deleted from now on.
  package func refuse(deletionsFrom table: String, where condition: String) throws {
    try database.refuse(deletionsFrom: table, where: condition)
  }

  /// How SQLite goes about everything that one of its triggers does.
  package func plan(ofTrigger name: String) throws -> [String] {
    try database.plan(ofTrigger: name)
  }

  /// How often a statement that begins like this runs during `body`.
  package func count(of statement: String, during body: () throws -> Void) throws -> Int {
    try database.count(of: statement, during: body)
  }

  package func perform(_ actions: [SyncAction]) throws {
    try room.perform(actions, of: self)
  }

  fileprivate func perform(_ action: SyncAction) throws {
    switch action {
    case .conversation(let action): try perform(action)
    case .notified(let count):
      let last = notified.last?.sequence ?? 0
      notified += try reader.notifications(after: last, limit: count).notifications
    case .erase: while try !replica.erase() {}
    case .appended, .confirmed, .directoryChanged: break
    }
  }

  private func perform(_ action: DriverAction) throws {
    switch action {
    case .connect:
      guard isOnline else { return try perform(replica.disconnected(now: now)) }
      isConnected = true
      try perform(replica.connected(now: now))
    case .send(let id, let message): try send(message, id)
    case .disconnect: isConnected = false
    case .synchronized(let id): synchronized.append(id)
    case .wait(let timer, let milliseconds): timers[timer] = milliseconds
    case .file(let action): try perform(action)
    case .assetLost(let digest, _): lost.append(digest)
    case .ordered(let id, let answer): answers[id] = answer
    case .answered(let id, let isWhole): answered[id] = isWhole
    case .publicReadingBegan: runs.append("began")
    case .publicReadingEnded(let outcome):
      runs.append(outcome == .done ? "done" : outcome == .interrupted ? "interrupted" : "refused")
    case .report(let text): reports.append(text)
    case .phaseChanged, .responsivenessChanged: break
    }
  }

  private func perform(_ action: FileAction) throws {
    switch action {
    case .send(let id, let asset, let offset, let byteCount):
      guard readFailure == nil, let file = files[asset.id] else {
        let error = readFailure ?? RecordsError(.assetNotAvailable, "It is not here.")
        return try perform(replica.unreadable(asset, error, now: now))
      }
      let bytes = Array(file[offset..<offset + byteCount])
      try send(
        .assetPiece(AssetPiece(digest: asset.id, offset: offset, content: bytes)), id)
    case .open(let asset):
      try perform(replica.reached(asset, byteCount: parts[asset.id]?.count ?? 0, now: now))
    case .append(let asset, let piece): try keep(piece, of: asset)
    }
  }

  private func keep(_ piece: AssetPiece, of asset: Asset) throws {
    parts[asset.id, default: []] += piece.content
    guard let part = parts[asset.id], part.count == asset.byteCount else {
      return try perform(replica.reached(asset, byteCount: piece.end, now: now))
    }
    parts[asset.id] = nil
    files[asset.id] = part
    try perform(replica.arrived([asset], now: now))
    if try !reader.isHere(asset) { files[asset.id] = nil }
  }

  private func send(_ message: ClientMessage, _ id: UInt64) throws {
    guard isConnected, isOnline else { return }
    let message = ignoresMoves ? message.withoutMoves : message
    let answers = room.broker.take(message, from: &device)
    let posts = room.broker.subscriptions.posts
    room.broker.subscriptions.posts = []
    if room.isHasty { try room.deliver(posts) }
    for answer in answers.own { try hear(answer, replyTo: id) }
    for device in room.devices {
      for news in answers.toAll { try device.hear(news, replyTo: 0) }
    }
    if !room.isHasty { try room.deliver(posts) }
  }

  /// A timer that was set runs out.
  package func fire(_ timer: SyncTimer) throws {
    guard timers.removeValue(forKey: timer) != nil else { return }
    try perform(replica.fired(timer, now: now))
  }

  /// The broker says something, by itself unless it answers.
  package func hear(_ message: BrokerMessage, replyTo: UInt64 = 0) throws {
    guard isConnected, isOnline, !isDeaf else { return }
    let message = ignoresMoves ? message.withoutMoves : message
    try perform(replica.received(message, replyTo: replyTo, now: now))
  }
}

/// Where devices and their broker meet.
package final class Room {
  package static let now = Timestamp(microseconds: 1_800_000_000_000_000)

  package let broker = MiniBroker()
  package var devices: [TestDevice] = []
  /// The number of steps until a crash: the device that performs the last one restarts instead. Then `nil`.
  package var deathAfterSteps: Int?
  /// Whether notifications overtake the changes they tell of.
  package var isHasty = false
  private var waiting: [(device: TestDevice, action: SyncAction)] = []
  private var isBusy = false

  package init() {}

  /// The broker says something to every device by itself.
  package func tell(_ messages: [BrokerMessage]) throws {
    for message in messages { for device in devices { try device.hear(message, replyTo: 0) } }
  }

  fileprivate func deliver(_ posts: [(device: DeviceID, message: BrokerMessage)]) throws {
    for post in posts {
      for device in devices where device.device == post.device {
        try device.hear(post.message, replyTo: 0)
      }
    }
  }

  private func dies(_ device: TestDevice) throws -> Bool {
    guard let rest = deathAfterSteps else { return false }
    deathAfterSteps = rest > 1 ? rest - 1 : nil
    guard rest == 1 else { return false }
    waiting.removeAll { $0.device === device }
    try device.restart()
    return true
  }

  /// Performs actions after those that are already pending, so that all are performed in order.
  package func perform(_ actions: [SyncAction], of device: TestDevice) throws {
    waiting += actions.map { (device, $0) }
    guard !isBusy else { return }
    isBusy = true
    defer { isBusy = false }
    while !waiting.isEmpty {
      let next = waiting.removeFirst()
      if try dies(next.device) { continue }
      try next.device.perform(next.action)
    }
  }
}
