// The layers of the architecture, and samples that violate each rule.

import Testing

@Suite("Layering")
struct LayeringTests {
  @Test func `targets import what their row of the table allows`() {
    expectNone(SourceTree.sources.flatMap(ImportRule.findings))
  }

  @Test func `only the stores speak SQL`() {
    expectNone(SourceTree.sources.flatMap(AbsenceRule.sql))
  }

  @Test func `the replica names no type of an application`() {
    expectNone(SourceTree.sources.flatMap(AbsenceRule.applications))
  }

  @Test func `the engine's sentences speak of records and zones, and only programs name commands`()
  {
    expectNone(SourceTree.sources.flatMap(AbsenceRule.applicationSentences))
  }

  @Test func `a group or a command in a sentence of the engine is found`() {
    let group = "throw invalid(\"The group is full.\")\n"
    let command = "hint: \"To sign in: contactsctl signin\"\n"
    #expect(AbsenceRule.applicationSentences(in: sample("BrokerCore", group)).count == 1)
    #expect(AbsenceRule.applicationSentences(in: sample("AddressBook", group)).isEmpty)
    #expect(AbsenceRule.applicationSentences(in: sample("AddressBook", command)).count == 1)
    #expect(AbsenceRule.applicationSentences(in: sample("AgentDaemon", command)).isEmpty)
  }

  @Test func `only DaemonKit and ControlCommands read the environment`() {
    expectNone(SourceTree.sources.flatMap(AbsenceRule.environment))
  }

  @Test func `the cores read no clock and no system random numbers`() {
    expectNone(SourceTree.sources.flatMap(AbsenceRule.clocksAndRandomness))
  }

  @Test func `only drivers ask for the time of day`() {
    expectNone(SourceTree.sources.flatMap(AbsenceRule.wallClock))
  }

  @Test func `the rules find the sources`() {
    #expect(SourceTree.sources.count >= 20)
    #expect(Set(SourceTree.sources.map(\.target)) == Set(ImportRule.allowed.keys))
  }

  @Test(arguments: [
    ("Records", "import Foundation"), ("SyncCore", "package import NIOCore"),
    ("RecordsWire", "@preconcurrency import struct NIOCore.ByteBuffer"),
    ("ControlCommands", "import GRDB"), ("BrokerDaemon", "import Contacts"),
    ("Unknown", "import Records"),
  ])
  func `an upward import is found`(_ target: String, _ line: String) {
    #expect(ImportRule.findings(in: sample(target, "// Essay.\n\(line)\n")).count == 1)
  }

  @Test func `an import in a comment or a literal is not found`() {
    let text = "// import NIOCore\nlet text = \"import NIOCore\"\n/* import NIOCore */\n"
    #expect(ImportRule.findings(in: sample("Records", text)).isEmpty)
  }

  @Test func `SQL outside a store is found`() {
    let text = "let query = \"SELECT * FROM record\"\n"
    #expect(AbsenceRule.sql(in: sample("BrokerDaemon", text)).map(\.line) == [1])
    #expect(AbsenceRule.sql(in: sample("BrokerStore", text)).isEmpty)
  }

  @Test func `a type of an application in the replica is found`() {
    let text = "/// Fetches the photo of a record.\n/// Postpones it.\n"
    #expect(AbsenceRule.applications(in: sample("DeviceStore", text)).map(\.line) == [1])
    #expect(AbsenceRule.applications(in: sample("AddressBook", text)).isEmpty)
  }

  @Test func `the environment read by a daemon is found`() {
    let text = "\nlet home = getenv(\"HOME\")\n"
    #expect(AbsenceRule.environment(in: sample("AgentDaemon", text)).map(\.line) == [2])
    #expect(AbsenceRule.environment(in: sample("DaemonKit", text)).isEmpty)
  }

  @Test(arguments: [
    "let now = ContinuousClock.now", "let id = UUID()", "let n = Int.random(in: 0..<9)",
  ])
  func `a clock or a random number in a core is found`(_ line: String) {
    #expect(AbsenceRule.clocksAndRandomness(in: sample("SyncCore", line)).count == 1)
    #expect(AbsenceRule.clocksAndRandomness(in: sample("AgentDaemon", line)).isEmpty)
  }

  @Test func `a random number generator that the caller passes is permitted`() {
    let line = "let n = Int.random(in: 0..<9, using: &generator)"
    #expect(AbsenceRule.clocksAndRandomness(in: sample("SyncCore", line)).isEmpty)
  }

  @Test func `the time of day outside a driver is found`() {
    #expect(AbsenceRule.wallClock(in: sample("BrokerStore", "let now = Date()\n")).count == 1)
    #expect(AbsenceRule.wallClock(in: sample("BrokerDaemon", "let now = Date()\n")).isEmpty)
  }
}

/// Returns a file of this target with this text.
func sample(_ target: String, _ text: String, name: String = "Sample") -> SourceFile {
  SourceFile(path: "Sources/\(target)/\(name).swift", text: text)
}
