import Records

/// The name and zone of a record. CloudKit: `CKRecord.ID`.
///
/// A name has 1 to 255 bytes and does not begin with `_`. It is validated when the id is used.
public struct RecordID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The record's name, unique in its zone.
  public let recordName: String
  /// The record's zone.
  public let zoneID: ZoneID

  /// Creates the id of a record, by default in the standard zone.
  public init(recordName: String, zoneID: ZoneID = .standard) {
    self.recordName = recordName
    self.zoneID = zoneID
  }

  /// Returns an id with a new random name.
  public static func random(in zoneID: ZoneID = .standard) -> RecordID {
    var generator = SystemRandomNumberGenerator()
    // NB: the agent generates UUIDs of version 7, which contain a time. No program reads that time, so this
    // library draws random bits and needs no clock.
    let name = EntryID.random(using: &generator).description
    return RecordID(recordName: name, zoneID: zoneID)
  }

  /// The name, prefixed with `ZONE/` unless the zone is the standard one.
  public var description: String {
    zoneID == .standard ? recordName : "\(zoneID)/\(recordName)"
  }

  /// Creates the id of a record in a zone as the device names it.
  package init(_ stored: Records.RecordID) {
    self.init(recordName: stored.name.text, zoneID: ZoneID(stored.zone))
  }

  /// The name, validated.
  package func storedName() throws(RecordsError) -> RecordName {
    try RecordName(recordName)
  }
}
