// Converts the contacts of a file to edits of this device, in batches, so that other edits are not delayed. A
// contact is identified by its UID or, without one, by its content, so importing the same file twice changes
// nothing. The import accepts values that a form would reject, because a card from another program with one
// bad field is still useful.

import ContactCards
import Contacts
import DeviceStore
import Records
import SyncCore

/// What to do with a contact that already exists.
enum DuplicatePolicy: String, Sendable, CaseIterable {
  /// The existing contact is unchanged.
  case skip
  /// Fields in the file are set; other fields are unchanged.
  case update
  /// The file's contact is added next to the existing one.
  case new
}

/// The outcome for one contact of a file.
struct ImportOutcome: Sendable {
  /// What became of it.
  enum Kind: String, Sendable {
    case added, updated, unchanged, skipped, failed
  }

  /// The contact as it was read.
  var contact: ImportedContact
  /// What became of it.
  var kind: Kind
  /// Its record; `nil` if it has none.
  var record: RecordID?
}

/// Contacts that are imported in one step.
struct ImportBatch: Sendable {
  /// The maximum number of contacts in a step. It takes a tenth of a second, so a user's edit does not wait
  /// for long.
  static let contactsMax = 400
  /// The maximum size of a step in bytes of the file, because pictures are large.
  static let bytesMax = 1 << 20

  let contacts: [ImportedContact]
  /// The files that were stored for them.
  var assets: Set<Asset> = []
  let policy: DuplicatePolicy
  /// The destination group; `nil` for the standard zone, or for the account's group that already has a
  /// contact.
  let zone: ZoneID?
  let isDryRun: Bool
  /// The action of the import that this batch continues; `nil` before the first change.
  let action: Int64?

  /// The result of a step.
  typealias Step = ImportStep<ImportOutcome>

  /// Applies the batch; called between other edits.
  func apply(to replica: Replica, now: Timestamp) throws -> (Step, [SyncAction]) {
    try Step.perform(contacts, continuing: action) { contacts, step in
      try apply(contacts, to: replica, now, &step)
    } refused: { contact, error in
      failed(contact, error)
    }
  }

  private func failed(_ contact: ImportedContact, _ error: RecordsError) -> ImportOutcome {
    var contact = contact
    contact.findings.append(
      CardFinding(line: contact.line, outcome: .failed, error.description))
    return ImportOutcome(contact: contact, kind: .failed)
  }

  private func apply(
    _ contacts: ArraySlice<ImportedContact>, to replica: Replica, _ now: Timestamp,
    _ step: inout Step
  ) throws -> [SyncAction] {
    var planner = ImportPlanner(batch: self, reader: replica.reader, now: now)
    let outcomes = try contacts.map { try planner.plan($0) }
    var actions: [SyncAction] = []
    if !isDryRun, !planner.edits.isEmpty {
      let done = try replica.perform(
        planner.edits, as: UserAction(.import, continuing: step.action), isAsked: false, now: now)
      step.action = done.action ?? step.action
      actions = done.actions
    }
    step.outcomes += outcomes
    return actions
  }
}

/// Determines the edits for each contact of a batch.
private struct ImportPlanner {
  let batch: ImportBatch
  let reader: DeviceReader
  let now: Timestamp
  private(set) var edits: [LocalEdit] = []
  /// The records that the batch itself changes, because a file may contain a contact twice.
  private var planned: [RecordName: [(id: RecordID, fields: Fields)]] = [:]

  init(batch: ImportBatch, reader: DeviceReader, now: Timestamp) {
    self.batch = batch
    self.reader = reader
    self.now = now
  }

  mutating func plan(_ imported: ImportedContact) throws -> ImportOutcome {
    guard !imported.findings.contains(where: { $0.outcome == .failed }) else {
      return ImportOutcome(contact: imported, kind: .failed)
    }
    guard let (id, fields) = try present(imported) else {
      let zone = batch.zone ?? .standard
      return try add(imported, RecordID(zone: zone, name: imported.recordName))
    }
    switch batch.policy {
    case .new where !imported.isGroup: return try addAnother(imported, in: id.zone)
    case .new, .skip, .update: return try merge(imported, id, fields)
    }
  }

  /// Returns the existing record of this contact: by its UID, which is the record name of a contact that was
  /// exported here, or by the name that an import derived.
  private func present(_ imported: ImportedContact) throws -> (RecordID, Fields)? {
    let own = try? RecordName(imported.draft[.uid])
    for name in [own, imported.recordName].compactMap({ $0 }) {
      let zone = batch.zone
      let known = planned[name]?.first { zone == nil ? $0.id.isOwn : $0.id.zone == zone }
      if let known { return known }
      // Without a destination group, only contacts of the account's own groups match: an import must not
      // change what other participants see.
      let found =
        try zone.map { try reader.record(RecordID(zone: $0, name: name)) }
        ?? reader.record(named: name)
      if let found, zone != nil || found.id.isOwn, found.type == imported.recordType {
        return (found.id, found.fields)
      }
    }
    return nil
  }

  private mutating func add(_ imported: ImportedContact, _ id: RecordID) throws -> ImportOutcome {
    let edit = ContactEdit.replacing(Contact(id: id.name), with: imported.draft)
    let changes = try edit.changes(to: Fields(), naming: DerivedEntryID.byContent)
    save(imported, id, changes, to: Fields(), .absent)
    return ImportOutcome(contact: imported, kind: .added, record: id)
  }

  /// Adds a contact without its UID, which would otherwise be taken for the first one's in every later
  /// import.
  private mutating func addAnother(
    _ imported: ImportedContact, in zone: ZoneID
  ) throws -> ImportOutcome {
    var another = imported
    another.draft[.uid] = ""
    var generator = SystemRandomNumberGenerator()
    return try add(another, RecordID(zone: zone, name: .generated(at: now, using: &generator)))
  }

  private mutating func merge(
    _ imported: ImportedContact, _ id: RecordID, _ fields: Fields
  ) throws -> ImportOutcome {
    let contact = ContactRecord.contact(named: id.name, fields: fields)
    var draft = imported.draft
    // A contact created here has no UID of its own; its export contains the record name in its place.
    if contact.uid.isEmpty, draft[.uid] == id.name.text { draft[.uid] = "" }
    let merged = ContactDraft(contact).adding(draft.matched(to: contact))
    let edit = ContactEdit.replacing(contact, with: merged)
    let changes = try edit.changes(to: fields, naming: DerivedEntryID.byContent)
    guard !changes.isEmpty else {
      return ImportOutcome(contact: imported, kind: .unchanged, record: id)
    }
    guard batch.policy != .skip else {
      return ImportOutcome(contact: imported, kind: .skipped, record: id)
    }
    save(imported, id, changes, to: fields, .present)
    return ImportOutcome(contact: imported, kind: .updated, record: id)
  }

  private mutating func save(
    _ imported: ImportedContact, _ id: RecordID, _ changes: FieldChanges, to fields: Fields,
    _ expectation: LocalEdit.Expectation
  ) {
    planned[id.name, default: []].removeAll { $0.id == id }
    planned[id.name, default: []].append((id, changes.applied(to: fields)))
    for asset in changes.set.assets where batch.assets.contains(asset) {
      edits.append(.keepAsset(asset))
    }
    edits.append(
      .save(
        LocalEdit.RecordSave(
          id: id, type: imported.recordType, changes: changes, expectation: expectation)))
  }
}

extension ImportedContact {
  /// The type of the record that stores it.
  fileprivate var recordType: RecordType { isGroup ? GroupRecord.type : ContactRecord.type }
}

extension ContactDraft {
  /// Returns this contact with the non-empty fields of `other`.
  fileprivate func adding(_ other: ContactDraft) -> ContactDraft {
    var result = self
    for (text, value) in other.texts { result[text] = value }
    for list in ContactList.allCases {
      let named = Dictionary(
        other[list].compactMap { entry in entry.id.map { ($0, entry) } }
      ) { first, _ in first }
      result[list] =
        self[list].map { entry in
          guard let new = entry.id.flatMap({ named[$0] }) else { return entry }
          var both = entry
          both.texts.merge(new.texts) { $1 }
          return both
        } + other[list].filter { $0.id == nil }
    }
    if !other.departments.isEmpty { result.departments = other.departments }
    result.categories += other.categories.filter { !categories.contains($0) }
    result.isEmergency = isEmergency || other.isEmergency
    result.photo = other.photo ?? photo
    return result
  }
}

extension RecordID {
  /// Whether the record is in a group of this account.
  fileprivate var isOwn: Bool { zone.owner == .current }
}
