// Settings and profiles as a client meets them: over HTTP, at a running agent.

import NIOHTTP1
import Testing

@testable import AgentDaemon

@Suite("V, C12 profiles and settings over HTTP", .timeLimit(.minutes(5)))
struct SettingRoutesTests {
  static let odd = #"""
    {"firstName": "A", "phones": [{"label": "home", "value": "12"}],
     "addresses": [{"street1": "1 b", "state": "texas"}]}
    """#

  @Test func `a refusal names every wrong field, its value and one sentence`() async throws {
    try await RunningAgent.with { agent in
      let answer = try await agent.ask(.POST, "/v1/contacts?profile=us-form", Self.odd)
      #expect(answer.status == 422)
      #expect(answer.code == "constraintViolation")
      let error = answer.json["error"] as? [String: Any]
      let problems = error?["problems"] as? [[String: Any]] ?? []
      #expect(problems.map { $0["value"] as? String } == ["A", "12", "1 b"])
      #expect(problems.first?["field"] as? String == "firstName")
      let sentences = problems.compactMap { $0["message"] as? String }
      #expect(error?["message"] as? String == sentences.joined(separator: "\n"))
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 10)
    }
  }

  @Test func `the profile of the device holds where a request names none`() async throws {
    try await RunningAgent.with { agent in
      #expect(try await agent.ask(.POST, "/v1/contacts", Self.odd).status == 201)
      let chosen = try await agent.ask(
        .PUT, "/v1/settings/profile", #"{"value": "us-form"}"#)
      #expect(chosen.json["value"] as? String == "us-form")
      #expect(chosen.json["source"] as? String == "chosen")
      #expect(try await agent.ask(.POST, "/v1/contacts", Self.odd).status == 422)
      #expect(
        try await agent.ask(.POST, "/v1/contacts?profile=standard", Self.odd).status == 201)
      let changed = try await agent.ask(
        .PATCH, "/v1/contacts/bundled-1-07", #"{"company": "Acme"}"#)
      #expect(changed.status == 422, "what is there already is looked at too")
      #expect(
        try await agent.ask(.DELETE, "/v1/settings/profile").json["source"] as? String
          == "default")
      #expect(try await agent.ask(.POST, "/v1/contacts", Self.odd).status == 201)
    }
  }

  @Test func `a profile there is not is refused`() async throws {
    try await RunningAgent.with { agent in
      let answer = try await agent.ask(.POST, "/v1/contacts?profile=strict", Self.odd)
      #expect(answer.code == "invalidArguments")
    }
  }

  @Test func `V5 a typed state is kept by its letters`() async throws {
    try await RunningAgent.with { agent in
      let made = try await agent.ask(.POST, "/v1/contacts", Self.odd)
      #expect(made.list("addresses").first?["state"] as? String == "TX")
    }
  }

  @Test func `the family name leads in names that are composed, where the device says so`()
    async throws
  {
    try await RunningAgent.with { agent in
      for body in [
        #"{"firstName": "Béla", "lastName": "Zzagy", "namePrefix": "Dr."}"#,
        #"{"firstName": "Jane", "lastName": "Zzroe", "displayName": "Jane Zzroe (school)"}"#,
      ] {
        #expect(try await agent.ask(.POST, "/v1/contacts", body).status == 201)
      }
      let list = "/v1/contacts?q=zz&properties=name"
      let before = try await agent.ask(.GET, list).list("contacts")
      #expect(before.map { $0["name"] as? String } == ["Dr. Béla Zzagy", "Jane Zzroe (school)"])
      let chosen = try await agent.ask(
        .PUT, "/v1/settings/name-order", #"{"value":"family-given"}"#)
      #expect(chosen.status == 200)
      let after = try await agent.ask(.GET, list).list("contacts")
      #expect(after.map { $0["name"] as? String } == ["Dr. Zzagy Béla", "Jane Zzroe (school)"])
      let id = try #require(after.first?["id"] as? String)
      #expect(
        try await agent.ask(.GET, "/v1/contacts/\(id)").json["name"] as? String == "Dr. Zzagy Béla")
      let wrong = try await agent.ask(.PUT, "/v1/settings/name-order", #"{"value":"family"}"#)
      #expect(wrong.status == 400)
    }
  }

  @Test func `A3 what leads the list can be chosen for the device`() async throws {
    try await RunningAgent.with { agent in
      let before = try await agent.ask(.GET, "/v1/contacts?limit=2").list("contacts")
      #expect(before.first?["id"] as? String == RunningAgent.id("bundled-1-06"))
      #expect(try await agent.ask(.PUT, "/v1/settings/sort", #"{"value":"first"}"#).status == 200)
      let after = try await agent.ask(.GET, "/v1/contacts?limit=2").list("contacts")
      #expect(after.first?["id"] as? String == RunningAgent.id("bundled-1-01"))
      let asked = try await agent.ask(.GET, "/v1/contacts?limit=2&sort=last").list("contacts")
      #expect(asked.first?["id"] as? String == RunningAgent.id("bundled-1-06"))
    }
  }

  @Test(
    arguments: [
      ("nothing", #"{"value":"x"}"#, "unknownItem"),
      ("profile", #"{"value":"x"}"#, "invalidArguments"),
      ("profile", "{}", "invalidArguments"),
    ])
  func `what cannot be set is refused`(key: String, body: String, code: String) async throws {
    try await RunningAgent.with { agent in
      let before = try await agent.ask(.GET, "/v1/settings").list("settings")
      let answer = try await agent.ask(.PUT, "/v1/settings/\(key)", body)
      #expect(answer.code == code)
      let after = try await agent.ask(.GET, "/v1/settings").list("settings")
      #expect(after.map { $0["value"] as? String } == before.map { $0["value"] as? String })
      #expect(!after.isEmpty)
    }
  }
}
