// Records and their tombstones. A zone's feed consists of the same rows, ordered by revision.

import BrokerCore
import Predicates
import Records
import SQLConnections

/// The `record` table.
package struct RecordTable {
  let db: any SQLConnection
  let origins: OriginCache
  /// The writer's caches and statements; `nil` for readers.
  let memory: WriterMemory?
  /// Collects the rows that do not match their checksums.
  let damages: DamageList
  /// Finds the records to leave out because their deletion is pending; `nil` leaves out none.
  var hidden: HiddenRecords?

  /// Creates the table for a reader that sees all records.
  package init(db: any SQLConnection, origins: OriginCache, damages: DamageList) {
    self.init(db: db, origins: origins, memory: nil, damages: damages)
  }

  init(
    db: any SQLConnection, origins: OriginCache, memory: WriterMemory?, damages: DamageList,
    hidden: HiddenRecords? = nil
  ) {
    self.db = db
    self.origins = origins
    self.memory = memory
    self.damages = damages
    self.hidden = hidden
  }

  private func isHidden(_ change: Change, in zone: StoreKey) throws -> Bool {
    try hidden?.hides(change, in: zone) ?? false
  }

  var reader: StateReader {
    StateReader(db: db, origins: origins, damages: damages)
  }

  /// The newest state of a record for a reader, which may be a tombstone; `nil` if it never existed or is
  /// hidden.
  /// - Throws: `internalError` with the record's name, if the stored state is damaged.
  func record(_ name: RecordName, zone: StoreKey) throws -> Change? {
    let statement = try db.statement(Self.selection)
    let state = try statement.first {
      $0.bind(1, zone)
      $0.bind(2, name.text)
    } read: {
      try reader.state(of: $0, zone: zone)
    }
    switch state {
    case .intact(let change): return try isHidden(change, in: zone) ? nil : change
    case .damaged:
      throw RecordsError(
        .internalError, "Record \(name) was damaged on the broker's disk.",
        hint: "Ask the administrator to repair the database: “contacts-broker repair”.",
        record: name, reason: "damaged")
    case nil: return nil
    }
  }

  /// The newest state of a record for the writer. A damaged state counts as a deletion, so that a device
  /// that has the record can save it again in full.
  func recordForUpdate(_ name: RecordName, zone: StoreKey) throws -> Change? {
    guard let memory else { preconditionFailure("Only the writer can update records.") }
    if let known = memory.transaction.takeReadAhead(name, in: zone) { return known }
    let state = try memory.statements(in: db).record.first {
      $0.bind(1, zone)
      $0.bind(2, name.text)
    } read: { row in
      try reader.state(of: row, zone: zone)
    }
    switch state {
    case .intact(let change), .damaged(let change): return change
    case nil: return nil
    }
  }

  /// Writes a record's newest state.
  /// - Parameters:
  ///   - isNew: Whether the name has no row, not even a tombstone.
  ///   - device: The row of the device that makes the change.
  func write(_ change: Change, isNew: Bool, zone: StoreKey, by device: StoreKey) throws {
    guard let memory else { preconditionFailure("Only the writer can update records.") }
    let statements = try memory.statements(in: db)
    _ = memory.transaction.takeReadAhead(change.name, in: zone)
    let modified = change.modified
    // `update` leaves the creation columns as they are.
    let statement =
      isNew
      ? statements.insertion
      : change.created == modified ? statements.revival : statements.update
    try statement.run {
      $0.bind(1, zone)
      $0.bind(2, change.name.text)
      $0.bind(3, change.tag.value)
      $0.bind(4, Int64(change.kind.rawValue))
      $0.bind(5, change.type.text)
      $0.bind(6, modified.time.microseconds)
      $0.bind(7, device)
      $0.bind(8, modified.origin.request.value)
      $0.bind(9, change.storedContent)
      $0.bind(10, change.checksum)
    }
  }

  /// Writes what a record's newest state contains of former histories.
  func writeFormerVersions(of change: Change, zone: StoreKey) throws {
    try db.run(
      "UPDATE record SET former_versions = ? WHERE zone = ? AND name = ?",
      [change.former?.stored(with: change.tag), zone, change.name.text])
  }

  // MARK: The feed

  /// A page of a zone's feed; see `RecordStore.page`.
  func page(_ request: PageRequest) throws -> FeedPage {
    let zone = try db.first(
      "SELECT incarnation, head, expired_through FROM zone WHERE key = ? AND is_deleted = 0",
      [request.key]
    ) { row in
      (
        incarnation: Incarnation(bytes: row[0] as [UInt8]), head: Revision(row[1]),
        expired: Revision(row[2])
      )
    }
    guard let zone else {
      throw RecordsError(
        .zoneNotFound, "The zone \(request.zone.name) does not exist.", reason: "noSuchZone")
    }
    try checkPermission(to: request)
    let token = ChangeToken(
      incarnation: request.incarnation, revision: request.after, scanStart: request.scanStart)
    guard zone.incarnation == request.incarnation,
      !token.isExpired(expiredThrough: zone.expired)
    else {
      throw RecordsError(
        .changeTokenExpired,
        "The zone has a new history, or deletions that this device has not received have expired.",
        hint: "Read the zone again from its start.", reason: "expired")
    }
    return try page(request, head: zone.head)
  }

  /// Checks that the reader's account may still read the zone; it may have lost access since it attached.
  private func checkPermission(to request: PageRequest) throws {
    let participants = ParticipantTable(db: db, memory: nil)
    let access = try participants.access(
      of: request.reader.account, request.reader.accountKey, to: request.key,
      owner: request.zone.owner)
    guard access.allowsReading else {
      let isDeparture = try participants.hasLeft(request.reader.accountKey, request.key)
      throw RecordsError.accessLost(isDeparture: isDeparture)
    }
  }

  private func page(_ request: PageRequest, head: Revision) throws -> FeedPage {
    let statement = try db.statement(Self.pageSelection)
    var changes: [Change] = []
    var rowCount = 0
    var byteCount = 0
    var reached = request.after
    try statement.scan([request.key, request.after.value, request.scanStart.value]) { row in
      rowCount += 1
      switch try reader.state(of: row, zone: request.key) {
      case .intact(let change):
        reached = change.tag
        // The pending deletion will put its tombstone after the present head.
        if try isHidden(change, in: request.key) { break }
        byteCount += change.record.bytes.count + 128
        changes.append(change)
      case .damaged(let tombstone):
        // The revision itself may be damaged, so one above the head is not trusted.
        damages.withhold(tombstone.name, in: request.key)
        if tombstone.tag <= head { reached = max(reached, tombstone.tag) }
      }
      return byteCount < BrokerLimits.pageBytes
    }
    let isWhole = byteCount < BrokerLimits.pageBytes && rowCount < BrokerLimits.pageRows
    return FeedPage(
      changes: changes, to: isWhole || reached == request.after ? head : reached,
      withheld: damages.withheldNames(in: request.key))
  }

  /// The number of records in a zone. Reads the zone's counter, not the records.
  func count(in zone: StoreKey) throws -> Int {
    let stored = try db.first("SELECT record_count FROM zone WHERE key = ?", [zone]) {
      $0[0] as Int
    }
    return (stored ?? 0) + (memory?.recordsAdded(to: zone) ?? 0)
  }

  // MARK: Queries

  /// Calls `visit` with the records of a type in a zone, by name, until it returns `false`. Starts at
  /// `name`, if given.
  func visit(
    _ type: RecordType, in zone: StoreKey, from name: RecordName?,
    visit: (Change) throws -> Bool
  ) throws {
    let statement = try db.statement(Self.typeSelection)
    try statement.scan([zone, name?.text ?? "", type.text]) { row in
      guard case .intact(let change) = try reader.state(of: row, zone: zone),
        try !isHidden(change, in: zone)
      else { return true }
      return try visit(change)
    }
  }

  /// Calls `visit` with the records in a range of an index, in key order, until it returns `false`. Skips
  /// the names before `name`, if given.
  func visit(
    _ range: KeyRanges.Range, of index: StoreKey, in zone: StoreKey, from name: RecordName?,
    isDescending: Bool, visit: (Change, IndexKey) throws -> Bool
  ) throws {
    let order = isDescending ? "value DESC, record_name DESC" : "value, record_name"
    let statement = try db.statement(
      """
      SELECT \(Self.columns), value FROM record_index CROSS JOIN record
        ON record.zone = in_zone AND record.name = record_name
      WHERE declared = ? AND in_zone = ? AND value >= ? AND value < ? AND record_name >= ?
      ORDER BY \(order)
      """)
    let arguments: SQLArguments = [
      index, zone, range.low, range.high, name?.text ?? "",
    ]
    try statement.scan(arguments) { row in
      guard case .intact(let change) = try reader.state(of: row, zone: zone),
        try !isHidden(change, in: zone)
      else { return true }
      return try visit(change, IndexKey(stored: row.bytes(StoredState.columnCount)))
    }
  }

  /// Calls `visit` with the records and tombstones of all zones and the row of their zone. Starts after
  /// `row` and reads at most `rowsMaximum` rows. Returns the last row and the number of rows read.
  func visitAll(
    after row: StoreKey, rowsMaximum: Int, visit: (StoreKey, Change) throws -> Void
  ) throws -> (last: StoreKey, count: Int) {
    let statement = try db.statement(
      """
      SELECT \(Self.columns), record.key, record.zone FROM record
      WHERE record.key > ? ORDER BY record.key LIMIT ?
      """)
    var last = row
    var count = 0
    try statement.forEach([row, rowsMaximum]) { row in
      last = row.number(StoredState.columnCount)
      count += 1
      let zone = row.number(StoredState.columnCount + 1)
      if case .intact(let change) = try reader.state(of: row, zone: zone) {
        try visit(zone, change)
      }
      return true
    }
    return (last, count)
  }

  /// Calls `visit` with all records of a zone, by name. Skips damaged records and adds them to `damages`.
  func visitAll(in zone: StoreKey, visit: (Change) throws -> Void) throws {
    let sql = "SELECT \(Self.columns) FROM record WHERE zone = ? AND kind = 0 ORDER BY name"
    try db.statement(sql).scan([zone]) { row in
      if case .intact(let change) = try reader.state(of: row, zone: zone),
        try !isHidden(change, in: zone)
      {
        try visit(change)
      }
      return true
    }
  }

  // MARK: Rows

  private static let columns = StoredState.columns(of: "record")

  static let selection = "SELECT \(columns) FROM record WHERE zone = ? AND name = ?"

  private static let pageSelection = """
    SELECT \(columns) FROM record
    WHERE zone = ? AND revision > ? AND (kind = 0 OR revision > ?)
    ORDER BY revision LIMIT \(BrokerLimits.pageRows)
    """

  private static let typeSelection = """
    SELECT \(columns) FROM record
    WHERE zone = ? AND name >= ? AND kind = 0 AND type = ? ORDER BY name
    """

  // NB: these have no `ON CONFLICT` clause. With it SQLite keeps a journal for each statement, in case it
  // must undo half of one; that costs more than the insertion.

  static let insertion = """
    INSERT INTO record (zone, name, revision, kind, type, created_at, created_device,
      created_number, modified_at, modified_device, modified_number, fields, checksum)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?6, ?7, ?8, ?9, ?10)
    """

  static let revival = """
    UPDATE record SET revision = ?3, kind = ?4, type = ?5, created_at = ?6, created_device = ?7,
      created_number = ?8, modified_at = ?6, modified_device = ?7, modified_number = ?8,
      fields = ?9, checksum = ?10, states = states + 1
    WHERE zone = ?1 AND name = ?2
    """

  static let update = """
    UPDATE record SET revision = ?3, kind = ?4, type = ?5, modified_at = ?6, modified_device = ?7,
      modified_number = ?8, fields = ?9, checksum = ?10, states = states + 1
    WHERE zone = ?1 AND name = ?2
    """
}
