import AgentAPI
import Records
import Testing

@testable import ControlCommands

@Suite("A2 a conflict in an editor")
struct ConflictEditorTests {
  private func editor(_ mine: String) throws -> ConflictEditor {
    let address = try AgentAddress(
      agent: "/nowhere", device: nil, environment: [:], userID: 0)
    return ConflictEditor(
      session: CommandSession(agent: AgentClient(address: address), printer: Printer(flags: [])),
      conflict: ConflictItem(
        id: "c", contact: "a", name: "Ann", kind: "values", field: "note", mine: mine,
        mineBy: AuthorView(account: "ada", device: "laptop"), theirs: "#2 of the phone",
        theirsBy: AuthorView(account: "ada", device: "phone"), shown: "mine",
        found: Timestamp(microseconds: 0)))
  }

  @Test(arguments: ["plain", "#1 fan", "one\n#2\n# three", "a\n\nb"])
  func `the explanations are no part of the value, and a line with their sign is`(value: String)
    throws
  {
    let editor = try editor(value)
    #expect(editor.value(in: editor.template) == value)
    #expect(editor.value(in: editor.template + "\n# added\n") == value + "\n\n# added")
    #expect(editor.value(in: "\(value)\n") == value)
  }
}
