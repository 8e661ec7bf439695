// The members of an imported group. They are found by their UIDs among the contacts on this device, and
// receive the group's title as a category. A contact belongs to exactly one group of ours, which may be
// shared; but it may have any number of categories.

import ContactCards
import Contacts
import DeviceStore
import Records
import SyncCore

/// The members of a group that still have to receive the category.
struct GroupMembers: Sendable {
  /// The number of members in one step, so that a user's edit does not wait for long.
  private static let contactsMaximum = 50

  /// The category.
  let title: String
  /// The UIDs that no contact on this device has.
  let missing: Set<String>
  /// The number of members that received the category.
  private(set) var changed = 0
  /// The number of members that could not receive it.
  private(set) var refused = 0
  private let found: [RecordID]
  private var rest: ArraySlice<RecordID>

  /// Finds the members of `group`, in one group of ours or in all.
  init(of group: ImportedContact, in zone: ZoneID?, _ reader: DeviceReader) throws {
    title = group.name.trimmingBlanks()
    var found: [RecordID] = []
    var missing: Set<String> = []
    for uid in group.memberUIDs {
      if let id = try Self.contact(uid, in: zone, reader) {
        found.append(id)
      } else {
        missing.insert(uid)
      }
    }
    self.found = found
    self.missing = missing
    rest = title.isEmpty ? [] : found[...]
  }

  private static func contact(
    _ uid: String, in zone: ZoneID?, _ reader: DeviceReader
  ) throws -> RecordID? {
    for name in ImportedContact.recordNames(ofUID: uid) {
      let view =
        try zone.map { try reader.record(RecordID(zone: $0, name: name)) }
        ?? reader.record(named: name)
      if let view, view.type == ContactRecord.type { return view.id }
    }
    return nil
  }

  /// Whether all members have the category.
  func haveAll(_ reader: DeviceReader) throws -> Bool {
    try title.isEmpty
      || found.allSatisfy { id in
        try reader.record(id).map {
          ContactRecord.contact(named: id.name, fields: $0.fields).categories.contains(title)
        } ?? true
      }
  }

  /// Returns the next batch of members; `nil` after the last.
  mutating func next(continuing action: Int64?) -> Batch? {
    guard !rest.isEmpty else { return nil }
    defer { rest = rest.dropFirst(Self.contactsMaximum) }
    return Batch(
      contacts: Array(rest.prefix(Self.contactsMaximum)), title: title, action: action)
  }

  /// Counts the outcomes of a batch.
  mutating func note(_ outcomes: [Batch.Outcome]) {
    changed += outcomes.count { $0 == .changed }
    refused += outcomes.count { $0 == .refused }
  }

  /// Returns the findings about the group.
  func findings(line: Int) -> [CardFinding] {
    func find(_ outcome: CardFinding.Outcome, _ sentence: String) -> CardFinding {
      CardFinding(line: line, property: "MEMBER", outcome: outcome, sentence)
    }
    func count(_ number: Int, _ word: String) -> String {
      "\(number) \(word)\(number == 1 ? "" : "s")"
    }
    var findings: [CardFinding] = []
    let shown = String(title.prefix(40))
    if title.isEmpty {
      findings.append(find(.kept, "The group card has no name, so its members got no category."))
    } else if changed > 0 {
      let sentence =
        "The card is a group: \(count(changed, "contact")) got the category “\(shown)”."
      findings.append(find(.guessed, sentence))
    }
    if refused > 0 {
      findings.append(
        find(
          .kept, "You cannot change \(count(refused, "member")); the category was not added there.")
      )
    }
    if !missing.isEmpty {
      let (verb, pronoun) = missing.count == 1 ? ("was", "it") : ("were", "them")
      let sentence = "\(count(missing.count, "member")) of the group \(verb) not found; "
      findings.append(find(.kept, sentence + "the group card still names \(pronoun)."))
    }
    return findings
  }

  /// Members that receive the category in one step.
  struct Batch: Sendable {
    /// The outcome for a member.
    enum Outcome: Sendable {
      case changed, unchanged, refused
    }

    /// The result of a step.
    typealias Step = ImportStep<Outcome>

    fileprivate let contacts: [RecordID]
    fileprivate let title: String
    fileprivate let action: Int64?

    /// Applies the batch; called between other edits.
    func apply(to replica: Replica, now: Timestamp) throws -> (Step, [SyncAction]) {
      try Step.perform(contacts, continuing: action) { contacts, step in
        try apply(contacts, to: replica, now, &step)
      } refused: { _, _ in
        .refused
      }
    }

    private func apply(
      _ contacts: ArraySlice<RecordID>, to replica: Replica, _ now: Timestamp, _ step: inout Step
    ) throws -> [SyncAction] {
      let edits = try contacts.map { try edit($0, replica.reader) }
      var actions: [SyncAction] = []
      if edits.contains(where: { $0 != nil }) {
        let done = try replica.perform(
          edits.compactMap(\.self), as: UserAction(.import, continuing: step.action),
          isAsked: false, now: now)
        step.action = done.action ?? step.action
        actions = done.actions
      }
      step.outcomes += edits.map { $0 == nil ? .unchanged : .changed }
      return actions
    }

    private func edit(_ id: RecordID, _ reader: DeviceReader) throws -> LocalEdit? {
      guard let view = try reader.record(id) else { return nil }
      let contact = ContactRecord.contact(named: id.name, fields: view.fields)
      guard !contact.categories.contains(title) else { return nil }
      var edit = ContactEdit()
      edit.categories = contact.categories + [title]
      var generator = SystemRandomNumberGenerator()
      let changes = try edit.changes(to: view.fields, using: &generator)
      return .save(
        LocalEdit.RecordSave(
          id: id, type: view.type, changes: changes, expectation: .present))
    }
  }
}
