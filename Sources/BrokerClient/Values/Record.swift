// A record as a program holds it: its fields, and what the broker had when it came, so that a save
// sends what changed and nothing else.

import FoundationEssentials
import Records

/// A record: an id, a type, and fields. CloudKit: `CKRecord`.
///
/// It is a value: a copy does not change with the original, and what another device does shows only
/// when the record is fetched anew. A save sends the fields changed since it came.
public struct Record: Hashable, Sendable, Identifiable {
  /// The record's name and zone. CloudKit: `recordID`.
  public let id: RecordID
  /// Its type, fixed for good.
  public let recordType: String
  /// The broker's mark of this state, compared for equality only; `nil` before the first save.
  public private(set) var recordChangeTag: Int64?
  /// When the broker first stored it; `nil` where that was not told.
  public private(set) var creationDate: Date?
  /// When the broker stored this state; `nil` where that was not told.
  public private(set) var modificationDate: Date?
  /// The account that made it, 32 hexadecimal digits. CloudKit: `creatorUserRecordID`.
  public private(set) var creatorAccount: String?
  /// The account that set this state. CloudKit: `lastModifiedUserRecordID`.
  public private(set) var lastModifiedAccount: String?
  /// The device that set this state, 32 hexadecimal digits. CloudKit: `modifiedByDevice`.
  public private(set) var lastModifiedDevice: String?
  /// The fields, by key.
  public private(set) var fields: [String: Value]

  private var loaded: [String: Value]

  /// A new record. Nothing is saved by this, and names are checked when it is.
  public init(
    recordType: String, id: RecordID = .random(), fields: [String: Value] = [:]
  ) {
    self.id = id
    self.recordType = recordType
    self.fields = fields
    loaded = [:]
  }

  init(_ change: Change, zone: ZoneID) throws(RecordError) {
    id = RecordID(recordName: change.name.text, zoneID: zone)
    recordType = change.type.text
    recordChangeTag = change.tag.value
    creationDate = Date(change.created.time)
    modificationDate = Date(change.modified.time)
    creatorAccount = change.created.origin.account.description
    lastModifiedAccount = change.modified.origin.account.description
    lastModifiedDevice = change.modified.origin.device.description
    fields = try [String: Value](change.record)
    loaded = fields
  }

  /// The value of a field; `nil` where there is none, and setting `nil` removes it.
  public subscript(key: String) -> Value? {
    get { fields[key] }
    set { fields[key] = newValue }
  }

  /// The keys of the fields, sorted. CloudKit: `allKeys()`.
  public var allKeys: [String] { fields.keys.sorted() }

  /// The keys of fields set, changed or removed since the record came or was saved, sorted.
  /// CloudKit: `changedKeys()`.
  public var changedKeys: [String] {
    let changed = fields.filter { loaded[$0.key] != $0.value }.keys
    let removed = loaded.keys.filter { fields[$0] == nil }
    return (Array(changed) + removed).sorted()
  }

  // MARK: For the database

  func saving(under policy: SavePolicy) throws(RecordError) -> Operation {
    let isWhole = policy == .allKeys
    let sent = isWhole ? fields : fields.filter { loaded[$0.key] != $0.value }
    var removed: [FieldKey] = []
    for key in loaded.keys.sorted() where fields[key] == nil {
      removed.append(try FieldKey(checking: key))
    }
    return .save(
      Operation.Save(
        name: try id.storedName(), type: try RecordType(checking: recordType),
        policy: policy.stored, tag: recordChangeTag.map { Revision($0) },
        fields: EncodedRecord(try Fields(sent)), removed: isWhole ? [] : removed))
  }

  func saved(tag: Revision) -> Record {
    var record = self
    record.recordChangeTag = tag.value
    record.loaded = fields
    return record
  }
}
