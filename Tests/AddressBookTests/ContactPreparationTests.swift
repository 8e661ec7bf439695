// What was prepared for lists and searches is used only where it is what the transaction would make.

import AddressBook
import AgentStore
import Collation
import DeviceRoom
import DeviceStore
import Records
import Testing

@Suite("Contacts that are prepared before they are stored")
struct ContactPreparationTests {
  private func replica(_ language: String) throws -> Replica {
    try Replica(
      database: .inMemory(),
      settings: DeviceSettings(container: "contacts", accountName: "ada", deviceName: "laptop"),
      bundled: [],
      language: Language(language), generator: SystemRandomNumberGenerator(), now: Room.now)
  }

  /// Saves contacts with these last names, after contacts with the names of `announced` were announced.
  private func save(
    _ names: [String], to replica: Replica, announced: [String],
    by preparation: ContactPreparation
  ) throws {
    let fields = { (name: String) -> Fields in ["lastName": .string(name)] }
    let listed = announced.enumerated().map { index, name in
      preparation.contact(named: RecordName(stored: "c\(index)"), fields: fields(name))
    }
    replica.projection(AddressBook.self)?.expect(ListedContacts(listed))
    let edits = names.enumerated().map { index, name in
      LocalEdit.save(TestDevice.contact("c\(index)", fields(name)))
    }
    _ = try replica.edit(edits, now: Room.now)
  }

  private func list(_ replica: Replica, text: String? = nil) throws -> [String] {
    try replica.reader.contacts(ContactQuery(text: text)).rows.map(\.displayName)
  }

  @Test(arguments: ["en_US", "sv_SE"])
  func `lists are in the device's language, whatever language was prepared`(
    prepared: String
  ) throws {
    let names = ["Zed", "Åberg", "Anand"]
    for (language, order) in [
      ("en_US", ["Åberg", "Anand", "Zed"]), ("sv_SE", ["Anand", "Zed", "Åberg"]),
    ] {
      let replica = try replica(language)
      try save(
        names, to: replica, announced: names,
        by: ContactPreparation(language: Language(prepared)))
      #expect(try list(replica) == order)
      #expect(try list(replica, text: "aberg") == ["Åberg"])
    }
  }

  @Test func `a device's own preparation is for its language`() throws {
    let replica = try replica("sv_SE")
    let names = ["Zed", "Åberg", "Anand"]
    try save(
      names, to: replica, announced: names, by: replica.reader.contactPreparation())
    #expect(try list(replica) == ["Anand", "Zed", "Åberg"])
  }

  @Test func `a contact that is stored with other fields than announced shows the stored ones`()
    throws
  {
    let replica = try replica("en_US")
    try save(
      ["Adams", "Brown"], to: replica, announced: ["Zimmer", "Brown"],
      by: ContactPreparation(language: Language("en_US")))
    #expect(try list(replica) == ["Adams", "Brown"])
    #expect(try list(replica, text: "zimmer").isEmpty)
    #expect(try list(replica, text: "adams") == ["Adams"])
  }
}
