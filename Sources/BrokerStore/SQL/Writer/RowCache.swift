import BrokerCore
import Records

/// The rows that the writer has read or changed and need not read again. Nothing is lost when it is emptied.
struct RowCache {
  /// An account's usage, and how often the writer has added to it since it was read.
  struct CachedUsage {
    var usage: AccountUsage
    var additions = 0

    mutating func add(_ more: AccountUsage) {
      usage.add(more)
      additions += 1
    }
  }

  var zones: [WriterMemory.ZoneKey: StoredZone] = [:]
  /// The request numbers of devices.
  var numbers: [StoreKey: WriterMemory.Numbers] = [:]
  /// The accepted participants of zones.
  var members: [StoreKey: [ParticipantTable.Member]] = [:]
  /// The usage of accounts, by container.
  var usages: [StoreKey: [AccountID: CachedUsage]] = [:]
}
