// Lists, searches and headings, asked as scripts ask them.

import ArgumentParser
import Foundation
import NIOHTTP1
import Testing

@testable import AgentDaemon

@Suite("A2, A3, C1, C10 list routes", .timeLimit(.minutes(5)))
struct ListRoutesTests {
  private func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  @Test func `headings tell where a page with their contacts begins`() async throws {
    try await RunningAgent.with { agent in
      let sections = try await agent.ask(.GET, "/v1/sections").list("sections")
      #expect(sections.map { $0["contacts"] as? Int ?? 0 }.reduce(0, +) == 10)
      for section in sections {
        let cursor = escaped(try #require(section["cursor"] as? String))
        let page = try await agent.ask(.GET, "/v1/contacts?limit=1&cursor=\(cursor)")
        let first = try #require(page.list("contacts").first)
        #expect(first["sectionKey"] as? String == section["label"] as? String)
        #expect(first["sortIndex"] as? Int == section["start"] as? Int)
      }
    }
  }

  @Test func `a list may be asked for in another language`() async throws {
    try await RunningAgent.with { agent in
      for last in ["Åberg", "Zorn"] {
        #expect(
          try await agent.ask(.POST, "/v1/contacts", #"{"lastName":"\#(last)"}"#).status == 201)
      }
      let own = try await agent.ask(.GET, "/v1/contacts")
      #expect(own.json["language"] as? String == "und")
      #expect(own.list("contacts").first?["name"] as? String == "Åberg")
      let swedish = try await agent.ask(.GET, "/v1/contacts?locale=sv_SE.UTF-8")
      #expect(swedish.json["language"] as? String == "sv-SE")
      #expect(
        swedish.list("contacts").suffix(2).map { $0["name"] as? String } == ["Zorn", "Åberg"])
      #expect(swedish.list("contacts").last?["sectionKey"] as? String == "Å")
    }
  }

  private func settings(_ arguments: [String]) throws -> AgentSettings {
    try AgentSettings(try AgentFlags.parse(arguments + ["--state", "/nowhere", "--broker", "/b"]))
  }

  @Test func `the agent's --locale takes precedence over the language that a request asks for`()
    async throws
  {
    let settings = try settings(["--locale", "sv_SE"])
    #expect(settings.isLanguageGiven)
    try await RunningAgent.with(given: settings) { agent in
      for last in ["Åberg", "Zorn"] {
        #expect(
          try await agent.ask(.POST, "/v1/contacts", #"{"lastName":"\#(last)"}"#).status == 201)
      }
      for query in [
        "", "?locale=en_US.UTF-8", "?locale=C", "?locale=de&limit=1000", "?q=aberg&locale=en",
      ] {
        let list = try await agent.ask(.GET, "/v1/contacts\(query)")
        #expect(list.json["language"] as? String == "sv-SE", "\(query)")
        #expect(list.list("contacts").last?["name"] as? String == "Åberg", "\(query)")
      }
    }
  }

  @Test func `the language of the agent's environment is no setting`() throws {
    #expect(try !settings([]).isLanguageGiven)
  }

  @Test func `a cursor of another list is refused with a sentence`() async throws {
    try await RunningAgent.with { agent in
      let page = try await agent.ask(.GET, "/v1/contacts?limit=2")
      let cursor = escaped(try #require(page.json["next"] as? String))
      let answer = try await agent.ask(.GET, "/v1/contacts?sort=first&limit=2&cursor=\(cursor)")
      #expect(answer.status == 400)
      #expect(answer.code == "invalidArguments")
    }
  }

  @Test func `a contact by itself has its name and letter, and no place`() async throws {
    try await RunningAgent.with { agent in
      let made = try await agent.ask(.POST, "/v1/contacts", #"{"firstName":"Иван"}"#)
      #expect(made.json["name"] as? String == "Иван")
      #expect(made.json["sectionKey"] as? String == "И")
      #expect(made.json["sortIndex"] is NSNull)
      let found = try await agent.ask(.GET, "/v1/contacts?q=ivan").list("contacts")
      #expect(found.map { $0["name"] as? String } == ["Иван"])
    }
  }

  @Test(arguments: [
    "", "sort=first", "sort=modified", "q=a", "locale=sv", "limit=3", "sort=company&q=example",
  ])
  func `a list of selected properties has these of each contact, and the id`(
    query: String
  ) async throws {
    try await RunningAgent.with { agent in
      let address = #"{"label":"home","city":"Oslo","street1":"","street2":""}"#
      let contact =
        #"{"firstName":"Nova","note":"new","emails":[{"value":"a@example.com"}],"addresses":[\#(address)]}"#
      #expect(try await agent.ask(.POST, "/v1/contacts", contact).status == 201)
      let whole = try await agent.ask(.GET, "/v1/contacts?\(query)")
      for names in [
        "id", "name,phones,emails", "note,addresses,sortIndex,modified", "photo,version",
      ] {
        let page = try await agent.ask(.GET, "/v1/contacts?\(query)&properties=\(names)")
        let keys = Set(names.split(separator: ",").map(String.init) + ["id"])
        let expected = whole.list("contacts").map { contact in
          contact.filter { keys.contains($0.key) } as NSDictionary
        }
        #expect(!expected.isEmpty)
        #expect(page.list("contacts").map { $0 as NSDictionary } == expected, "\(names)")
        #expect(page.json["next"] as? NSObject == whole.json["next"] as? NSObject)
        #expect(page.json["language"] as? String == whole.json["language"] as? String)
      }
    }
  }

  @Test(arguments: ["fullName": "fullName", "name,,id": "", "": "", "name%2C%20id": " id"])
  func `a list of a property that contacts do not have is refused with a sentence`(
    names: String, shown: String
  ) async throws {
    try await RunningAgent.with { agent in
      let answer = try await agent.ask(.GET, "/v1/contacts?properties=\(names)")
      #expect(answer.status == 400)
      #expect(answer.code == "invalidArguments")
      let error = answer.json["error"] as? [String: Any]
      #expect(error?["message"] as? String == "A contact has no property “\(shown)”.")
      #expect(error?["field"] as? String == "properties")
    }
  }

  @Test(arguments: ["last", "first", "company", "modified"])
  func `pages of any size join to the whole list, also while contacts go`(
    sort: String
  ) async throws {
    try await RunningAgent.with { agent in
      for (first, last) in [("Amy", "Zorn"), ("Zoe", "Ames"), ("Amy", "Ames"), ("Bo", "")] {
        _ = try await agent.ask(
          .POST, "/v1/contacts", #"{"firstName":"\#(first)","lastName":"\#(last)"}"#)
      }
      let path = "/v1/contacts?sort=\(sort)"
      let ids = { (answer: RunningAgent.Answer) in
        answer.list("contacts").compactMap { $0["id"] as? String }
      }
      let whole = ids(try await agent.ask(.GET, path))
      #expect(whole.count == 14 && Set(whole).count == 14)
      for size in [1, 2, 3, 5, 13, 14, 15] {
        var joined: [String] = []
        var cursor: String?
        repeat {
          let next = cursor.map { "&cursor=\(escaped($0))" } ?? ""
          let page = try await agent.ask(.GET, "\(path)&limit=\(size)\(next)")
          #expect(ids(page).count <= size)
          joined += ids(page)
          cursor = page.json["next"] as? String
          #expect(page.headers.first(name: "next-cursor") == cursor)
        } while cursor != nil
        #expect(joined == whole, "pages of \(size)")
      }
      // The contact at which a page ended is deleted before the next is read.
      let page = try await agent.ask(.GET, "\(path)&limit=4")
      let cursor = escaped(try #require(page.json["next"] as? String))
      let gone = try await agent.ask(.DELETE, "/v1/contacts/\(whole[3])?acknowledged=true")
      #expect(gone.status < 300)
      let rest = try await agent.ask(.GET, "\(path)&cursor=\(cursor)")
      #expect(ids(rest) == Array(whole.dropFirst(4)))
    }
  }
}
