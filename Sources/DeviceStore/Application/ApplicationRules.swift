import GRDB
import Records
import SyncCore

/// What a replica knows about the records of its application. Everything else about a record is its fields.
package struct ApplicationRules: Sendable {
  /// What people call a record with these fields.
  package typealias Title = @Sendable (_ name: RecordName, _ fields: Fields) -> String

  /// The titles of records by type, for events, conflicts, the trash and rejected edits. Records of other types
  /// have none.
  package var titles: [RecordType: Title] = [:]
  /// The records that a new account begins with; `nil` if it begins empty.
  package var firstRecords: FirstRecords?
  /// The types that are read from the public database, in the order in which they are read: a type comes after
  /// the types that its records refer to.
  package var publicTypes: [RecordType] = []
  /// The subscriptions that the application saves for itself. They are not listed, and their notifications are not
  /// shown. When the broker has all of them, it reports every change of the public types.
  package var ownSubscriptions: [SubscriptionForm] = [] {
    didSet { ownSubscriptionIDs = Set(ownSubscriptions.map(\.id)) }
  }
  private(set) var ownSubscriptionIDs: Set<SubscriptionID> = []
  /// The type of the records that people create, and that is assumed for a record of which only the name is known.
  /// `.unknown` for an application whose users create records of any type.
  package var mainType = RecordType.unknown
  /// Compare the tables of projections with the records, for a check of the database. Each returns what differs, a
  /// sentence each, and at most `DeviceReader.findingsMaximum` sentences.
  package var checks: [@Sendable (Database) throws -> [String]] = []
  /// What people call such a record in a sentence.
  package var noun = "record"
  /// The sentences that the replica stores.
  package var sentences = ApplicationSentences()

  /// Rules of an application without titles and first records.
  package init() {}

  /// Returns what people call a record; empty if its type has no title.
  package func title(_ name: RecordName, type: RecordType, fields: Fields) -> String {
    if type == ConflictRecord.recordType { return ConflictRecord(fields)?.record.text ?? "" }
    return titles[type]?(name, fields) ?? ""
  }
}

/// The records that a new account begins with, once per account. A record that is never deleted marks them.
package struct FirstRecords: Sendable {
  /// One of them.
  package struct Record: Sendable {
    /// Its name, which never changes: two devices that create it at once create the same record.
    package let name: RecordName
    /// Its type.
    package let type: RecordType
    /// Its fields.
    package let fields: Fields

    /// A first record.
    package init(name: RecordName, type: RecordType, fields: Fields) {
      self.name = name
      self.type = type
      self.fields = fields
    }
  }

  /// The type of markers. Their records appear in no list.
  package static let markerType = RecordType(stored: "ImportMarker")

  /// The name of the marker.
  package let marker: RecordName
  /// The records, in the order in which they are created.
  package let records: [Record]

  /// First records.
  package init(marker: RecordName, records: [Record]) {
    self.marker = marker
    self.records = records
  }
}

extension RecordType {
  /// The type of a record of which nothing is known.
  static let unknown = RecordType(stored: "")

  /// Whether the replica itself writes the records of this type, for conflicts and to mark the first run. People and
  /// programs do not find them.
  package var isOfReplica: Bool {
    self == ConflictRecord.recordType || self == FirstRecords.markerType
  }
}
