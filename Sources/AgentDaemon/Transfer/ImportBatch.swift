// Converts the contacts of a file to edits of this device, in batches, so that other edits are not delayed. A
// contact is identified by its UID or, without one, by its content, so importing the same file twice changes
// nothing. The import accepts values that a form would reject, because a card from another program with one
// bad field is still useful.

import AddressBook
import AgentStore
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
  static let contactsMax = 800
  /// The maximum size of a step in bytes of the file, because pictures are large.
  static let bytesMax = 1 << 20

  let contacts: [PreparedContact]
  /// What lists and searches need of them.
  let listed: ListedContacts
  /// The files that were stored for them.
  var assets: Set<Asset> = []
  let policy: DuplicatePolicy
  /// The destination group; `nil` for the account's group that already has a contact, or that the file names
  /// for it.
  let zone: ZoneID?
  let isDryRun: Bool
  /// The action of the import that this batch continues; `nil` before the first change.
  var action: Int64?
  /// The groups of the import before this batch.
  var groups: ImportedGroups

  /// The result of a step.
  typealias Step = ImportStep<ImportOutcome>

  /// The result of a batch.
  struct Result: Sendable {
    /// The outcomes.
    let step: Step
    /// The groups of the import after the batch.
    let groups: ImportedGroups
  }

  /// Applies the batch; called between other edits.
  func apply(to replica: Replica, now: Timestamp) throws -> (Result, [SyncAction]) {
    var groups = groups
    let (step, actions) = try Step.perform(contacts, continuing: action) { contacts, step in
      try apply(contacts, to: replica, now, &groups, &step)
    } refused: { contact, error in
      failed(contact, error)
    }
    return (Result(step: step, groups: groups), actions)
  }

  private func failed(_ prepared: PreparedContact, _ error: RecordsError) -> ImportOutcome {
    var contact = prepared.contact
    contact.findings.append(
      CardFinding(line: contact.line, outcome: .failed, error.forUsers.description))
    return ImportOutcome(contact: contact, kind: .failed)
  }

  private func apply(
    _ contacts: ArraySlice<PreparedContact>, to replica: Replica, _ now: Timestamp,
    _ groups: inout ImportedGroups, _ step: inout Step
  ) throws -> [SyncAction] {
    let namesGroups = zone == nil && contacts.contains { !$0.contact.groupTitle.isEmpty }
    let placement = GroupPlacement(try namesGroups ? replica.reader.groups() : [])
    var planner = try ImportPlanner(
      batch: self, of: contacts, reader: replica.reader, now: now, groups: groups,
      placement: placement)
    let outcomes = try contacts.map { try planner.plan($0) }
    var actions: [SyncAction] = []
    if !isDryRun, !planner.edits.isEmpty {
      replica.projection(AddressBook.self)?.expect(listed)
      let done = try replica.perform(
        planner.edits, as: UserAction(.import, continuing: step.action), isAsked: false, now: now)
      step.action = done.action ?? step.action
      actions = done.actions
    }
    // Not earlier: if the edits are rejected, the groups were not created.
    groups = planner.groups
    step.outcomes += outcomes
    return actions
  }
}
