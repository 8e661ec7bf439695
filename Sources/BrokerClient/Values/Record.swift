// A record as a program sees it, and what a save sends of it.

import FoundationEssentials
import Records

/// A record: an id, a type, and fields. CloudKit: `CKRecord`.
///
/// A record is a value type. Changing it changes neither its copies nor the record on the broker until it is
/// saved. If another device saves the record, fetch it again to get the change. The value remembers the
/// fields that were fetched, so a save sends only the fields that changed since.
public struct Record: Hashable, Sendable, Identifiable {
  /// The record's name and zone. CloudKit: `recordID`.
  public let id: RecordID
  /// The record's type, which cannot change.
  public let recordType: String
  /// The change tag of the state that was fetched or saved; `nil` before the first save. Compare tags only
  /// for equality.
  public private(set) var recordChangeTag: Int64?
  /// The time at which the broker first stored the record; `nil` if it was not fetched.
  public private(set) var creationDate: Date?
  /// The time at which the broker stored this state; `nil` if it was not fetched.
  public private(set) var modificationDate: Date?
  /// The user that created the record; `nil` if it was not fetched. CloudKit: `creatorUserRecordID`.
  public private(set) var creatorUserID: UserID?
  /// The user that saved this state; `nil` if it was not fetched. CloudKit: `lastModifiedUserRecordID`.
  public private(set) var lastModifiedUserID: UserID?
  /// The device that saved this state, 32 hexadecimal digits. CloudKit: `modifiedByDevice`.
  public private(set) var lastModifiedDevice: String?
  /// The fields, by key.
  public private(set) var fields: [String: Value]

  private var loaded: [String: Value]

  /// Creates a record in memory. The names are validated when it is saved.
  public init(
    recordType: String, id: RecordID = .random(), fields: [String: Value] = [:]
  ) {
    self.id = id
    self.recordType = recordType
    self.fields = fields
    loaded = [:]
  }

  /// Creates a record from a stored state.
  /// - Throws: `internalError` if its fields cannot be decoded.
  package init(_ change: Change, zone: ZoneID) throws(RecordsError) {
    id = RecordID(recordName: change.name.text, zoneID: zone)
    recordType = change.type.text
    recordChangeTag = change.tag.value
    creationDate = Date(change.created.time)
    modificationDate = Date(change.modified.time)
    creatorUserID = UserID(known: change.created.origin.account)
    lastModifiedUserID = UserID(known: change.modified.origin.account)
    lastModifiedDevice = change.modified.origin.device.description
    fields = try [String: Value](change.record)
    loaded = fields
  }

  /// The value of a field; `nil` if the record has no such field. Setting `nil` removes the field.
  public subscript(key: String) -> Value? {
    get { fields[key] }
    set { fields[key] = newValue }
  }

  /// The keys of the fields, sorted. CloudKit: `allKeys()`.
  public var allKeys: [String] { fields.keys.sorted() }

  /// The keys of the fields that were set, changed or removed since the record was fetched or saved,
  /// sorted. CloudKit: `changedKeys()`.
  public var changedKeys: [String] {
    let changed = fields.filter { loaded[$0.key] != $0.value }.keys
    let removed = loaded.keys.filter { fields[$0] == nil }
    return (Array(changed) + removed).sorted()
  }

  // MARK: For the database

  /// The record's type, validated.
  package func storedType() throws(RecordsError) -> RecordType {
    try RecordType(checking: recordType)
  }

  /// All fields, validated.
  package func allFields() throws(RecordsError) -> Fields { try Fields(fields) }

  /// The fields that were set, changed or removed since the record was fetched or saved, validated.
  package func changes() throws(RecordsError) -> FieldChanges {
    var removed: [FieldKey] = []
    for key in loaded.keys.sorted() where fields[key] == nil {
      removed.append(try FieldKey(checking: key))
    }
    return FieldChanges(
      set: try Fields(fields.filter { loaded[$0.key] != $0.value }), removed: removed)
  }

  func saving(under policy: SavePolicy) throws(RecordsError) -> Operation {
    let changes =
      policy == .allKeys ? FieldChanges(set: try allFields()) : try changes()
    return .save(
      Operation.Save(
        name: try id.storedName(), type: try storedType(), policy: policy,
        tag: recordChangeTag.map { Revision($0) }, fields: EncodedRecord(changes.set),
        removed: changes.removed))
  }

  func saved(tag: Revision) -> Record {
    var record = self
    record.recordChangeTag = tag.value
    record.loaded = fields
    return record
  }
}
