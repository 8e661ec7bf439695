import Contacts
import Testing

@Suite("A2 parts of names")
struct NamePartsTests {
  private func parts(_ texts: [ContactText: String]) -> NameParts {
    NameParts { texts[$0] ?? "" }
  }

  @Test func `a composed name has all parts, and Chinese, Japanese and Korean names no blank`() {
    let all: [ContactText: String] = [
      .namePrefix: "Dr.", .firstName: "Jane", .middleName: "Q.", .lastName: "Roe",
      .nameSuffix: "Jr.",
    ]
    #expect(parts(all).composed == "Dr. Jane Q. Roe Jr.")
    #expect(parts(all).composed(in: .familyGiven) == "Dr. Roe Jane Q. Jr.")
    for (family, given, whole) in [
      ("田中", "太郎", "田中太郎"), ("김", "민준", "김민준"), ("佐々木", "ゆう", "佐々木ゆう"),
      ("Tanaka", "太郎", "太郎 Tanaka"), ("田中", "", "田中"),
    ] {
      #expect(parts([.firstName: given, .lastName: family]).composed == whole)
    }
    #expect(parts([:]).composed.isEmpty && parts([:]).isEmpty)
  }

  @Test func `an edit of a part rebuilds the display name, unless it sets that too`() {
    let nagy: [ContactText: String] = [
      .firstName: "Béla", .lastName: "Nagy", .displayName: "Nagy Béla", .company: "Acme",
    ]
    func name(after edit: ContactEdit) -> String? {
      edit.rebuildingName { nagy[$0] ?? "" }[.displayName]
    }
    #expect(name(after: ContactEdit(firstName: "Éva")) == "Nagy Éva")
    #expect(name(after: ContactEdit(firstName: "Béla", company: "Bell")) == nil)
    var both = ContactEdit(firstName: "Éva")
    both[.displayName] = "Aunt Éva"
    #expect(name(after: both) == "Aunt Éva")
    let uncle: [ContactText: String] = [.firstName: "Bob", .displayName: "Uncle"]
    let nameless = ContactEdit(firstName: "").rebuildingName { uncle[$0] ?? "" }
    #expect(nameless[.displayName] == "Uncle", "all that is left")
    let works = [ContactText.displayName: "Roe Works", .company: "Roe Works"]
    let renamed = ContactEdit(company: "Roe").rebuildingName { works[$0] ?? "" }
    #expect(renamed[.displayName] == "Roe")
  }

  @Test(arguments: [
    ("Nagy Béla", "Nagy Éva"), ("Nagy, Béla", "Nagy, Éva"), ("NagyBéla", "NagyÉva"),
    ("Béla Nagy", ""), ("Uncle", ""), ("", ""),
  ])
  func `a display name follows an edit of the parts in its own arrangement`(
    before: String, after: String
  ) {
    let old = parts([.firstName: "Béla", .lastName: "Nagy"])
    let new = parts([.firstName: "Éva", .lastName: "Nagy"])
    #expect(new.displayName(replacing: before, of: old) == after)
  }
}
