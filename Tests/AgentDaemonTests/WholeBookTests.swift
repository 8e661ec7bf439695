// A whole address book out of one agent and into another one's empty account. A program compares all contents.

import AgentAPI
import ContactCards
import Foundation
import NIOCore
import NIOHTTP1
import Records
import TestTiers
import Testing

@testable import AgentDaemon

@Suite("A2: a whole address book", .timeLimit(.minutes(5)))
struct WholeBookTests {
  private static let contactCount = 1_000

  @Test(.onlyInCheck)
  func `1,000 contacts with photos, groups and dates come back without a difference`()
    async throws
  {
    try await RunningAgent.with { agent in
      try await Self.fill(agent, seed: 9)
      let book = try await Self.contents(of: agent)
      #expect(book.count == Self.contactCount)
      #expect(Set(book.map(\.group)) == Set(GeneratedBook.groups))
      #expect(book.count { $0.photo != nil } > 300)
      var changed = book
      changed[500].note += "."
      #expect(Self.differences(changed, book).count == 2)
      for format in ["vcard3", "vcard4", "jcard", "json"] {
        let copy = try await Self.copy(agent, format)
        #expect(Self.differences(copy, book) == [], "\(format)")
      }
      let table = try await Self.copy(agent, "csv")
      #expect(Self.differences(table, book.map(Self.tabled)) == [], "csv")
    }
  }

  /// Adds the generated contacts, their groups and photos through the API.
  private static func fill(_ agent: RunningAgent, seed: UInt64) async throws {
    try await empty(agent)
    for title in GeneratedBook.groups.dropFirst() {
      let form = String(
        decoding: OrderedJSON.certainBytes(of: GroupForm(title: title)), as: UTF8.self)
      #expect(try await agent.ask(.POST, "/v1/groups", form).status == 201)
    }
    var book = GeneratedBook(seed: seed)
    for number in 0..<contactCount {
      let json = String(decoding: OrderedJSON.certainBytes(of: book.contact(number)), as: UTF8.self)
      let added = try await agent.ask(
        .POST, "/v1/contacts", json.replacing(#""id":"","#, with: ""))
      try #require(added.status == 201, "\(added.json) \(json)")
      guard let photo = book.photo(number), let id = added.json["id"] as? String else { continue }
      let set = try await PhotoRoutesTests().put(
        photo, on: agent, path: "/v1/contacts/\(id)/photo")
      try #require(set.status == 200)
    }
  }

  /// Deletes the samples.
  private static func empty(_ agent: RunningAgent) async throws {
    for contact in try await agent.ask(.GET, "/v1/contacts").list("contacts") {
      let id = contact["id"] as? String ?? ""
      _ = try await agent.ask(.DELETE, "/v1/contacts/\(id)?acknowledged=true")
    }
  }

  /// Exports the contacts of `agent`, imports them into an empty account, and returns the contents there.
  private static func copy(_ agent: RunningAgent, _ format: String) async throws -> [ContactItem] {
    let file = try await TransferTests.exported(agent, "format=\(format)")
    var copy: [ContactItem] = []
    try await RunningAgent.with { other in
      try await empty(other)
      let lines = try await TransferTests.imported(file, into: other)
      #expect(TransferTests.summary(lines)["added"] == contactCount, "\(format)")
      #expect(
        ImportedGroupsTests.made(lines).map { Set($0) } == Set(GeneratedBook.groups.dropFirst()))
      copy = try await contents(of: other)
    }
    return copy
  }

  // MARK: Comparison

  /// All contacts of an agent, as far as people and other programs gave them: without ids, times and versions, and
  /// with the titles of the groups.
  private static func contents(of agent: RunningAgent) async throws -> [ContactItem] {
    let groups = try await agent.ask(.GET, "/v1/groups").list("groups")
    let titles = Dictionary(
      uniqueKeysWithValues: groups.map { ($0["id"] as? String ?? "", $0["title"] as? String ?? "") }
    )
    let response = try await agent.open(.GET, "/v1/contacts?limit=\(contactCount)")
    let bytes = try await response.body.collect(upTo: 64 << 20)
    let view = try JSONDecoder().decode(ContactsView.self, from: Data(bytes.readableBytesView))
    return view.contacts.map { content(of: $0, titles) }
  }

  private static func content(of item: ContactItem, _ titles: [String: String]) -> ContactItem {
    var content = item
    content.id = ""
    content.group = titles[item.group] ?? "no group \(item.group)"
    content.sortIndex = nil
    content.created = Timestamp(microseconds: 0)
    content.modified = Timestamp(microseconds: 0)
    content.modifiedBy = AuthorView(account: "", device: "")
    content.version = 0
    // A contact without a UID leaves with the name of its record in its place.
    if !item.uid.hasPrefix("urn:") { content.uid = "" }
    for list in [
      \ContactItem.phones, \.emails, \.urls, \.instantMessages, \.dates, \.related,
    ] {
      for index in content[keyPath: list].indices { content[keyPath: list][index].id = "" }
    }
    for index in content.addresses.indices { content.addresses[index].id = "" }
    for index in content.other.indices { content.other[index].id = "" }
    return content
  }

  /// What a table can carry: texts, labels, values, the parts of addresses, and which entry is the preferred one.
  private static func tabled(_ item: ContactItem) -> ContactItem {
    var table = item
    table.photo = nil
    table.other = []
    for list in [
      \ContactItem.phones, \.emails, \.urls, \.instantMessages, \.dates, \.related,
    ] {
      table[keyPath: list] = item[keyPath: list].enumerated().map { index, entry in
        LabeledItem(
          id: "", label: entry.label, value: entry.value,
          preference: index == 0 && entry.preference == 1 ? 1 : nil)
      }
    }
    for index in item.addresses.indices { table.addresses[index].countryCode = "" }
    return table
  }

  /// The contacts that only one of the two has, at most four, as JSON.
  private static func differences(_ one: [ContactItem], _ other: [ContactItem]) -> [String] {
    Set(one).symmetricDifference(other).sorted { $0.sortName < $1.sortName }.prefix(4).map {
      String(decoding: OrderedJSON.certainBytes(of: $0), as: UTF8.self)
    } + (one.count == other.count ? [] : ["\(one.count) and \(other.count) contacts"])
  }
}
