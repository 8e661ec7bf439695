// Compares each contact of a file with the address book. A new contact goes into the import's destination or into
// the group that the file names; an existing one is merged or left as it is, according to the policy.

import ContactCards
import Contacts
import DeviceStore
import Records

/// Determines the edits for each contact of a batch.
struct ImportPlanner {
  private let batch: ImportBatch
  private let reader: DeviceReader
  private let now: Timestamp
  /// The groups of the import after the edits.
  private(set) var groups: ImportedGroups
  private var placement: GroupPlacement
  /// The edits of the batch so far, in order.
  private(set) var edits: [LocalEdit] = []
  /// The records that the batch itself changes, because a file may contain a contact twice.
  private var planned: [RecordName: [Present]] = [:]
  /// The names of the batch that records of the device have. Most contacts of an import are new.
  private let known: Set<RecordName>

  /// A record, with what it shows after the edits so far.
  private typealias Present = (id: RecordID, fields: Fields)

  /// Creates a planner that knows the records and groups before the batch.
  /// - Throws: `StoreError`.
  init(
    batch: ImportBatch, of contacts: ArraySlice<PreparedContact>, reader: DeviceReader,
    now: Timestamp, groups: ImportedGroups, placement: GroupPlacement
  ) throws {
    self.batch = batch
    self.reader = reader
    self.now = now
    self.groups = groups
    self.placement = placement
    known = try reader.names(of: contacts.flatMap(\.names))
  }

  /// Adds the edits for a contact, and returns its outcome.
  mutating func plan(_ prepared: PreparedContact) throws -> ImportOutcome {
    var imported = prepared.contact
    guard !imported.findings.contains(where: { $0.outcome == .failed }) else {
      return ImportOutcome(contact: imported, kind: .failed)
    }
    // Findings name the title, which may have a megabyte of blanks around it.
    imported.groupTitle = imported.groupTitle.trimmingBlanks()
    let place = place(for: imported)
    guard let (id, fields) = try present(imported, names: prepared.names, at: place) else {
      let zone = zone(at: place, for: &imported)
      let id = RecordID(zone: zone, name: prepared.recordName)
      return try add(imported, id, prepared)
    }
    switch batch.policy {
    case .new where !imported.isGroup:
      let zone = imported.groupTitle.isEmpty ? id.zone : zone(at: place, for: &imported)
      return try addAnother(imported, in: zone)
    case .new, .skip, .update:
      noteGroup(of: id, at: place, in: &imported)
      return try merge(imported, id, fields)
    }
  }

  // MARK: Groups

  /// The place of a new contact. The destination of the import has precedence over what the file says.
  private func place(for imported: ImportedContact) -> GroupPlacement.Place {
    if let zone = batch.zone { return .present(zone) }
    return placement.place(titled: imported.isGroup ? "" : imported.groupTitle, in: groups)
  }

  /// Returns the group for a new contact, and creates it if it does not exist.
  private mutating func zone(
    at place: GroupPlacement.Place, for imported: inout ImportedContact
  ) -> ZoneID {
    switch place {
    case .present(let zone): return zone
    case .new(let title):
      let (zone, edit) = placement.create(title)
      edits.append(edit)
      groups.note(made: title)
      return zone
    case .refused(let reason):
      report(reason, in: &imported)
      return .standard
    }
  }

  /// Says that an existing contact is in another group than in the file. An import does not move it: the user may
  /// have moved it since the file was written.
  private mutating func noteGroup(
    of id: RecordID, at place: GroupPlacement.Place, in imported: inout ImportedContact
  ) {
    guard batch.zone == nil, !imported.isGroup, !imported.groupTitle.isEmpty,
      place != .present(id.zone), let title = placement.title(of: id.zone),
      title != imported.groupTitle
    else { return }
    if case .refused(let reason) = place { return report(reason, in: &imported) }
    imported.findings.append(
      CardFinding(
        line: imported.line, property: Self.property, outcome: .kept,
        "The contact stays in “\(title)”; the file names the group “\(imported.groupTitle)”."))
  }

  private mutating func report(_ reason: String, in imported: inout ImportedContact) {
    guard let sentence = groups.sentence(for: imported.groupTitle, reason: reason) else { return }
    imported.findings.append(
      CardFinding(line: imported.line, property: Self.property, outcome: .kept, sentence))
  }

  /// What findings call the group of a contact.
  private static let property = "group"

  // MARK: Contacts

  /// Returns the existing record of this contact: in its place, or else in another of the account's own groups.
  private func present(
    _ imported: ImportedContact, names: [RecordName], at place: GroupPlacement.Place
  ) throws -> Present? {
    let names = names.filter { known.contains($0) || planned[$0] != nil }
    guard !names.isEmpty else { return nil }
    let isOnlyThere = batch.zone != nil || imported.isCopyInAnotherGroup
    // NB: The standard group needs no reads of its own: it is the first of the own groups.
    if let zone = place.zone, isOnlyThere || zone != .standard {
      for name in names {
        let id = RecordID(zone: zone, name: name)
        if let found = try record(id, as: imported.recordType) { return found }
      }
    }
    guard !isOnlyThere else { return nil }
    for name in names {
      if let found = try ownRecord(named: name, as: imported.recordType) { return found }
    }
    return nil
  }

  private func record(_ id: RecordID, as type: RecordType) throws -> Present? {
    if let known = planned[id.name]?.first(where: { $0.id == id }) { return known }
    guard let found = try reader.record(id), found.type == type else { return nil }
    return (found.id, found.fields)
  }

  /// Without a destination group, only contacts of the account's own groups match: an import must not change what
  /// other participants see.
  private func ownRecord(named name: RecordName, as type: RecordType) throws -> Present? {
    let known = planned[name] ?? []
    if let found = known.first(where: { $0.id.zone == .standard }) { return found }
    if let found = known.first(where: { $0.id.isOwn }) { return found }
    guard let found = try reader.record(named: name), found.id.isOwn, found.type == type
    else { return nil }
    return (found.id, found.fields)
  }

  private mutating func add(
    _ imported: ImportedContact, _ id: RecordID, _ prepared: PreparedContact? = nil
  ) throws -> ImportOutcome {
    let changes =
      try prepared?.creation ?? PreparedContact.creation(of: imported, named: id.name)
    save(imported, id, changes, to: nil, prepared)
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
    save(imported, id, changes, to: fields)
    return ImportOutcome(contact: imported, kind: .updated, record: id)
  }

  /// - Parameters:
  ///   - fields: The fields of the record; `nil` if it is new.
  ///   - prepared: What was made in advance for a new record.
  private mutating func save(
    _ imported: ImportedContact, _ id: RecordID, _ changes: FieldChanges, to fields: Fields?,
    _ prepared: PreparedContact? = nil
  ) {
    let save = LocalEdit.RecordSave(
      id: id, type: imported.recordType, changes: changes,
      expectation: fields == nil ? .absent : .present, encoding: prepared?.encoding,
      publicID: prepared?.publicID(of: id))
    planned[id.name, default: []].removeAll { $0.id == id }
    planned[id.name, default: []].append((id, save.applied(to: fields)))
    for asset in save.assets where batch.assets.contains(asset) {
      edits.append(.keepAsset(asset))
    }
    edits.append(.save(save))
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
          both.texts.merge(new.texts)
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
