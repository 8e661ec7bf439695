// Random requests about contacts at a running agent, against a plain model of docs/openapi.yaml.

import Foundation
import NIOHTTP1
import PredicateWorld
import TestTiers
import Testing

@testable import AgentDaemon

/// A contact as requests have made it.
struct PlainContact: Equatable {
  static let texts = ["firstName", "lastName", "company", "note", "title", "nickname"]

  var texts: [String: String] = [:]
  var isEmergency = false
  /// The label and the number of each phone.
  var phones: [[String]] = []

  /// Whether the agent accepts it.
  var hasName: Bool {
    ["firstName", "lastName", "company"].contains { !(texts[$0] ?? "").isEmpty }
  }

  init() {}

  /// Reads a contact of a response.
  init(_ json: [String: Any]) {
    for name in Self.texts {
      if let text = json[name] as? String, !text.isEmpty { texts[name] = text }
    }
    isEmergency = json["emergency"] as? Bool ?? false
    phones = (json["phones"] as? [[String: Any]] ?? []).map {
      [$0["label"] as? String ?? "", $0["value"] as? String ?? ""]
    }
  }
}

/// Random changes of contacts, each as a request body and as what it does.
struct ContactChanges {
  private static let words = [
    "Ada", "O'Hara", "李", "Zoë", "\"quoted\"", "back\\slash", "a/b", "{x}", "emoji 👩‍👩‍👧", "",
  ]

  var random: SeededGenerator

  /// Changes `contact`, whose phones have `ids`.
  /// - Returns: The body.
  mutating func change(
    _ contact: inout PlainContact, phones ids: [String]
  ) throws -> String {
    var body: [String: Any] = [:]
    for name in PlainContact.texts where random.percent(30) {
      let word = random.one(of: Self.words)
      // An empty text and null both clear a property, and blanks around a text are not stored.
      if word.isEmpty {
        body[name] = random.percent(50) ? NSNull() : "  "
      } else {
        body[name] = random.percent(20) ? " \(word) " : word
      }
      contact.texts[name] = word.isEmpty ? nil : word
    }
    if random.percent(20) {
      contact.isEmergency.toggle()
      body["emergency"] = contact.isEmergency
    }
    if random.percent(50) { body["phones"] = phones(&contact, ids) }
    return String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
  }

  private mutating func phones(_ contact: inout PlainContact, _ ids: [String]) -> [[String: Any]] {
    var edits: [[String: Any]] = []
    for (index, id) in ids.enumerated().reversed() where random.percent(40) {
      if random.percent(50) {
        edits.append(["id": id, "removed": true])
        contact.phones.remove(at: index)
      } else {
        let number = "+43 1 \(random.below(10_000))"
        edits.append(["id": id, "value": number])
        contact.phones[index][1] = number
      }
    }
    if random.percent(60) {
      let number = "555 \(random.below(10_000))"
      edits.append(["label": "boat", "value": number])
      contact.phones.append(["boat", number])
    }
    return edits
  }
}

@Suite("C1, C4, C7 random requests about contacts", .timeLimit(.minutes(5)))
struct ContactRoutesTests {
  private static func ids(_ json: [String: Any]) -> [String] {
    (json["phones"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
  }

  @Test(arguments: 1...UInt64(TestTier.cases(3)))
  func `a contact is after each change what a plain model of the changes is`(
    seed: UInt64
  ) async throws {
    try await RunningAgent.with { agent in
      var changes = ContactChanges(random: SeededGenerator(seed: seed))
      var contact = PlainContact()
      contact.texts["firstName"] = "Ada"
      let made = try await agent.ask(.POST, "/v1/contacts", #"{"firstName":"Ada"}"#)
      let path = "/v1/contacts/\(try #require(made.json["id"] as? String))"
      var shown = made
      var refused = 0
      for step in 0..<40 {
        var changed = contact
        let body = try changes.change(&changed, phones: Self.ids(shown.json))
        let answer = try await agent.ask(.PATCH, path, body)
        if changed.hasName {
          #expect(answer.status == 200, "seed \(seed), step \(step): \(body)")
          contact = changed
          #expect(PlainContact(answer.json) == contact, "seed \(seed), step \(step): \(body)")
        } else {
          refused += 1
          #expect(answer.code == "constraintViolation", "seed \(seed), step \(step): \(body)")
        }
        shown = try await agent.ask(.GET, path)
        #expect(PlainContact(shown.json) == contact, "seed \(seed), step \(step): \(body)")
        let version = shown.headers.first(name: "etag")
        #expect(
          version != nil && (!changed.hasName || version == answer.headers.first(name: "etag")))
      }
      #expect(refused < 40)
    }
  }

  @Test func `a change of an earlier version is refused, and one of this version is made`()
    async throws
  {
    try await RunningAgent.with { agent in
      let made = try await agent.ask(.POST, "/v1/contacts", #"{"firstName":"Ada"}"#)
      let path = "/v1/contacts/\(try #require(made.json["id"] as? String))"
      let first = try #require(
        try await agent.ask(.GET, path).headers.first(name: "etag"))
      let second = try await agent.ask(
        .PATCH, path, #"{"note":"1"}"#, headers: ["If-Match": first])
      #expect(second.status == 200)
      let late = try await agent.ask(
        .PATCH, path, #"{"note":"2"}"#, headers: ["If-Match": first])
      #expect(late.code == "serverRecordChanged")
      #expect(try await agent.ask(.GET, path).json["note"] as? String == "1")
    }
  }

  @Test(arguments: [
    "", "[]", "null", "1", "\"x\"", "{", #"{"firstName":1}"#, #"{"firstName":{}}"#,
    #"{"phones":"x"}"#, #"{"phones":[1]}"#, #"{"phones":[{"id":"nope","value":"1"}]}"#,
    #"{"emergency":"yes"}"#, #"{"birthday":"tomorrow"}"#, #"{"last":"x"}"#,
    #"{"addresses":[{"street":"x"}]}"#, #"{"firstName":"a\u0000b"}"#, "\u{FEFF}{}x",
  ])
  func `a body that is no change of a contact changes nothing`(body: String) async throws {
    try await RunningAgent.with { agent in
      let made = try await agent.ask(
        .POST, "/v1/contacts", #"{"firstName":"Ada","phones":[{"value":"1"}]}"#)
      let path = "/v1/contacts/\(try #require(made.json["id"] as? String))"
      let before = try await agent.ask(.GET, path)
      let answer = try await agent.ask(.PATCH, path, body)
      #expect((400..<500).contains(answer.status), "\(body): \(answer.status)")
      let error = answer.json["error"] as? [String: Any]
      #expect((error?["message"] as? String)?.hasSuffix(".") == true, "\(body)")
      let after = try await agent.ask(.GET, path)
      #expect(NSDictionary(dictionary: after.json) == NSDictionary(dictionary: before.json))
    }
  }
}
