import AgentAPI
import Records
import Testing

@testable import ControlCommands

@Suite("history on a terminal")
struct ContactHistoryViewLinesTests {
  private static func step(
    _ change: String = "updated", synced: Bool = true,
    fields: [(String, String?, String?)] = []
  ) -> ContactHistoryView.Step {
    ContactHistoryView.Step(
      revision: 1, change: change, time: Timestamp(microseconds: 0),
      by: AuthorView(account: "alice", name: "Alice", device: "laptop"), synced: synced,
      fields: fields.map {
        ContactHistoryView.Difference(field: $0.0, entry: nil, before: $0.1, after: $0.2)
      })
  }

  private static let time = LocalTime.shown(Timestamp(microseconds: 0).description)

  @Test(arguments: [80, 200])
  func `a step has one heading, and below it each field with the noun of show`(limit: Int) {
    let step = Self.step(fields: [
      ("firstName", "Ann", "Anna"), ("phones", "home +1 555 010 0100", nil),
      ("nickname", nil, "Annie"), ("x-future", "1", "2"),
    ])
    #expect(
      step.lines(limit: limit) == [
        "\(Self.time)  updated by Alice on laptop", "  first     Ann → Anna",
        "  phone     deleted: home +1 555 010 0100", "  nickname  added: Annie",
        "  x-future  1 → 2",
      ])
  }

  @Test(arguments: [80, 200])
  func `long values are wrapped and whole`(limit: Int) {
    let note = (1...40).map { "word\($0)" }.joined(separator: " ")
    let lines = Self.step(fields: [("note", note, "short")]).lines(limit: limit)
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= limit })
    #expect(lines.count == (limit == 80 ? 5 : 3))
    let text = lines.dropFirst().map { $0.dropFirst(8) }.joined(separator: " ")
    #expect(text == note + " → short")
  }

  @Test func `the values of a new contact have no word, and an unsent step says so`() {
    let lines = Self.step("created", synced: false, fields: [("lastName", nil, "Quill")]).lines(
      limit: 80)
    #expect(
      lines == ["\(Self.time)  created by Alice on laptop, not sent yet", "  last  Quill"])
    #expect(Self.step("deleted").lines(limit: 80) == ["\(Self.time)  deleted by Alice on laptop"])
  }

  @Test func `an update without fields is a move`() {
    #expect(
      Self.step().lines(limit: 80) == ["\(Self.time)  moved to another group by Alice on laptop"])
  }
}
