import Contacts
import PredicateWorld
import Testing

@testable import ContactCards

@Suite("A2, F1 full names and their parts")
struct SplitNameTests {
  private func split(_ name: String, _ change: (inout ContactDraft) -> Void = { _ in }) -> [String]
  {
    var draft = ContactDraft()
    draft[.displayName] = name
    change(&draft)
    draft.splitDisplayName()
    return [draft[.firstName], draft[.lastName]]
  }

  @Test func `the last word is the last name, or what precedes a comma`() {
    let words = ["Ada", "de", "Quill", "李", "e\u{301}va", "O'Hara"]
    for seed in 1...100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let name = (0...random.below(4)).map { _ in random.one(of: words) }
      let blank = random.one(of: [" ", "  ", "\t", "\u{A0}"])
      let expected =
        name.count == 1
        ? [name[0], ""] : [name.dropLast().joined(separator: " "), name[name.count - 1]]
      #expect(split(name.joined(separator: blank)) == expected, "\(name)")
      let last = random.one(of: words)
      let turned = last + "," + blank + name.joined(separator: " ")
      #expect(split(turned) == [name.joined(separator: " "), last], "\(turned)")
    }
    #expect(split("Bell, Amy, Jr.") == ["Amy, Jr.", "Bell"])
    #expect(split("Bell,") == ["", "Bell"])
    #expect(split("") == ["", ""])
  }

  @Test func `a name with parts, a company's own and a fallback stay whole`() {
    for part in [ContactText.firstName, .middleName, .lastName, .namePrefix, .nameSuffix] {
      let parts = split("Ada Quill") { $0[part] = "X" }
      #expect(parts == [part == .firstName ? "X" : "", part == .lastName ? "X" : ""], "\(part)")
    }
    #expect(split("Quill Bindery") { $0[.company] = "Quill Bindery" } == ["", ""])
    #expect(split("Ada Quill") { $0[.company] = "Bindery" } == ["Ada", "Quill"])
    #expect(split("Addie Q") { $0[.nickname] = "Addie Q" } == ["", ""])
    #expect(split("Addie Q") { $0[.nickname] = "Other" } == ["Addie", "Q"])
    #expect(split("a b@c") { $0[.emails] = [.init(value: "a b@c")] } == ["", ""])
    #expect(split("1 2") { $0[.phones] = [.init(value: "1 2")] } == ["", ""])
  }

  @Test func `a full name made of the parts in their order is dropped, another stays`() {
    var draft = ContactDraft()
    for (part, text) in [
      (ContactText.namePrefix, "Dr."), (.firstName, "Ada"), (.middleName, "Mary"),
      (.lastName, "Quill"), (.nameSuffix, "Jr."),
    ] { draft[part] = text }
    #expect(draft.hasNameParts && draft.formattedName == "Dr. Ada Mary Quill Jr.")
    for (name, isKept) in [("Dr. Ada Mary Quill Jr.", false), ("Ada Quill", true), ("", false)] {
      var one = draft
      one[.displayName] = name
      one.dropDisplayNameOfParts()
      #expect(one[.displayName] == (isKept ? name : ""))
    }
  }
}
