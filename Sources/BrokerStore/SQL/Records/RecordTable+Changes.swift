import BrokerCore
import Records
import SQLConnections

extension RecordTable {
  /// The newest states of a zone's records above a revision, by ascending revision, with tombstones; `nil` if they are too
  /// many to be sent live, or if one cannot be sent to every reader. Readers then read pages, which leave it out.
  func changes(in zone: StoreKey, after from: Revision) throws -> [Change]? {
    let hasHidden: Bool? = try db.value(
      "SELECT count(*) > 0 FROM cascading WHERE zone = ?", [zone])
    guard hasHidden == false else { return nil }
    var changes: [Change] = []
    var byteCount = 0
    var isWhole = true
    try db.statement(Self.pageSelection).scan([zone, from.value, from.value]) { row in
      guard case .intact(let change) = try reader.state(of: row, zone: zone) else {
        isWhole = false
        return false
      }
      changes.append(change)
      byteCount += change.record.bytes.count + 128
      return byteCount <= BrokerLimits.liveCommitBytes
    }
    isWhole =
      isWhole && changes.count < BrokerLimits.pageRows && byteCount <= BrokerLimits.liveCommitBytes
    return isWhole ? changes : nil
  }
}
