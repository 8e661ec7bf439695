// Random commands, each with what it does to the model and the exit code that it must have.

import PredicateWorld

/// A command line, and its exit code.
struct BookCommand {
  let arguments: [String]
  var status: Int32 = 0
}

/// Chooses commands for a model.
struct BookCommands {
  static let lasts = ["Ash", "Birch", "Cedar", "Elm", "Fir", "Gorse"]
  static let companies = ["Acme", "Brill", "Corvid", "Dorado"]
  private static let titles = ["Work", "Club", "Choir", "Böhmen & Co", "-=- 李"]

  var random: SeededGenerator
  private var count = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// Returns the next command and applies it to `book`.
  /// - Parameter ids: The ids of contacts, by their first names.
  mutating func next(_ book: inout BookModel, ids: [String: String]) -> BookCommand {
    let name = book.names.isEmpty ? nil : random.one(of: book.names)
    let id = name.flatMap { ids[$0] }
    switch random.below(20) {
    case 0...3: return add(&book)
    case 4...6: if let name, let id { return edit(name, id, &book) }
    case 7, 8: if let name, let id { return remove(name, id, &book) }
    case 9: return addGroup(&book)
    case 10: if let group = ownGroup(book) { return rename(group, &book) }
    case 11: if let group = ownGroup(book) { return remove(group: group, &book) }
    case 12, 13: if let name, let id { return move(name, id, &book) }
    case 14: if let name = book.restorable.first { return restore(name, ids, &book) }
    case 15, 16, 17: if book.canUndo { return undo(&book) }
    case 18: return wrong(id)
    default: if random.percent(20) { return emptyTrash(&book) }
    }
    return add(&book)
  }

  private func ownGroup(_ book: BookModel) -> String? {
    book.state.groups.filter { $0 != BookModel.standardGroup }.min()
  }

  private mutating func add(_ book: inout BookModel) -> BookCommand {
    count += 1
    let name = "K\(100 + count)"
    var entry = BookModel.Entry(
      last: random.one(of: Self.lasts), company: random.one(of: Self.companies))
    entry.group = random.one(of: book.state.groups.sorted())
    entry.isEmergency = random.percent(20)
    entry.phones = (0..<random.below(3)).map { "555 \(count)0\($0)" }
    var line = ["add", "--first", name, "--last", entry.last, "--company=\(entry.company)"]
    line += entry.phones.flatMap { ["--phone", "home=\($0)"] }
    if entry.group != BookModel.standardGroup { line.append("--group=\(entry.group)") }
    if entry.isEmergency { line.append("--emergency") }
    book.act { $0.contacts[name] = entry }
    return BookCommand(arguments: line)
  }

  private mutating func edit(
    _ name: String, _ id: String, _ book: inout BookModel
  ) -> BookCommand {
    guard var entry = book.state.contacts[name] else { return add(&book) }
    count += 1
    entry.note = "n\(count)"
    let whole = "\(name) \(entry.last)"
    var line = ["edit", random.percent(30) ? whole : id, "--note", entry.note]
    if random.percent(50) {
      entry.last = random.one(of: Self.lasts)
      line += ["--last", entry.last]
    }
    if random.percent(50) {
      entry.isEmergency.toggle()
      line.append(entry.isEmergency ? "--emergency" : "--no-emergency")
    }
    if random.percent(40) {
      entry.phones.append("+1 555 \(count)")
      line += ["--phone", "boat=+1 555 \(count)"]
    }
    book.act { $0.contacts[name] = entry }
    return BookCommand(arguments: line)
  }

  private mutating func remove(
    _ name: String, _ id: String, _ book: inout BookModel
  ) -> BookCommand {
    book.act { $0.contacts[name] = nil }
    // One that does not exist is reported, and the other is deleted anyway.
    guard random.percent(25) else { return BookCommand(arguments: ["rm", id]) }
    return BookCommand(arguments: ["rm", "zzzzzzzzzzzzzzzz", id], status: 66)
  }

  private mutating func addGroup(_ book: inout BookModel) -> BookCommand {
    let titles = Self.titles.filter { !book.state.groups.contains($0) }
    guard let title = titles.first else { return add(&book) }
    book.act { $0.groups.insert(title) }
    return BookCommand(arguments: ["group", "add", "--", title])
  }

  private mutating func rename(_ group: String, _ book: inout BookModel) -> BookCommand {
    count += 1
    let title = "Title \(count)"
    book.rename(group: group, to: title)
    return BookCommand(arguments: ["group", "rename", "--", group, title])
  }

  private mutating func remove(group: String, _ book: inout BookModel) -> BookCommand {
    let keeps = random.percent(60)
    book.remove(group: group, keepsContacts: keeps)
    return BookCommand(
      arguments: ["group", "rm", keeps ? "--keep-contacts" : "--with-contacts", "--", group])
  }

  private mutating func move(
    _ name: String, _ id: String, _ book: inout BookModel
  ) -> BookCommand {
    let group = random.one(of: book.state.groups.sorted())
    guard book.state.contacts[name]?.group != group else { return edit(name, id, &book) }
    book.move([name], to: group)
    return BookCommand(arguments: ["move", "--to=\(group)", id])
  }

  private mutating func restore(
    _ name: String, _ ids: [String: String], _ book: inout BookModel
  ) -> BookCommand {
    guard let entry = book.trash[name], let id = ids[name] else { return add(&book) }
    book.act { $0.contacts[name] = entry }
    return BookCommand(arguments: ["trash", "restore", id])
  }

  private mutating func undo(_ book: inout BookModel) -> BookCommand {
    book.undo()
    return BookCommand(arguments: ["undo"])
  }

  private mutating func emptyTrash(_ book: inout BookModel) -> BookCommand {
    book.emptyTrash()
    return BookCommand(arguments: ["trash", "empty", "--yes"])
  }

  /// A command that must fail and change nothing.
  private mutating func wrong(_ id: String?) -> BookCommand {
    let unknown = "zzzzzzzzzzzzzzzz"
    let lines: [([String], Int32)] = [
      (["add", "--phone", "1"], 65), (["edit", unknown, "--note", "x"], 66),
      (["move", "--to=Nowhere", id ?? unknown], 66), (["group", "add", " "], 65),
      (["group", "rename", "Contacts", "x"], 77), (["group", "rm", "Contacts"], 77),
      (["trash", "restore", unknown], 66), (["undo", "9007199254740991"], 66),
      (["rm", ""], 66), (["trash", "empty"], 64), (["merge", unknown, unknown], 66),
    ]
    let (arguments, status) = random.one(of: lines)
    return BookCommand(arguments: arguments, status: status)
  }
}
