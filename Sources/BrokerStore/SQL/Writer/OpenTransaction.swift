import BrokerCore
import Records

/// What the writer remembers of the current transaction until its commit.
struct OpenTransaction {
  /// The work that it may still do.
  var budget = TransactionBudget()
  /// The heads and the usage that it has raised; `WriterMemory.finish` writes them. Not a part of `RowCache`,
  /// because a maintenance step may empty that in the transaction in which a client has saved records.
  var raised: [WriterMemory.ZoneKey: (key: StoreKey, head: Revision, added: AccountUsage)] = [:]
  /// Records that were read ahead, `nil` for those that do not exist. Each is removed when it is used or written.
  var readAhead: [ReadAheadRecords.Key: Change?] = [:]
  /// The devices whose request numbers it changes.
  var numberedDevices: Set<StoreKey> = []
  /// Whether it changes other rows that brokers remember than heads of zones and request numbers.
  var isBroad = false
  /// What other brokers must know of it; `nil` until its requests are done.
  var notice: CommitNotice?
  /// The devices that it removes.
  var removedDevices: Set<DeviceID> = []

  /// Removes what was read ahead of a record. Returns it: no change if the record does not exist; `nil` if nothing was
  /// read ahead.
  mutating func takeReadAhead(_ name: RecordName, in zone: StoreKey) -> Change?? {
    // NB: hashing a name costs more than this question, and on SQLite nothing is read ahead.
    guard !readAhead.isEmpty else { return nil }
    return readAhead.removeValue(forKey: ReadAheadRecords.Key(zone: zone, name: name))
  }
}
