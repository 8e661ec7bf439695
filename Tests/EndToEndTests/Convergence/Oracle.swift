// Records what was typed in a round and acknowledged, outside of all processes that are killed. Each typed
// value is a unique word, so that it can be found anywhere. A contact is identified by its last name, which
// no operation edits.
//
// The claim: a device shows each acknowledged value, or has it in a conflict, in a history or in the list of
// rejected edits, or does so once all that is in the trash is restored. Exceptions: the same device overwrote the
// value later, a person discarded it in a conflict, or its group was deleted and the broker restored, in any order: only
// the broker has the contacts of deleted groups (decision 56), and a restored one may not have got them again.

/// The values typed in a round and what became of them.
struct Oracle {
  /// One acknowledged value.
  struct Typed {
    let word: String
    let person: String
    let field: String
    let device: Int
    let operation: Int

    /// The sentence that says that it is lost.
    var loss: String {
      "\(word), typed by operation \(operation) into \(person).\(field) on device \(device), is lost"
    }
  }

  /// What the oracle knows about a contact.
  struct Person {
    /// Whether a device acknowledged its creation.
    var isAcknowledged = false
    /// Whether an operation may have deleted it, or undone its creation.
    var mayBeGone = false
    /// Whether it was in a group that may have been deleted with its contacts.
    var mayBeLostWithGroup = false
    /// The last restore of the broker before or after such a deletion; values of operations before it may be lost.
    var lostBefore = 0
    /// Whether it was in a group that was deleted without its contacts. Such a deletion leaves no tombstones of the
    /// contacts, so one that another device moved meanwhile is there twice (decision 28).
    var mayBeTwice = false
    /// The groups that contained it.
    var groups: Set<String> = []
  }

  private(set) var typed: [Typed] = []
  private(set) var persons: [String: Person] = [:]
  /// The last names in order of appearance.
  private(set) var names: [String] = []
  /// Edits that may have overwritten values: contact, field (`nil` for all fields) and device.
  private var overwritten: [(person: String, field: String?, device: Int, operation: Int)] = []
  /// The values in resolved conflicts.
  private var resolved: [String] = []
  /// The groups by id: their titles, and whether each may be deleted.
  private(set) var groups: [String: (title: String, mayBeGone: Bool)] = [:]
  /// The operation that restored the broker last.
  private var lastRestore = 0
  /// The groups that were deleted without their contacts.
  private var leftGroups: Set<String> = []

  /// Returns a word that no other value contains.
  static func word(_ operation: Int, _ part: Int = 0) -> String {
    "w\(1000 + operation)x\(part)q"
  }

  // MARK: Contacts

  /// Records a contact that an operation tries to add, or that existed before.
  mutating func note(_ person: String, group: String) {
    if persons[person] == nil {
      names.append(person)
      persons[person] = Person()
    }
    persons[person]?.groups.insert(group)
    if let known = groups[group], known.mayBeGone { persons[person]?.mayBeLostWithGroup = true }
    if leftGroups.contains(group) { persons[person]?.mayBeTwice = true }
  }

  mutating func acknowledge(adding person: String) {
    persons[person]?.isAcknowledged = true
  }

  /// Records an attempted edit, before its answer.
  mutating func attempt(_ person: String, field: String?, device: Int, operation: Int) {
    overwritten.append((person, field, device, operation))
  }

  mutating func acknowledge(_ value: Typed) { typed.append(value) }

  /// Records that an operation may delete the contact or undo its last edits.
  mutating func mayDelete(_ person: String, device: Int, operation: Int) {
    persons[person]?.mayBeGone = true
    attempt(person, field: nil, device: device, operation: operation)
  }

  /// Records the values of a conflict that is resolved.
  mutating func resolve(mine: String, theirs: String, person: String?, mayDelete: Bool) {
    resolved += [mine, theirs]
    if mayDelete, let person { persons[person]?.mayBeGone = true }
  }

  // MARK: Groups

  mutating func note(group: String, title: String) {
    if groups[group] == nil { groups[group] = (title, false) }
  }

  mutating func mayDelete(group: String) {
    groups[group]?.mayBeGone = true
    for name in names where persons[name]?.groups.contains(group) == true {
      persons[name]?.mayBeLostWithGroup = true
      let lostBefore = persons[name]?.lostBefore ?? 0
      persons[name]?.lostBefore = max(lostBefore, lastRestore)
    }
  }

  /// Records that a group is deleted and its contacts are kept.
  mutating func leave(group: String) {
    leftGroups.insert(group)
    for name in names where persons[name]?.groups.contains(group) == true {
      persons[name]?.mayBeTwice = true
    }
  }

  /// Records that the broker is restored from a backup.
  mutating func restore(operation: Int) {
    lastRestore = operation
    for name in names where persons[name]?.mayBeLostWithGroup == true {
      persons[name]?.lostBefore = operation
    }
  }

  /// Records that the broker is rewound. No contact and no group of before has to be shown any more.
  mutating func rewind() {
    for name in names { persons[name]?.mayBeGone = true }
    for id in groups.keys { groups[id]?.mayBeGone = true }
  }

  // MARK: Claims

  /// The acknowledged values that must be found.
  var claims: [Typed] {
    typed.filter { value in
      value.operation >= persons[value.person]?.lostBefore ?? 0
        && !isOverwritten(value) && !resolved.contains { $0.contains(value.word) }
    }
  }

  private func isOverwritten(_ value: Typed) -> Bool {
    overwritten.contains {
      $0.person == value.person && $0.device == value.device && $0.operation > value.operation
        && ($0.field == nil || $0.field == value.field)
    }
  }

  /// The contacts that every device must show.
  var lasting: [String] {
    names.filter {
      guard let person = persons[$0] else { return false }
      return person.isAcknowledged && !person.mayBeGone && !person.mayBeLostWithGroup
    }
  }
}
