import Contacts
import Records
import Testing

@testable import ContactCards

@Suite("A2: the group of a contact in a file")
struct GroupMarkTests {
  private static let titles = [
    "Rowing", "Müller, Meier & Co; \\n", "=1+1", "a ::: b", "李😀", "\"quoted\"",
    "X-CONTACTS-GROUP=TRUE:a",
    String(repeating: "long ", count: 50) + "end",
  ]

  private func person(categories: [String] = []) throws -> Contact {
    var made = try kept(contact(card("UID:u-1", "FN:Ada Quill", "N:Quill;Ada;;;")))
    made.categories = categories
    return made
  }

  private func read(_ bytes: [UInt8], chunkBytes: Int = 7) -> [ImportedContact] {
    var file = ContactFile()
    var contacts: [ImportedContact] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      contacts += file.feed(rest.prefix(chunkBytes))
      rest = rest.dropFirst(chunkBytes)
    }
    return contacts + file.finish()
  }

  private func file(_ contact: Contact, group: String, _ format: String) -> [UInt8] {
    var bytes: [UInt8] = []
    switch format {
    case "3.0", "4.0":
      let composer = CardComposer(version: CardVersion(rawValue: format) ?? .three)
      CardWriter.write(composer.card(of: contact, group: group) { _ in nil }, to: &bytes)
    case "jcard":
      let composed = CardComposer(version: .four).card(of: contact, group: group) { _ in nil }
      JCard.node(composed).write(to: &bytes)
    case "json": ContactNode.node(contact, group: group) { _ in nil }.write(to: &bytes)
    default:
      CSVWriter.writeHeader(to: &bytes)
      CSVWriter.write(contact, group: group, to: &bytes)
    }
    return bytes
  }

  @Test(arguments: ["3.0", "4.0", "jcard", "json", "csv"])
  func `every format carries the group apart from the categories`(format: String) throws {
    for categories in [[], ["Rowing", "Book club"]] {
      let ada = try person(categories: categories)
      for title in Self.titles {
        let found = read(file(ada, group: title, format))
        try #require(found.count == 1, "\(title)")
        #expect(found[0].groupTitle == title)
        #expect(found[0].draft.categories == categories, "\(title)")
        #expect(found[0].draft[.other] == [])
        #expect(found[0].findings == [])
      }
      #expect(read(file(ada, group: "", format)).map(\.groupTitle) == [""])
    }
  }

  @Test func `another program sees the group as a category of its own`() throws {
    let ada = try person(categories: ["Choir", "Boats"])
    let lines = String(decoding: file(ada, group: "Rowing, Leeds", "3.0"), as: UTF8.self)
      .split(separator: "\r\n").filter { $0.hasPrefix("CATEGORIES") }
    #expect(
      lines == ["CATEGORIES:Choir,Boats", "CATEGORIES;X-CONTACTS-GROUP=TRUE:Rowing\\, Leeds"])
  }

  @Test(arguments: ["3.0", "4.0"])
  func `a contact of the default group has no mark`(version: String) throws {
    for group in ["", " ", "\u{1}"] {
      let text = String(decoding: file(try person(), group: group, version), as: UTF8.self)
      #expect(!text.contains("CATEGORIES"))
    }
  }

  @Test func `the first mark is the group, further ones are categories`() {
    let read = contact(
      card(
        "FN:Ada", "CATEGORIES:Choir", "categories;x-contacts-group=true: Rowing ",
        "CATEGORIES;X-CONTACTS-GROUP=TRUE:Boats", "CATEGORIES;X-CONTACTS-GROUP=TRUE:Choir",
        "CATEGORIES;X-CONTACTS-GROUP=FALSE:Odd"))
    #expect(read.groupTitle == "Rowing")
    #expect(read.draft.categories == ["Choir", "Boats"])
    #expect(read.draft[.other].map { $0[.parameters] } == ["X-CONTACTS-GROUP=FALSE"])
  }

  @Test func `a mark without a title is reported, and a card with nothing else is empty`() {
    let read = contact(card("FN:Ada", "CATEGORIES;X-CONTACTS-GROUP=TRUE: "))
    #expect(read.groupTitle == "")
    #expect(read.findings.map(\.outcome) == [.lost])
    #expect(read.findings.map(\.line) == [4])
    let empty = contact(card("CATEGORIES;X-CONTACTS-GROUP=TRUE:Rowing"))
    #expect(empty.findings.map(\.outcome) == [.failed])
  }

  @Test func `a group card is in no group of ours`() {
    let crew = contact(
      card("FN:Crew", "KIND:group", "CATEGORIES;X-CONTACTS-GROUP=TRUE:Rowing", version: "4.0"))
    #expect(crew.isGroup)
    #expect(crew.groupTitle == "")
    #expect(crew.draft.categories == ["Rowing"])
  }

  @Test func `a property of another program cannot name the group in an export`() throws {
    let json = #"""
      {"firstName":"Ada","other":[{"name":"Categories","parameters":"X-CONTACTS-GROUP=TRUE","value":"Staff"}]}
      """#
    let ada = try kept(try #require(read(Array(json.utf8)).first))
    #expect(ada.other.count == 1)
    for version in [CardVersion.three, .four] {
      #expect(!written(ada, version).contains("Staff"))
    }
  }

  @Test func `the group is no part of what a contact is recognized by`() {
    let mark = "CATEGORIES;X-CONTACTS-GROUP=TRUE:Rowing"
    #expect(contact(card("FN:Ada", mark)).identity == contact(card("FN:Ada")).identity)
    #expect(
      contact(card("FN:Ada", "CATEGORIES:Rowing")).identity != contact(card("FN:Ada")).identity)
    func identities(_ text: String) -> Set<UInt128> { Set(read(Array(text.utf8)).map(\.identity)) }
    #expect(
      identities(#"[{"firstName":"Ada"},{"firstName":"Ada","groupTitle":"Rowing"}]"#).count == 1)
    #expect(identities("Name,Phone,Group\nAda,1,\nAda,1,Rowing\n").count == 1)
  }

  @Test func `the columns of Google and Outlook stay categories`() {
    for column in ["Labels", "Categories", "Group Membership"] {
      let found = read(Array("Name,\(column)\nAda,Rowing\n".utf8))
      #expect(found.map(\.groupTitle) == [""], "\(column)")
      #expect(found.map(\.draft.categories) == [["Rowing"]], "\(column)")
    }
    #expect(read(Array("Name,group\nAda, Rowing \n".utf8)).map(\.groupTitle) == ["Rowing"])
  }

  @Test func `a title that is no text is none`() {
    for value in ["null", "7", "[]", "{}", "true", "\"  \""] {
      let found = read(Array("{\"firstName\":\"Ada\",\"groupTitle\":\(value)}".utf8))
      #expect(found.map(\.groupTitle) == [value == "7" ? "7" : ""], "\(value)")
    }
  }
}
