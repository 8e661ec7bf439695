import Contacts
import Records
import Testing

@testable import ContactCards

@Suite("A2 UIDs of one file")
struct UIDRegisterTests {
  private func person(_ name: String, uid: String, _ further: String...) -> ImportedContact {
    let lines = ["BEGIN:VCARD", "FN:\(name)", "UID:\(uid)"] + further + ["END:VCARD", ""]
    return contact(lines.joined(separator: "\n"))
  }

  @Test func `the first card keeps its UID, another person's is imported without it`() {
    var register = UIDRegister()
    let first = person("Ada Quill", uid: "1")
    let other = person("Bram Ek", uid: "1")
    #expect(register.resolved(first) == first)
    let separate = register.resolved(other)
    #expect(separate.draft[.uid] == "" && separate.identity == other.contentIdentity)
    #expect(separate.recordName != first.recordName)
    #expect(separate.findings.map(\.outcome) == [.kept])
    #expect(separate.findings.map(\.property) == ["UID"])
    // The first one is still the owner of the UID.
    #expect(register.resolved(first) == first)
    #expect(register.resolved(other) == separate)
  }

  @Test func `the same person again keeps the UID, whatever else changed`() {
    var register = UIDRegister()
    _ = register.resolved(person("Ada Quill", uid: "1"))
    for again in [
      person("ADA quill", uid: "1"), person(" Ada Quill ", uid: "1", "TEL:2"),
      person("Ada Quill", uid: "2"),
    ] { #expect(register.resolved(again) == again) }
  }

  @Test func `the same person in another group is a copy, in the same group it is not`() {
    var register = UIDRegister()
    func copies(_ group: String) -> Bool {
      register.resolved(
        person("Ada Quill", uid: "1", "CATEGORIES;X-CONTACTS-GROUP=TRUE:\(group)")
      ).isCopyInAnotherGroup
    }
    #expect(
      ["Rowing", "Rowing", "Work", "", "Rowing", "Work"].map(copies) == [
        false, false, true, true, false, true,
      ])
  }

  @Test func `without a UID, and for groups, nothing is compared`() {
    var register = UIDRegister()
    for one in [
      person("Ada", uid: ""), person("Bo", uid: ""), person("Crew", uid: "1", "KIND:group"),
      person("Rowers", uid: "1", "KIND:group"), person("Ada", uid: "1"),
    ] { #expect(register.resolved(one) == one) }
  }
}
