// Names, notes and calls, and samples with faults.

import Testing

@Suite("Wording and calls")
struct WordingTests {
  private let written = SourceTree.sources.filter { !$0.isGenerated }

  @Test func `types and files have names with a meaning`() {
    expectNone((written + SourceTree.tests).flatMap(WordingRule.names))
  }

  @Test func `no file contains notes to the author`() {
    expectNone((written + SourceTree.tests).flatMap(WordingRule.notes))
  }

  @Test func `no file contains a path of the author's machine`() {
    expectNone(
      SourceTree.texts.sorted { $0.key < $1.key }.flatMap {
        WordingRule.machinePaths(in: $0.value, at: $0.key)
      })
  }

  @Test func `no call ends the program or blocks a thread`() {
    expectNone((written + SourceTree.tests).flatMap(CallRule.refusedCalls))
  }

  @Test func `no program formats or parses for a language with Foundation`() {
    expectNone(written.flatMap(CallRule.languageCalls))
  }

  @Test(arguments: ["Calendar(identifier: .gregorian)", "TimeZone.current", "date.formatted()"])
  func `a call for a language is found`(_ line: String) {
    #expect(CallRule.languageCalls(in: sample("ControlCommands", line)).count == 1)
    #expect(CallRule.languageCalls(in: sample("ControlCommands", "CalendarDay(of: 1)")).isEmpty)
  }

  @Test func `only the output prints`() {
    expectNone(written.flatMap(CallRule.printing))
  }

  @Test func `tasks without an owner and unchecked promises have a reason`() {
    expectNone(written.flatMap(CallRule.unexplained))
  }

  @Test(arguments: ["struct SyncManager {", "final class StringUtils {", "enum DateHelper: Int {"])
  func `an empty name is found`(_ line: String) {
    #expect(WordingRule.names(in: sample("SyncCore", line)).count == 1)
  }

  @Test func `an empty file name is found`() {
    #expect(WordingRule.names(in: sample("SyncCore", "", name: "SyncManager")).count == 1)
  }

  @Test func `a note is found in comments only`() {
    let note = "TO" + "DO"
    #expect(WordingRule.notes(in: sample("SyncCore", "// \(note): later\n")).map(\.line) == [1])
    #expect(WordingRule.notes(in: sample("SyncCore", "let \(note) = 1\n")).isEmpty)
  }

  @Test func `a path of a machine is found`() {
    let text = "Fine.\nSee /wo" + "rk/main for it.\n"
    #expect(WordingRule.machinePaths(in: text, at: "README.md").map(\.line) == [2])
    #expect(WordingRule.machinePaths(in: "hard wo" + "rk/play", at: "README.md").isEmpty)
  }

  @Test(arguments: ["let a = try! load()", "fatalError()", "Thread.sleep(forTimeInterval: 1)"])
  func `a refused call is found`(_ line: String) {
    #expect(CallRule.refusedCalls(in: sample("SyncCore", line)).count == 1)
    #expect(CallRule.refusedCalls(in: sample("SyncCore", "// \(line)")).isEmpty)
  }

  @Test func `printing is found outside the output`() {
    #expect(CallRule.printing(in: sample("AgentDaemon", "print(1)\n")).count == 1)
    #expect(CallRule.printing(in: sample("AgentDaemon", "fingerprint(1)\n")).isEmpty)
    let output = sample("ControlCommands", "print(1)\n", name: "TerminalOutput")
    #expect(CallRule.printing(in: output).isEmpty)
  }

  @Test(arguments: [
    "  Task { await run() }", "let task = Task.detached {",
    "final class Box: @unchecked Sendable {}",
  ])
  func `a call that needs a reason is found without one`(_ line: String) {
    #expect(CallRule.unexplained(in: sample("AgentDaemon", "\n\(line)\n")).map(\.line) == [2])
    #expect(CallRule.unexplained(in: sample("AgentDaemon", "// For once.\n\(line)\n")).isEmpty)
  }

  @Test func `the tasks of a group have an owner`() {
    let text = "\ngroup.addTask { await run() }\ntry await withThrowingTaskGroup { }\n"
    #expect(CallRule.unexplained(in: sample("AgentDaemon", text)).isEmpty)
  }
}
