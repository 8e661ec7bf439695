// A record's name and its zone.

import Records

/// The name of a record within a zone. CloudKit: `CKRecord.ID`.
///
/// What names may be is checked when they are used: 1 to 255 bytes, not beginning with `_`.
public struct RecordID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name within the zone.
  public let recordName: String
  /// The zone.
  public let zoneID: ZoneID

  /// Names a record.
  public init(recordName: String, zoneID: ZoneID = .standard) {
    self.recordName = recordName
    self.zoneID = zoneID
  }

  /// A new name, drawn at random.
  public static func random(in zoneID: ZoneID = .standard) -> RecordID {
    var generator = SystemRandomNumberGenerator()
    // NB: where a name of ours carries a time, nothing reads it; a library needs no clock for it.
    let name = EntryID.random(using: &generator).description
    return RecordID(recordName: name, zoneID: zoneID)
  }

  /// The name, with its zone's before it unless that is the standard one.
  public var description: String {
    zoneID == .standard ? recordName : "\(zoneID)/\(recordName)"
  }

  func storedName() throws(RecordError) -> RecordName {
    try RecordError.translating { () throws(RecordsError) in try RecordName(recordName) }
  }
}
