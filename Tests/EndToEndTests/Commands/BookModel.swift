// An address book as it should be after each command, in plain values. It has no ids: a contact is known by
// its first name, which no command changes, and a group by its title.

/// The contacts, the groups, the trash and what can be undone.
struct BookModel {
  /// A contact.
  struct Entry: Equatable {
    var last: String
    var company: String
    var note = ""
    var isEmergency = false
    var phones: [String] = []
    var group = BookModel.standardGroup
  }

  /// What an undo restores.
  struct State: Equatable {
    var contacts: [String: Entry] = [:]
    var groups: Set<String> = [BookModel.standardGroup]
  }

  static let standardGroup = "Contacts"

  private(set) var state = State()
  /// The deleted contacts.
  private(set) var trash: [String: Entry] = [:]
  /// Contacts that were in several groups, or in one that was renamed or deleted, whose entries in the trash are not compared.
  private(set) var moved: Set<String> = []
  /// The states before each action that can be undone, the latest last.
  private var undoable: [State] = []
  /// The state before the last command, if that was an undo.
  private(set) var beforeUndo: State?

  var canUndo: Bool { !undoable.isEmpty }
  var names: [String] { state.contacts.keys.sorted() }
  var restorable: [String] {
    trash.filter { !moved.contains($0.key) && state.groups.contains($0.value.group) }.keys.sorted()
  }

  /// Performs an action that one undo reverts.
  mutating func act(_ change: (inout State) -> Void) {
    undoable.append(state)
    beforeUndo = nil
    replace { change(&$0) }
  }

  /// Notes that a contact was moved.
  mutating func move(_ names: [String], to group: String) {
    act { state in for name in names { state.contacts[name]?.group = group } }
    moved.formUnion(names)
  }

  /// Renames a group. Its deleted contacts go with it, and are not compared any more.
  mutating func rename(group: String, to title: String) {
    moved.formUnion(trash.filter { $0.value.group == group }.keys)
    act { state in
      state.groups.remove(group)
      state.groups.insert(title)
      for (name, entry) in state.contacts where entry.group == group {
        state.contacts[name]?.group = title
      }
    }
  }

  /// Deletes a group; its contacts are moved to the standard group, or deleted too.
  mutating func remove(group: String, keepsContacts: Bool) {
    let members = state.contacts.filter { $0.value.group == group }.keys
    act { state in
      state.groups.remove(group)
      for name in members {
        if keepsContacts {
          state.contacts[name]?.group = Self.standardGroup
        } else {
          state.contacts[name] = nil
        }
      }
    }
    // The group that an undo creates again is another one, of which earlier actions know nothing.
    moved.formUnion(members)
    moved.formUnion(trash.filter { $0.value.group == group }.keys)
    undoable = undoable.suffix(1)
  }

  mutating func undo() {
    guard let before = undoable.popLast() else { return }
    beforeUndo = state
    replace { $0 = before }
  }

  /// Undoes the undo that was just made. Only the undo itself has a number for that.
  mutating func redo() {
    guard let beforeUndo else { return }
    replace { $0 = beforeUndo }
    self.beforeUndo = nil
    undoable = []
  }

  mutating func emptyTrash() {
    trash = [:]
    undoable = []
    beforeUndo = nil
  }

  /// Changes the state. A contact that goes is in the trash afterwards, one that comes is not.
  private mutating func replace(_ change: (inout State) -> Void) {
    let old = state.contacts
    change(&state)
    for (name, entry) in old where state.contacts[name] == nil { trash[name] = entry }
    for name in state.contacts.keys { trash[name] = nil }
  }
}
