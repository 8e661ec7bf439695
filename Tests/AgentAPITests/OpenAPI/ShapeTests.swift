// The comparison itself: each kind of difference between a type and a schema is found.

import Testing

@testable import AgentAPI

@Suite("C10 comparing a type with a schema")
struct ShapeTests {
  private struct Sample: Codable {
    var name: String
    var count: Int?
    var flags: [Bool]
    @Sparse var note: String
    var inner: Inner
  }

  private struct Inner: Codable {
    var ratio: Double
  }

  private static let keys = [
    "name: { type: string }", #"count: { type: [integer, "null"] }"#,
    "flags: { type: array, items: { type: boolean } }", "note: { type: string }",
    "inner: { $ref: '#/components/schemas/Inner' }",
  ]

  private func differences(
    _ use: ShapeSampler.Use, required: String, keys: [String]
  ) throws -> [String] {
    let page = try APIPage(
      text: """
        components:
          schemas:
            Inner: { allOf: [{ type: object, required: [ratio] }, { $ref: "#/components/schemas/Ratio" }] }
            Ratio: { type: object, properties: { ratio: { type: number } } }
            Sample:
              type: object
              required: [\(required)]
              properties:
                \(keys.joined(separator: "\n        "))
        """)
    let shape = try page.shape(of: page.schema("Sample"))
    return try ShapeSampler(use).shape(of: Sample.self).differences(from: shape, at: "")
  }

  @Test func `a schema that says the same has no difference`() throws {
    #expect(
      try differences(.sent, required: "name, count, flags, inner", keys: Self.keys) == [])
    var accepted = Self.keys
    accepted[3] = #"note: { type: [string, "null"] }"#
    #expect(try differences(.accepted, required: "name, flags, inner", keys: accepted) == [])
  }

  @Test(arguments: [
    (0, "name: { type: integer }", ".name: a text of the type is an integer in the page"),
    (
      0, "name: { type: string, format: date-time }",
      ".name: a text of the type is a time in the page"
    ),
    (0, #"name: { type: [string, "null"] }"#, ".name: nullable only in the page"),
    (1, "count: { type: integer }", ".count: nullable only in the type"),
    (
      2, "flags: { type: array, items: {} }",
      ".flags[]: a boolean of the type is anything in the page"
    ),
    (3, "other: { type: string }", ".note: only in the type"),
    (4, "inner: { type: object }", ".inner.ratio: only in the type"),
  ])
  func `a key that differs is found`(index: Int, key: String, difference: String) throws {
    var keys = Self.keys
    keys[index] = key
    let found = try differences(.sent, required: "name, count, flags, inner", keys: keys)
    #expect(found.contains(difference), "\(found)")
  }

  @Test func `a key that is required in one of them only is found`() throws {
    #expect(
      try differences(.sent, required: "count, flags, inner, note", keys: Self.keys)
        == [".name: required only in the type", ".note: required only in the page"])
  }

  @Test func `a type that rejects unknown keys has a closed schema`() throws {
    let closed = Shape.object([:], isClosed: true)
    #expect(closed.differences(from: .object([:], isClosed: false), at: "x").count == 1)
    #expect(closed.differences(from: closed, at: "x") == [])
    guard case .object(_, true) = try ShapeSampler(.accepted).shape(of: ContactForm.self) else {
      Issue.record("A contact form accepts unknown keys.")
      return
    }
    guard case .object(_, false) = try ShapeSampler(.accepted).shape(of: SyncForm.self) else {
      Issue.record("A synchronization form rejects unknown keys.")
      return
    }
  }
}
