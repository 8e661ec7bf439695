// Random commands on a real agent, compared with a plain model after each of them, through the output for
// programs.

import Foundation
import PredicateWorld
import Processes
import Testing

/// A device on which random commands run, and the model of its address book.
private final class BookRun {
  let device: Device
  let seed: UInt64
  var book = BookModel()
  var commands: BookCommands
  private var ids: [String: String] = [:]
  private var lines: [[String]] = []

  init(seed: UInt64) async throws {
    self.seed = seed
    commands = BookCommands(seed: seed)
    device = try await Device("desk", brokerPath: "/nowhere/b.sock")
    // The ten bundled contacts.
    let bundled = try await device.control("list").rows.map { $0[0] }
    #expect(try await device.control(arguments: ["rm"] + bundled).status == 0)
    #expect(try await device.control("trash", "empty", "--yes").status == 0)
  }

  /// The commands so far, for the message of a failure.
  var story: Comment {
    let said = lines.suffix(12).map { $0.joined(separator: " ") }.joined(separator: "\n")
    return "seed \(seed):\n\(said)"
  }

  func step() async throws {
    let command = commands.next(&book, ids: ids)
    lines.append(command.arguments)
    let isUndo = command.arguments == ["undo"]
    let result = try await device.control(
      arguments: isUndo ? ["undo", "--json"] : command.arguments)
    try #require(result.status == command.status, "\(story)\n\(result.error)")
    #expect(command.status == 0 || !result.error.isEmpty, story)
    try await compare()
    if isUndo, commands.random.percent(40) { try await redo(result) }
    if lines.count % 5 == 0 { try await compareAll() }
  }

  /// Undoes the undo by its number, and undoes that again in turn.
  private func redo(_ undone: Device.CommandResult) async throws {
    let object = try JSONSerialization.jsonObject(with: Data(undone.output.utf8))
    let action = try #require((object as? [String: Any])?["action"] as? Int, story)
    lines.append(["undo", "\(action)"])
    #expect(try await device.control("undo", "\(action)").status == 0, story)
    book.redo()
    try await compare()
  }

  private func list(_ key: String, _ arguments: [String]) async throws -> [[String: Any]] {
    let result = try await device.control(arguments: arguments + ["--json"])
    try #require(result.status == 0, "\(story)\n\(result.error)")
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    return try #require((object as? [String: Any])?[key] as? [[String: Any]], story)
  }

  /// Compares the groups and the contacts.
  func compare() async throws {
    let groups = try await list("groups", ["group", "list"])
    let titles = groups.compactMap { $0["title"] as? String }
    #expect(Set(titles) == book.state.groups && titles.count == book.state.groups.count, story)
    let titleByID = Dictionary(
      groups.map { ($0["id"] as? String ?? "", $0["title"] as? String ?? "") }
    ) { $1 }
    var contacts: [String: BookModel.Entry] = [:]
    for row in try await list("contacts", ["list"]) {
      let name = row["firstName"] as? String ?? ""
      ids[name] = row["id"] as? String
      #expect(contacts[name] == nil, "\(name) is there twice. \(story)")
      let phones = (row["phones"] as? [[String: Any]] ?? []).compactMap { $0["value"] as? String }
      contacts[name] = BookModel.Entry(
        last: row["lastName"] as? String ?? "", company: row["company"] as? String ?? "",
        note: row["note"] as? String ?? "", isEmergency: row["emergency"] as? Bool ?? false,
        phones: phones, group: titleByID[row["group"] as? String ?? ""] ?? "")
    }
    try #require(contacts == book.state.contacts, story)
    for group in groups {
      let count = contacts.values.count { $0.group == group["title"] as? String }
      #expect(group["contacts"] as? Int == count, story)
    }
  }

  /// Compares the trash, and lists with conditions.
  func compareAll() async throws {
    let trash = try await list("trash", ["trash", "list"]).compactMap { $0["name"] as? String }
    let names = Set(trash.compactMap { $0.split(separator: " ").first.map(String.init) })
    #expect(names.subtracting(book.moved) == Set(book.trash.keys).subtracting(book.moved), story)
    try await compareOrder()
    try await compareSearch()
    let group = commands.random.one(of: book.state.groups.sorted())
    let members = try await device.control("list", "--group=\(group)", "--fields", "first").rows
    let expected = book.state.contacts.filter { $0.value.group == group }.keys
    #expect(Set(members.compactMap(\.first)) == Set(expected), story)
  }

  /// All names are ASCII with a capital first, so that every collation sorts them like bytes.
  private func compareOrder() async throws {
    let count = commands.random.below(book.names.count + 2)
    for (sort, key) in [
      ("last", { (name: String, entry: BookModel.Entry) in entry.last + " " + name }),
      ("first", { name, entry in name + " " + entry.last }),
    ] {
      let rows = try await device.control(
        "list", "--sort", sort, "-n", "\(count)", "--fields", "first"
      ).rows
      let sorted = book.state.contacts.sorted { key($0.key, $0.value) < key($1.key, $1.value) }
      #expect(rows.map { $0[0] } == sorted.prefix(count).map(\.key), "\(sort) \(story)")
    }
    let companies = try await device.control(
      "list", "--sort", "company", "--fields", "company"
    ).rows.map { $0[0] }
    #expect(companies == companies.sorted(), story)
    #expect(companies.sorted() == book.state.contacts.values.map(\.company).sorted(), story)
  }

  private func compareSearch() async throws {
    let word = commands.random.one(of: BookCommands.lasts + BookCommands.companies)
    let found = try await device.control("search", word.lowercased())
    #expect(found.status == 0, "a search without results is no failure")
    let expected = book.state.contacts.filter { $0.value.last == word || $0.value.company == word }
    let meant = expected.keys.compactMap { ids[$0] }
    #expect(Set(found.rows.map { $0[0] }) == Set(meant), "\(word) \(story)")
  }

  /// Exports everything, and imports it again.
  func carryOut(format: String) async throws {
    let file = device.directory.file("book.\(format)")
    #expect(try await device.control("export", "--format", format, "-o", file).status == 0)
    let result = try await device.control("import", file)
    #expect(result.status == 0, "\(story)\n\(result.output)\(result.error)")
    #expect(
      result.error.contains("\(book.names.count) unchanged") || book.names.isEmpty,
      "\(story)\n\(result.error)")
    try await compare()
  }
}

extension EndToEnd {
  @Suite("C1–C4, C7 random commands against a plain model")
  struct CommandModelTests {
    @Test(arguments: [1, 2] as [UInt64])
    func `after each of random commands the agent has what a plain model has`(
      seed: UInt64
    ) async throws {
      let run = try await BookRun(seed: seed)
      for _ in 0..<35 { try await run.step() }
      try await run.compareAll()
      for format in ["vcard3", "vcard4", "jcard", "json"] {
        if !run.book.names.isEmpty { try await run.carryOut(format: format) }
      }
    }
  }
}
