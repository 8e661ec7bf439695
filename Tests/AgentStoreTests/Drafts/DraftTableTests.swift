// The drafts of the web page in a device's database.

import DeviceStore
import GRDB
import Records
import Testing

@testable import AgentStore

@Suite("N4 drafts of the web page")
struct DraftTableTests {
  private let database: DeviceDatabase

  init() throws { database = try DeviceDatabase.inMemory() }

  private func edit<Result>(_ body: (DraftTable) throws -> Result) throws -> Result {
    try database.writer.write { try body(DraftTable($0)) }
  }

  private func draft(
    _ id: String, _ sequence: Int64, texts: [String: String] = ["note": "Half"],
    base: [String: String] = [:], at seconds: Int64 = 0
  ) -> Draft {
    Draft(
      id: id, kind: .contact, target: "ada", title: "Ada", address: "/contact/ada/edit",
      version: 7, sequence: sequence, base: base, texts: texts,
      changed: Timestamp(microseconds: seconds * 1_000_000))
  }

  private func ids() throws -> [String] { try edit { try $0.all().map(\.id) } }

  @Test func `a draft is read as it was written, the latest first`() throws {
    let first = draft("a", 1, texts: ["note": "“Ä”\n"], base: ["note": ""], at: 1)
    var second = draft("b", 1, at: 2)
    second.kind = .post
    second.target = nil
    second.version = nil
    try edit { drafts in
      try drafts.save(first)
      try drafts.save(second)
    }
    #expect(try edit { try $0.all() } == [second, first])
    #expect(try edit { try $0.count() } == 2)
  }

  @Test func `a writing that arrives late changes nothing`() throws {
    try edit { try $0.save(draft("a", 3, texts: ["note": "Third"])) }
    for sequence in [2, 3] as [Int64] {
      try edit { try $0.save(draft("a", sequence, texts: ["note": "Late"])) }
    }
    #expect(try edit { try $0.all().map(\.texts) } == [["note": "Third"]])
  }

  @Test func `a draft that another form continues is replaced, unless it was written since`() throws
  {
    try edit { try $0.save(draft("a", 3)) }
    try edit { try $0.save(draft("b", 1), replacing: .init(id: "a", sequence: 3)) }
    #expect(try ids() == ["b"])
    try edit { try $0.save(draft("b", 2)) }
    try edit { try $0.save(draft("c", 1), replacing: .init(id: "b", sequence: 1)) }
    #expect(try ids() == ["b", "c"])
  }

  @Test func `a draft is not discarded if it was written since the user saw it`() throws {
    try edit { try $0.save(draft("a", 3)) }
    let error = #expect(throws: RecordsError.self) { try edit { try $0.remove("a", through: 2) } }
    #expect(error?.code == .serverRecordChanged)
    try edit { try $0.remove("a", through: 3) }
    try edit { try $0.remove("a") }
    #expect(try ids() == [])
  }

  @Test func `a draft that is too large is refused, and what is stored stays`() throws {
    try edit { try $0.save(draft("a", 1)) }
    let long = String(repeating: "x", count: DraftTable.draftBytesMaximum)
    let error = #expect(throws: RecordsError.self) {
      try edit { try $0.save(draft("a", 2, texts: ["note": long])) }
    }
    #expect(error?.reason == "draftTooLarge")
    #expect(try edit { try $0.all().map(\.sequence) } == [1])
  }

  @Test func `drafts beyond the limits are refused, and a stored one can still be written`() throws
  {
    try edit { drafts in
      for number in 1...DraftTable.draftsMaximum { try drafts.save(draft("\(number)", 1)) }
    }
    let error = #expect(throws: RecordsError.self) { try edit { try $0.save(draft("more", 1)) } }
    #expect(error?.reason == "draftsFull")
    try edit { try $0.save(draft("1", 2)) }
    // One that continues another has its room.
    try edit { try $0.save(draft("more", 1), replacing: .init(id: "2", sequence: 1)) }
    #expect(try edit { try $0.count() } == DraftTable.draftsMaximum)
  }

  @Test func `the bytes of all drafts are limited`() throws {
    let part = String(repeating: "x", count: DraftTable.draftBytesMaximum - 200)
    let count = DraftTable.bytesMaximum / DraftTable.draftBytesMaximum
    try edit { drafts in
      for number in 1...count { try drafts.save(draft("\(number)", 1, texts: ["note": part])) }
    }
    let error = #expect(throws: RecordsError.self) {
      try edit { try $0.save(draft("more", 1, texts: ["note": part])) }
    }
    #expect(error?.reason == "draftsFull")
  }

  @Test func `without its context a draft has what was typed`() {
    let full = draft(
      "a", 1, texts: ["firstName": "Ada", "note": "Mine"], base: ["firstName": "Ada", "note": ""])
    let typed = full.withoutContext
    #expect(typed.texts == ["note": "Mine"])
    #expect(typed.base == [:] && typed.version == nil)
  }
}
