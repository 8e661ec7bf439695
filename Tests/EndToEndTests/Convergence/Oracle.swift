// What was typed in a round and acknowledged, kept outside of everything that is killed. Each typed
// value is a word of its own, so that it can be looked for anywhere. A contact is known by its last
// name, which no operation edits: ids are the devices' business.
//
// The claim: an acknowledged value is shown, or in a conflict, in a history, or in the list of rejected
// edits; or the same device overwrote it later, before anything was sent perhaps; or a person chose
// against it when resolving a conflict; or its group was deleted with all contacts.

/// The record of what was typed.
struct Oracle {
  /// One acknowledged value.
  struct Typed {
    let word: String
    let person: String
    let field: String
    let device: Int
    let operation: Int
  }

  /// What is known of a contact.
  struct Person {
    /// Whether a device acknowledged that it was added.
    var isAcknowledged = false
    /// Whether an operation may have deleted it, or taken its making back.
    var mayBeGone = false
    /// Whether it was in a group that may have been deleted with its contacts.
    var mayBeLostWithGroup = false
    /// The groups it was put into or seen in.
    var groups: Set<String> = []
  }

  private(set) var typed: [Typed] = []
  private(set) var persons: [String: Person] = [:]
  /// The last names in the order in which they came up.
  private(set) var names: [String] = []
  /// What may have overwritten values on a device: its contact, its field (`nil`: all), its device.
  private var overwritten: [(person: String, field: String?, device: Int, operation: Int)] = []
  /// The texts of conflicts that were resolved.
  private var resolved: [String] = []
  /// Groups by id: whether a device acknowledged the making, and whether it may be deleted.
  private(set) var groups: [String: (title: String, mayBeGone: Bool)] = [:]

  /// A word that no other value contains.
  static func word(_ operation: Int, _ part: Int = 0) -> String {
    "w\(1000 + operation)x\(part)q"
  }

  // MARK: Contacts

  /// Notes a contact that an operation tries to add, or that was there before.
  mutating func note(_ person: String, group: String) {
    if persons[person] == nil {
      names.append(person)
      persons[person] = Person()
    }
    persons[person]?.groups.insert(group)
    if let known = groups[group], known.mayBeGone { persons[person]?.mayBeLostWithGroup = true }
  }

  mutating func acknowledge(adding person: String) {
    persons[person]?.isAcknowledged = true
  }

  /// Notes an edit that is tried, before its answer.
  mutating func attempt(_ person: String, field: String?, device: Int, operation: Int) {
    overwritten.append((person, field, device, operation))
  }

  mutating func acknowledge(_ value: Typed) { typed.append(value) }

  /// Notes that an operation may delete the contact, or take its last edits back.
  mutating func mayDelete(_ person: String, device: Int, operation: Int) {
    persons[person]?.mayBeGone = true
    attempt(person, field: nil, device: device, operation: operation)
  }

  /// Notes the values of a conflict that is resolved.
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
    }
  }

  // MARK: Claims

  /// The acknowledged values that have to be found somewhere.
  var claims: [Typed] {
    typed.filter { value in
      persons[value.person]?.mayBeLostWithGroup == false
        && !isOverwritten(value) && !resolved.contains { $0.contains(value.word) }
    }
  }

  private func isOverwritten(_ value: Typed) -> Bool {
    overwritten.contains {
      $0.person == value.person && $0.device == value.device && $0.operation > value.operation
        && ($0.field == nil || $0.field == value.field)
    }
  }

  /// The contacts that every device has to show.
  var lasting: [String] {
    names.filter {
      guard let person = persons[$0] else { return false }
      return person.isAcknowledged && !person.mayBeGone && !person.mayBeLostWithGroup
    }
  }
}
