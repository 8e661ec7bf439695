// docs/openapi.yaml and the types of the API say the same, so that neither can change without the other.

import Foundation
import Records
import Testing
import Yams

@testable import AgentAPI

@Suite("C10 the page of the API")
struct OpenAPITests {
  private let page: APIPage

  init() throws {
    page = try APIPage()
  }

  @Test func `every operation of the page is one of the agent, and the other way round`() {
    let described = page.entries.map { "\($0.method) \($0.path)" }
    let own = Operation.all.map { "\($0.method) \($0.pagePath)" }
    #expect(Set(described).subtracting(own) == [], "without a type")
    #expect(Set(own).subtracting(described) == [], "not in the page")
    #expect(Set(own).count == own.count)
    #expect(described.count == own.count)
  }

  @Test func `requests have the keys and types of their forms`() throws {
    for (operation, entry) in pairs {
      let body = try page.request(of: entry)
      try expectEqual(
        operation.request, body, .accepted, "\(name(entry)) request",
        requiring: operation.requiredKeys)
      if body != nil { #expect(body?["required"]?.bool == true, "\(name(entry))") }
    }
  }

  @Test func `responses have the keys and types of their views`() throws {
    for (operation, entry) in pairs {
      let responses = try page.responses(of: entry)
      #expect(responses.keys.filter { $0.hasPrefix("2") } == [operation.status], "\(name(entry))")
      try expectEqual(
        operation.response, responses[operation.status], .sent,
        "\(name(entry)) \(operation.status)")
    }
  }

  @Test func `every operation can fail with an error, whose keys are those of its view`() throws {
    let expected = try ShapeSampler(.sent).shape(of: ErrorView.self)
    for entry in page.entries {
      let responses = try page.responses(of: entry)
      #expect(responses["default"] != nil, "\(name(entry))")
      for (status, response) in responses where !status.hasPrefix("2") && status != "304" {
        let schema = try #require(page.content(of: response)["application/json"])
        let found = try expected.differences(from: page.shape(of: schema), at: "")
        #expect(found == [], "\(name(entry)) \(status)")
      }
    }
  }

  @Test func `bodies that belong to no single operation have a schema`() throws {
    let types: [(String, any Codable.Type)] = [
      ("Repeated", RepeatedView.self), ("Reset", ResetView.self), ("Synced", SyncedView.self),
      ("SyncStarted", SyncStartedView.self), ("SyncFinished", SyncFinishedView.self),
    ]
    for (name, type) in types {
      let own = try ShapeSampler(.sent).shape(of: type)
      #expect(try own.differences(from: page.shape(of: page.schema(name)), at: name) == [])
    }
  }

  @Test func `the ways to join are those of the page`() throws {
    let entries = page.entries.filter { ["/v1/signin", "/v1/invitation"].contains($0.path) }
    #expect(entries.count == 2)
    for entry in entries {
      let schema = try #require(page.content(of: page.request(of: entry))["application/json"])
      let values = schema["properties"]?["mode"]?["enum"]?.sequence?.compactMap(\.string)
      #expect(values?.filter { $0 != "null" } == JoinMode.allCases.map(\.rawValue))
    }
  }

  @Test func `the codes of errors are those of the page`() throws {
    let schema = try page.schema("ErrorContent")
    let codes = schema["properties"]?["code"]?["enum"]?.sequence?.compactMap(\.string)
    #expect(codes == RecordsError.Code.allCases.map(\.rawValue))
  }

  @Test func `a list can be requested with each property of a contact`() throws {
    let names = try page.schema("ContactProperty")["enum"]?.sequence?.compactMap(\.string)
    #expect(names == ContactItem.CodingKeys.allCases.map(\.rawValue))
    guard case .object(let selected, _) = try page.shape(of: page.schema("SelectedContact")) else {
      Issue.record("A selected contact is no object.")
      return
    }
    #expect(selected.filter(\.value.isRequired).map(\.key) == ["id"])
    #expect(Set(selected.keys) == Set(names ?? []))
  }

  // MARK: -

  private var pairs: [(Operation, APIPage.Entry)] {
    page.entries.compactMap { entry in
      Operation.all.first { $0.method == entry.method && $0.pagePath == entry.path }
        .map { ($0, entry) }
    }
  }

  private func name(_ entry: APIPage.Entry) -> String { "\(entry.method) \(entry.path)" }

  private func expectEqual(
    _ body: Operation.Body, _ node: Node?, _ use: ShapeSampler.Use, _ place: String,
    requiring keys: Set<String> = []
  ) throws {
    let content = page.content(of: node)
    guard let (media, type) = body.typed else {
      if case .none = body { #expect(content.isEmpty, "\(place)") }
      if case .file = body { #expect(!content.isEmpty, "\(place)") }
      return
    }
    #expect(Array(content.keys) == [media], "\(place)")
    let schema = try #require(content[media], "\(place)")
    let own = try ShapeSampler(use).shape(of: type).requiring(keys)
    let found = try own.differences(from: page.shape(of: schema), at: "")
    #expect(found == [], "\(place)")
  }
}
