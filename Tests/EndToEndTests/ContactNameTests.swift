// Contacts named by their names, ids and beginnings of ids, on a real agent without a broker. A deletion never
// acts on a search result.

import Processes
import Testing

extension EndToEnd {
  @Suite("C4, C7 contacts by name, id or beginning of an id")
  struct ContactNameTests {
    private static func device() async throws -> Device {
      try await Device("desk", brokerPath: "/nowhere/b.sock")
    }

    /// Runs a command at a terminal and types `answer` at the question.
    private static func choose(
      _ answer: String, at question: String = "Which one? [1-2]", in command: [String],
      on device: Device
    ) async throws -> (status: Int32, shown: String) {
      let terminal = try TerminalSession(
        RunningProgram.path(of: "contactsctl"), command,
        environment: ["CONTACTSD_SOCKET": device.socketPath, "PAGER": "cat"],
        directory: device.directory.path)
      try await terminal.shows(question)
      terminal.type(answer)
      let status = try await terminal.end()
      return (status, terminal.shown)
    }

    @Test func `rm deletes by name, by the beginning of an id, and never by a part of a name`()
      async throws
    {
      let device = try await Self.device()
      let cora = try await device.does("add", "--first", "Cora", "--last", "Winter")
      let dan = try await device.does("add", "--first", "Dan", "--company", "Winter Clocks")
      for part in ["Cora", "Winter", "cora wint", "Clocks", String(cora.prefix(5)), "*", "%"] {
        try await device.fails(66, "No contact has the id or name", "rm", part)
        try await device.fails(66, "No contact has the id or name", "merge", part, dan)
        try await device.fails(66, "No contact has the id or name", "merge", dan, part)
        try await device.fails(66, "No contact has the id or name", "edit", part, "--note", "x")
        try await device.fails(66, "No contact has the id or name", "photo", part)
      }
      #expect(try await device.requests.contact(cora) != nil)
      #expect(try await device.does("show", "Clocks").hasPrefix("id\t\(dan)\n"))
      #expect(try await device.does("rm", "cora winter") == cora)
      #expect(try await device.requests.contact(cora) == nil)
      #expect(try await device.does("rm", String(dan.prefix(6))) == dan)
      #expect(try await device.requests.contact(dan) == nil)

      // The trash and the history know the names of deleted contacts.
      try await device.fails(66, "is not in the trash", "trash", "restore", "Winter")
      // It was never sent, so it has no versions.
      #expect(try await device.does("history", "Cora Winter").isEmpty)
      try await device.fails(66, "Winter", "history", "Winter")
      #expect(try await device.does("trash", "restore", "Cora Winter") == cora)
      #expect(try await device.does("trash", "restore", String(dan.prefix(7))) == dan)
      #expect(try await device.requests.contact(cora)?.id == cora)
      #expect(try await device.requests.contact(dan)?.id == dan)
    }

    @Test func `on a terminal edit asks whether a part of a name means the contact`() async throws {
      let device = try await Self.device()
      let id = try await device.does(
        "add", "--first", "Cora", "--last", "Winter", "--company", "old")
      let command = ["edit", "Winter", "--company", "new"]
      let question = "Do you mean Cora Winter (old, Contacts, \(id.prefix(6)))? [y/N]"
      let refused = try await Self.choose("\n", at: question, in: command, on: device)
      #expect(refused.status == 66)
      #expect(try await device.requests.contact(id)?.company == "old")
      let accepted = try await Self.choose("y\n", at: question, in: command, on: device)
      #expect(accepted.status == 0, "\(accepted.shown)")
      #expect(accepted.shown.contains("Changed “Cora Winter” (\(id.prefix(6))). Undo: contactsctl"))
      #expect(try await device.requests.contact(id)?.company == "new")
    }

    @Test func `a command that changes a contact names it, unless it is to be quiet`() async throws
    {
      let device = try await Self.device()
      let id = try await device.does("add", "--first", "Cora", "--last", "Winter")
      let named = "“Cora Winter” (\(id))"
      for (command, sentence) in [
        (["edit", id, "--note", "x"], "Changed \(named). Undo: contactsctl undo "),
        (["edit", id, "--note", "x"], "\(named) has these values already."),
        (["merge", id, "Ivo Tanager"], "Merged 2 contacts into \(named)"),
        (["rm", id], "Deleted “Cora Winter”. Undo: contactsctl undo "),
        (["trash", "restore", id], "Restored \(named). Undo: contactsctl undo "),
      ] {
        let result = try await device.control(arguments: command)
        #expect(
          result.status == 0 && result.error.contains(sentence), "\(command): \(result.error)")
      }
      for flag in ["--quiet", "--json"] {
        let result = try await device.control(arguments: ["edit", id, "--note=\(flag)", flag])
        #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
      }
    }

    @Test func `a name without a letter or a digit names its contact`() async throws {
      let device = try await Self.device()
      let star = try await device.does("add", "--first", "☎")
      try await device.fails(66, "No contact has the id or name", "rm", "*")
      try await device.fails(66, "No contact has the id or name", "show", "*")
      #expect(try await device.does("rm", "☎") == star)
    }

    @Test func `a name of several contacts is an error that lists them, or a choice at a terminal`()
      async throws
    {
      let device = try await Self.device()
      try await device.does("group", "add", "Home")
      let first = try await device.does("add", "--first", "Anna", "--phone", "555 0100")
      let second = try await device.does("add", "--first", "Anna", "--group", "Home")
      for command in [
        ["rm", "Anna"], ["merge", "anna", "Ivo Tanager"], ["merge", "Ivo Tanager", "Anna"],
        ["history", "Anna"], ["photo", "Anna"], ["move", "--to", "Home", "Anna"], ["show", "Anna"],
        ["edit", "Anna", "--note", "x"],
      ] {
        let result = try await device.control(arguments: command)
        #expect(result.status == 65, "\(command): \(result.error)")
        #expect(result.output.isEmpty)
        #expect(result.error.contains("matches 2 contacts"), "\(command): \(result.error)")
        #expect(result.error.contains("(555 0100, Contacts, \(first.prefix(6))"), "\(result.error)")
        #expect(result.error.contains("(Home, \(second.prefix(6))"), "\(result.error)")
      }
      let refused = try await Self.choose("3\n", in: ["rm", "Anna"], on: device)
      #expect(refused.status == 65)
      let listed = try await device.control("list", "--group", "Home", "--fields", "id").rows
      #expect(listed == [[second]])
      // At the terminal, the number in front of the contact of Home chooses it.
      let order = try await device.control("search", "Anna").rows.map { $0[0] }
      let place = try #require(order.firstIndex(of: second))
      let chosen = try await Self.choose("\(place + 1)\n", in: ["rm", "Anna"], on: device)
      #expect(chosen.status == 0, "\(chosen.shown)")
      #expect(try await device.requests.contact(second) == nil)
      #expect(try await device.requests.contact(first) != nil)
    }

    @Test func `merge takes names, and move takes the beginning of an id`() async throws {
      let device = try await Self.device()
      try await device.does("group", "add", "Home")
      let kept = try await device.does("add", "--first", "Kept", "--phone", "1")
      let given = try await device.does("add", "--first", "Given", "--phone", "2")
      #expect(try await device.does("merge", "Kept", String(given.prefix(6))) == kept)
      #expect(try await device.requests.contact(given) == nil)
      try await device.does("move", "--to", "Home", String(kept.prefix(6)))
      let listed = try await device.control("list", "--group", "Home", "--fields", "name").rows
      #expect(listed == [["Kept"]])
    }

    @Test func `a terminal shows names first and short ids last, and commands accept these`()
      async throws
    {
      let device = try await Self.device()
      let terminal = try TerminalSession(
        RunningProgram.path(of: "contactsctl"), ["list"],
        environment: [
          "CONTACTSD_SOCKET": device.socketPath, "PAGER": "cat", "CONTACTSCTL_PAGER": "cat",
          "NO_COLOR": "1",
        ], directory: device.directory.path)
      #expect(try await terminal.end() == 0)
      let line = try #require(
        terminal.shown.split(whereSeparator: \.isNewline).first { $0.contains("Ada Quill") })
      #expect(line.hasPrefix("  Ada Quill"))
      let short = try #require(line.split(separator: " ").last)
      let id = try #require(
        try await device.control("list").rows.first { $0[1] == "Ada Quill" }?.first)
      #expect(short.count >= 6 && short.count < id.count && id.hasPrefix(short), "\(line)")
      #expect(try await device.does("show", String(short)).hasPrefix("id\t\(id)\n"))
    }
  }
}
