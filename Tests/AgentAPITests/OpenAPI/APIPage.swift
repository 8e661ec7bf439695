// Reads what docs/openapi.yaml and the types of the API both say: operations, keys, JSON types, and which values may
// be absent or null. Ranges, patterns and descriptions have no counterpart in a type.

import Foundation
import Yams

/// docs/openapi.yaml, read as far as the types of the API say the same.
struct APIPage {
  /// The page has no such schema, or one that this reader does not know.
  struct Unreadable: Error {
    let place: String
  }

  /// An operation of the page.
  struct Entry {
    let method: String
    let path: String
    let node: Node
  }

  private static let methods: Set<String> = ["get", "put", "post", "delete", "patch"]

  private let root: Node

  /// Reads the page of this repository.
  init() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../../docs").standardized
    let text = try String(contentsOf: folder.appending(path: "openapi.yaml"), encoding: .utf8)
    try self.init(text: text)
  }

  init(text: String) throws {
    guard let root = try Yams.compose(yaml: text) else { throw Unreadable(place: "the page") }
    self.root = root
  }

  /// The operations, in the order of the page.
  var entries: [Entry] {
    pairs(root["paths"]).flatMap { path, item in
      pairs(item).filter { Self.methods.contains($0.0) }.map { method, node in
        Entry(method: method, path: path, node: node)
      }
    }
  }

  /// The responses of an operation by their status.
  func responses(of entry: Entry) throws -> [String: Node] {
    var found: [String: Node] = [:]
    for (status, node) in pairs(entry.node["responses"]) { found[status] = try resolved(node) }
    return found
  }

  /// The body that an operation takes; `nil` if it takes none.
  func request(of entry: Entry) throws -> Node? {
    try entry.node["requestBody"].map { try resolved($0) }
  }

  /// The media types of a body or response, each with its schema.
  func content(of body: Node?) -> [String: Node] {
    Dictionary(
      pairs(body?["content"]).compactMap { type, node in node["schema"].map { (type, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the schema with this name.
  func schema(_ name: String) throws -> Node {
    guard let node = root["components"]?["schemas"]?[name] else { throw Unreadable(place: name) }
    return node
  }

  // MARK: Schemas

  /// Returns the form of the values that a schema describes.
  func shape(of schema: Node) throws -> Shape {
    try property(schema).shape
  }

  private func property(_ schema: Node) throws -> Shape.Property {
    if schema["$ref"] != nil { return try property(resolved(schema)) }
    if let parts = schema["allOf"]?.sequence { return try all(Array(parts)) }
    // The others are parts of the first.
    if schema["type"] == nil, let whole = schema["anyOf"]?.sequence?.first {
      return try property(whole)
    }
    if let parts = schema["oneOf"]?.sequence { return try one(of: Array(parts)) }
    let types = schema["type"].map(names) ?? []
    let values = schema["enum"]?.sequence.map(Array.init) ?? schema["const"].map { [$0] } ?? []
    guard !types.isEmpty || !values.isEmpty else {
      return Shape.Property(shape: .anything, isNullable: true)
    }
    let isNullable = types.isEmpty ? values.contains(where: isNull) : types.contains("null")
    let kinds = types.isEmpty ? values.filter { !isNull($0) }.map(kind) : types
    return Shape.Property(
      shape: try shape(Set(kinds).subtracting(["null"]), schema), isNullable: isNullable)
  }

  private func shape(_ types: Set<String>, _ schema: Node) throws -> Shape {
    if types == ["string", "number", "boolean"] { return .scalar }
    guard types.count == 1, let type = types.first else { throw Unreadable(place: "\(types)") }
    switch type {
    case "string": return schema["format"]?.string == "date-time" ? .time : .text
    case "integer": return .integer
    case "number": return .number
    case "boolean": return .boolean
    case "array": return .list(try schema["items"].map { try shape(of: $0) } ?? .anything)
    case "object": return try object(schema)
    default: throw Unreadable(place: type)
    }
  }

  private func object(_ schema: Node) throws -> Shape {
    let others = schema["additionalProperties"]
    if schema["properties"] == nil, others?["type"]?.string == "string" { return .texts }
    let required = Set(schema["required"].map(names) ?? [])
    var properties: [String: Shape.Property] = [:]
    for (key, node) in pairs(schema["properties"]) {
      properties[key] = try property(node)
      properties[key]?.isRequired = required.contains(key)
    }
    for key in required where properties[key] == nil {
      properties[key] = Shape.Property(shape: .anything, isNullable: true)
    }
    return .object(properties, isClosed: others?.bool == false)
  }

  private func all(_ parts: [Node]) throws -> Shape.Property {
    let properties = try parts.map { try property($0) }
    return Shape.Property(
      shape: properties.map(\.shape).reduce(.anything) { $0.narrowed(by: $1) },
      isNullable: properties.allSatisfy(\.isNullable))
  }

  /// Reads an alternative of `null` and one schema.
  private func one(of parts: [Node]) throws -> Shape.Property {
    let others = parts.filter { $0["type"]?.string != "null" }
    guard others.count == 1, let other = others.first else { throw Unreadable(place: "oneOf") }
    return Shape.Property(shape: try shape(of: other), isNullable: others.count < parts.count)
  }

  // MARK: Nodes

  private func resolved(_ node: Node) throws -> Node {
    guard let reference = node["$ref"]?.string else { return node }
    var found: Node? = root
    for part in reference.split(separator: "/").dropFirst() { found = found?[String(part)] }
    guard let found else { throw Unreadable(place: reference) }
    return try resolved(found)
  }

  private func pairs(_ node: Node?) -> [(String, Node)] {
    (node?.mapping).map { mapping in
      mapping.compactMap { key, value in key.string.map { ($0, value) } }
    }
      ?? []
  }

  private func names(_ node: Node) -> [String] {
    node.sequence.map { $0.compactMap(\.string) } ?? node.string.map { [$0] } ?? []
  }

  private func isNull(_ node: Node) -> Bool { node.null != nil }

  private func kind(_ value: Node) -> String {
    if value.int != nil { return "integer" }
    return value.bool == nil ? "string" : "boolean"
  }
}
