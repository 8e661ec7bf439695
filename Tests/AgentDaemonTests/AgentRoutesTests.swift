// The routes, asked as scripts ask them.

import DeviceDriver
import Foundation
import NIOCore
import NIOHTTP1
import Processes
import Testing

@testable import AgentDaemon

@Suite("C1, C2, C4, C7, C9, C10 agent API", .timeLimit(.minutes(5)))
struct AgentRoutesTests {
  @Test func `a new device lists ten contacts in order, page by page`() async throws {
    try await RunningAgent.with { agent in
      let whole = try await agent.ask(.GET, "/v1/contacts").list("contacts")
      #expect(whole.count == 10)
      let first = try await agent.ask(.GET, "/v1/contacts?limit=6")
      let cursor = try #require(first.json["next"] as? String)
      #expect(first.headers.first(name: "next-cursor") == cursor)
      let escaped = cursor.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let second = try await agent.ask(.GET, "/v1/contacts?limit=6&cursor=\(escaped)")
      let ids = (first.list("contacts") + second.list("contacts")).map { $0["id"] as? String }
      #expect(ids == whole.map { $0["id"] as? String })
      #expect(second.json["next"] is NSNull)
      #expect(whole.map { $0["sortIndex"] as? Int } == Array(0..<10))
    }
  }

  @Test func `callers beyond the limit are turned away and hurt nobody`() async throws {
    try await RunningAgent.with { agent in
      var callers: [UnixSocket] = []
      for _ in 0..<APIServer.connectionsMax + 20 { callers.append(try await agent.connect()) }
      let turnedAway = try await Patience.wait(for: "callers to be turned away") {
        let gone = callers.filter { $0.receiveSome() == nil }
        return gone.count >= 20 ? gone.count : nil
      }
      #expect(turnedAway == 20)
      callers = []
      try await Patience.wait(until: "the agent to take new ones") {
        (try? await agent.ask(.GET, "/v1/status").status) == 200
      }
    }
  }

  @Test func `an agent that is stopped while callers knock does not fall`() async throws {
    for _ in 0..<20 {
      var callers: [UnixSocket] = []
      try await RunningAgent.with { agent in
        for _ in 0..<30 { callers.append(try await agent.connect()) }
      }
      #expect(callers.count == 30)
    }
  }

  @Test func `a contact is made, shown, changed and deleted`() async throws {
    try await RunningAgent.with { agent in
      let made = try await agent.ask(
        .POST, "/v1/contacts", #"{"firstName":"Amy","phones":[{"label":"home","value":"1"}]}"#)
      #expect(made.status == 201)
      let id = try #require(made.json["id"] as? String)
      let entry = try #require(made.list("phones").first?["id"] as? String)
      let changed = try await agent.ask(
        .PATCH, "/v1/contacts/\(id)",
        #"{"lastName":"Bell","phones":[{"id":"\#(entry)","label":"work"},{"value":"2"}]}"#)
      #expect(changed.list("phones").map { $0["label"] as? String } == ["work", ""])
      #expect(changed.json["sortName"] as? String == "Bell Amy")
      let put = try await agent.ask(.PUT, "/v1/contacts/\(id)", #"{"company":"Acme"}"#)
      #expect(put.json["firstName"] as? String == "")
      #expect(put.list("phones").isEmpty)
      let shown = try await agent.ask(.GET, "/v1/contacts/\(id)")
      #expect(shown.json["company"] as? String == "Acme")
      #expect(try await agent.ask(.DELETE, "/v1/contacts/\(id)").status == 204)
      #expect(try await agent.ask(.GET, "/v1/contacts/\(id)").code == "unknownItem")
      #expect(try await agent.ask(.DELETE, "/v1/contacts/\(id)").status == 404)
    }
  }

  @Test func `every write of contacts and groups says how it is undone`() async throws {
    try await RunningAgent.with { agent in
      func undo(_ answer: RunningAgent.Answer) async throws {
        let number = try #require(answer.headers.first(name: "undo-action"))
        let undone = try await agent.ask(.POST, "/v1/undo", #"{"action":\#(number)}"#)
        #expect((undone.json["undone"] as? [String: Any])?["id"] as? Int == Int(number))
        let again = try #require(undone.headers.first(name: "undo-action"))
        #expect(try await agent.ask(.POST, "/v1/undo", #"{"action":\#(again)}"#).status == 200)
      }
      let made = try await agent.ask(.POST, "/v1/contacts", #"{"firstName":"Amy"}"#)
      try await undo(made)
      let path = "/v1/contacts/\(try #require(made.json["id"] as? String))"
      try await undo(try await agent.ask(.PATCH, path, #"{"lastName":"Bell"}"#))
      try await undo(try await agent.ask(.PUT, path, #"{"firstName":"Ann"}"#))
      try await undo(try await agent.ask(.POST, "/v1/groups", #"{"title":"Friends"}"#))
      try await undo(try await agent.ask(.PATCH, "/v1/groups/Friends", #"{"title":"Pals"}"#))
      try await undo(try await agent.ask(.PATCH, path, #"{"group":"Pals"}"#))
      let same = try await agent.ask(.PATCH, path, #"{"firstName":"Ann"}"#)
      #expect(same.headers.first(name: "undo-action") == nil)
    }
  }

  @Test func `a contact of a list is changed with the version that the list says`() async throws {
    try await RunningAgent.with { agent in
      let item = try #require(try await agent.ask(.GET, "/v1/contacts").list("contacts").first)
      let version = try #require(item["version"] as? Int)
      let path = "/v1/contacts/\(try #require(item["id"] as? String))"
      let alone = try await agent.ask(.GET, path)
      #expect(alone.json["version"] as? Int == version)
      #expect(alone.headers.first(name: "etag") == "\"\(version)\"")
      let headers = ["If-Match": "\"\(version)\""]
      let first = try await agent.ask(.PATCH, path, #"{"note":"x"}"#, headers: headers)
      #expect(first.status == 200)
      #expect(
        try await agent.ask(.PATCH, path, #"{"note":"y"}"#, headers: headers).status == 412)
    }
  }

  @Test func `a contact alone stands where the asked or chosen order has it`() async throws {
    try await RunningAgent.with { agent in
      let path = "/v1/contacts/bundled-1-01"
      func key(_ query: String) async throws -> String? {
        try await agent.ask(.GET, path + query).json["sectionKey"] as? String
      }
      #expect(try await key("") == "Q")
      #expect(try await key("?sort=first") == "A")
      #expect(try await agent.ask(.GET, path + "?sort=age").code == "invalidArguments")
      _ = try await agent.ask(.PUT, "/v1/settings/sort", #"{"value":"first"}"#)
      #expect(try await key("") == "A")
      #expect(try await key("?sort=last") == "Q")
      let edited = try await agent.ask(.PATCH, path, #"{"note":"x"}"#)
      #expect(edited.json["sectionKey"] as? String == "A")
      #expect(edited.json["sortName"] as? String == "Ada Quill Quill & Sons Bindery")
    }
  }

  @Test func `a device has the name that the user set, until the setting is reset`() async throws {
    try await RunningAgent.with { agent in
      func name(_ answer: RunningAgent.Answer) -> String? {
        (answer.json["device"] as? [String: Any])?["name"] as? String
      }
      let chosen = try await agent.ask(.PATCH, "/v1/whoami", #"{"device":{"name":" Kitchen "}}"#)
      #expect(name(chosen) == "Kitchen")
      #expect(name(try await agent.ask(.GET, "/v1/whoami")) == "Kitchen")
      #expect(try await agent.ask(.GET, "/v1/status").json["device"] as? String == "Kitchen")
      for wrong in [String(repeating: "x", count: 256), #"a\u0007b"#] {
        let answer = try await agent.ask(.PATCH, "/v1/whoami", #"{"device":{"name":"\#(wrong)"}}"#)
        #expect(answer.status == 400 || answer.status == 413)
      }
      #expect(
        name(try await agent.ask(.PATCH, "/v1/whoami", #"{"device":{"name":""}}"#)) == "laptop")
    }
  }

  @Test func `an edit of what was changed meanwhile is refused if it asks to be`() async throws {
    try await RunningAgent.with { agent in
      let path = "/v1/contacts/bundled-1-01"
      let tag = try #require(try await agent.ask(.GET, path).headers.first(name: "etag"))
      let body = #"{"company":"New"}"#
      let first = try await agent.ask(.PATCH, path, body, headers: ["If-Match": tag])
      #expect(first.status == 200)
      #expect(first.headers.first(name: "etag") != tag)
      let second = try await agent.ask(.PATCH, path, body, headers: ["If-Match": tag])
      #expect(second.status == 412)
      #expect(second.code == "serverRecordChanged")
      #expect(try await agent.ask(.PATCH, path, body, headers: ["If-Match": "*"]).status == 200)
    }
  }

  @Test func `what is wrong is refused with its field, and nothing is saved`() async throws {
    try await RunningAgent.with { agent in
      let bad = try await agent.ask(.POST, "/v1/contacts", #"{"emails":[{"value":"nobody"}]}"#)
      #expect(bad.status == 422)
      #expect(bad.code == "constraintViolation")
      #expect(try await agent.ask(.POST, "/v1/contacts", #"{"fristName":"A"}"#).status == 400)
      #expect(try await agent.ask(.POST, "/v1/contacts", "{").code == "invalidArguments")
      #expect(try await agent.ask(.GET, "/v1/contacts?limit=0").status == 400)
      #expect(try await agent.ask(.GET, "/v1/contacts?sort=size").status == 400)
      #expect(try await agent.ask(.GET, "/v1/contacts?cursor=zzz").status == 400)
      #expect(try await agent.ask(.GET, "/v1/nothing").code == "unknownItem")
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 10)
    }
  }

  @Test func `a body beyond the limit is refused`() async throws {
    try await RunningAgent.with { agent in
      let name = String(repeating: "a", count: AgentRoutes.bodyBytesMax)
      let answer = try await agent.ask(.POST, "/v1/contacts", #"{"firstName":"\#(name)"}"#)
      #expect(answer.code == "limitExceeded")
    }
  }

  @Test func `contacts are found by words and by phones in any form`() async throws {
    try await RunningAgent.with { agent in
      for query in ["quill", "QUILL%20ada", "5550100101", "elodie"] {
        let found = try await agent.ask(.GET, "/v1/contacts?q=\(query)").list("contacts")
        #expect(found.count == 1, "\(query)")
      }
      #expect(try await agent.ask(.GET, "/v1/contacts?q=nobody").list("contacts").isEmpty)
    }
  }

  @Test
  func
    `a group is made, named by its title, and deleted; its contacts are kept unless they are to go`()
    async throws
  {
    try await RunningAgent.with { agent in
      let made = try await agent.ask(.POST, "/v1/groups", #"{"title":" Friends "}"#)
      #expect(made.status == 201)
      #expect(made.json["title"] as? String == "Friends")
      let body = #"{"firstName":"G","group":"Friends"}"#
      #expect(try await agent.ask(.POST, "/v1/contacts", body).status == 201)
      #expect(
        try await agent.ask(.GET, "/v1/contacts?group=Friends").list("contacts").count == 1)
      let renamed = try await agent.ask(.PATCH, "/v1/groups/Friends", #"{"title":"Pals"}"#)
      #expect(renamed.json["title"] as? String == "Pals")
      #expect(try await agent.ask(.DELETE, "/v1/groups/Pals").status == 204)
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 11)
      #expect(try await agent.ask(.POST, "/v1/groups", #"{"title":"Pals"}"#).status == 201)
      let other = #"{"firstName":"H","group":"Pals"}"#
      #expect(try await agent.ask(.POST, "/v1/contacts", other).status == 201)
      #expect(try await agent.ask(.DELETE, "/v1/groups/Pals?contacts=delete").status == 204)
      #expect(try await agent.ask(.GET, "/v1/contacts").list("contacts").count == 11)
      #expect(try await agent.ask(.DELETE, "/v1/groups/Contacts").code == "permissionFailure")
      #expect(try await agent.ask(.POST, "/v1/groups", #"{"title":" "}"#).status == 400)
    }
  }

  @Test func `without a broker the state is offline and a wait ends with 503`() async throws {
    try await RunningAgent.with { agent in
      let status = try await agent.ask(.GET, "/v1/status")
      #expect(status.json["state"] as? String == "offline")
      let wait = try await agent.ask(.POST, "/v1/sync", #"{"waitSeconds":0.05}"#)
      #expect(wait.status == 503)
      #expect(wait.code == "serviceUnavailable")
      let who = try await agent.ask(.GET, "/v1/whoami")
      #expect((who.json["device"] as? [String: Any])?["name"] as? String == "laptop")
    }
  }

  @Test func `every path that is described is there`() async throws {
    let file = URL(filePath: #filePath).appending(path: "../../../docs/openapi.yaml").standardized
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    var path = ""
    var pairs: [(HTTPMethod, String)] = []
    for line in lines {
      if line.hasPrefix("  /v1") { path = line.dropFirst(2).dropLast().description }
      let word = line.trimmingCharacters(in: .whitespaces).dropLast().uppercased()
      let isMethod = ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(word)
      if line.hasPrefix("    "), !line.hasPrefix("     "), isMethod {
        pairs.append((HTTPMethod(rawValue: word), path))
      }
    }
    #expect(pairs.count >= 15)
    let described = pairs.filter { !$0.1.contains("/events") }
    try await RunningAgent.with { agent in
      for (method, described) in described {
        let path = described.replacing("{id}", with: "x").replacing("{name}", with: "x")
        let answer = try await agent.ask(
          method, path, method == .GET ? nil : "{}")
        let message = (answer.json["error"] as? [String: Any])?["message"] as? String ?? ""
        #expect(!message.hasPrefix("This path does not"), "\(method) \(path)")
        #expect(answer.status < 500 || answer.status == 503, "\(method) \(path)")
      }
    }
  }
}
