// The decoding half of a type shows its keys and their types; only the encoding half shows whether a key is always in
// the JSON, because @Sparse leaves keys out and OrderedJSON writes null for nil.

import Contacts
import Foundation
import Records

@testable import AgentAPI

/// Finds the shape of a type by decoding it from placeholders. For a type that the agent sends, it also encodes the
/// value in which everything optional is missing, and looks which keys are there nevertheless.
struct ShapeSampler {
  /// What the agent does with the type.
  enum Use {
    case sent, accepted
  }

  let use: Use
  /// Whether optional properties have no value, and lists no items.
  var isBare = false
  /// The list of contacts' entries that is decoded.
  private var list: ContactList?

  /// A text that every type accepts, also as the id of an entry.
  private static let text = EntryID(7).description

  init(_ use: Use) {
    self.use = use
  }

  /// Returns the shape of the JSON of `type`.
  func shape(of type: any Decodable.Type) throws -> Shape {
    try full.sample(type, forKey: "").shape
  }

  /// Returns the shape and a value of the type of a property.
  func sample(
    _ type: any Decodable.Type, forKey key: String
  ) throws -> (shape: Shape, value: Any) {
    switch type {
    case is String.Type: return (.text, isBare ? "" : Self.text)
    case is Bool.Type: return (.boolean, !isBare)
    case is Int.Type: return (.integer, 1)
    case is Int64.Type: return (.integer, Int64(1))
    case is Double.Type: return (.number, 1.0)
    case is Timestamp.Type: return (.time, Timestamp(microseconds: 0))
    case is ScalarItem.Type: return (.scalar, ScalarItem.text(""))
    case is [String: String].Type: return (.texts, [String: String]())
    case is FieldTexts.Type: return (.texts, FieldTexts([]))
    case is JoinMode.Type: return (.text, JoinMode.bring)
    case is [EntryForm].Type: return (try entries(key), [EntryForm]())
    case let type as any OptionalSample.Type: return try type.sample(self)
    case let type as any ListSample.Type: return try type.sample(self)
    default: return (try object(type), try type.init(from: OutlineDecoder(outline: outline(type))))
    }
  }

  private var full: ShapeSampler {
    var full = self
    full.isBare = false
    return full
  }

  private func outline(_ type: any Decodable.Type) -> Outline {
    Outline(self, keys: keys(of: type))
  }

  private func entries(_ key: String) throws -> Shape {
    var sampler = full
    sampler.list = ContactList(rawValue: key)
    return .list(try sampler.object(EntryForm.self))
  }

  private func object(_ type: any Decodable.Type) throws -> Shape {
    guard !isBare else { return .anything }
    let outline = outline(type)
    _ = try type.init(from: OutlineDecoder(outline: outline))
    var properties = outline.properties
    for key in outline.keys where properties[key] == nil {
      properties[key] = Shape.Property(shape: .anything, isRequired: false, isNullable: true)
    }
    if case .sent = use { try note(type, in: &properties) }
    return .object(properties, isClosed: outline.isSearched && rejectsUnknownKeys(type))
  }

  private func rejectsUnknownKeys(_ type: any Decodable.Type) -> Bool {
    let outline = Outline(self, keys: keys(of: type) + ["unknown"])
    return (try? type.init(from: OutlineDecoder(outline: outline))) == nil
  }

  /// Notes which keys are absent or null in the JSON of a value without content.
  private func note(
    _ type: any Decodable.Type, in properties: inout [String: Shape.Property]
  ) throws {
    var bare = self
    bare.isBare = true
    let value = try type.init(from: OutlineDecoder(outline: bare.outline(type)))
    guard let value = value as? any Encodable else { throw Outline.Unsupported() }
    let json = try JSONSerialization.jsonObject(with: Data(OrderedJSON.bytes(of: value)))
    guard let object = json as? [String: Any] else { throw Outline.Unsupported() }
    for key in Set(object.keys).union(properties.keys) {
      var property = properties[key] ?? Shape.Property(shape: .anything)
      property.isRequired = object[key] != nil
      property.isNullable = object[key] is NSNull
      properties[key] = property
    }
  }

  /// The keys of a form that looks through the keys of its object.
  private func keys(of type: any Decodable.Type) -> [String] {
    switch type {
    case is ContactForm.Type:
      ContactText.allCases.map(\.rawValue) + ContactList.allCases.map(\.rawValue)
        + [ContactItem.Key.group, .departments, .categories, .emergency, .photo].map(\.name)
        + ContactItem.Key.readOnly
    case is EntryForm.Type:
      (list?.properties.map(\.rawValue) ?? [])
        + [ContactItem.Key.id.name, ContactItem.Key.removed.name]
        + (list == .other ? [OtherItem.contentKey] : [])
    case is SubscribeForm.Type: SubscriptionItem.CodingKeys.allCases.map(\.rawValue) + ["schema"]
    default: []
    }
  }
}

/// A type with a value or none.
private protocol OptionalSample {
  static func sample(_ sampler: ShapeSampler) throws -> (shape: Shape, value: Any)
}

extension Optional: OptionalSample where Wrapped: Decodable {
  fileprivate static func sample(_ sampler: ShapeSampler) throws -> (shape: Shape, value: Any) {
    let (shape, value) = try sampler.sample(Wrapped.self, forKey: "")
    return (shape, sampler.isBare ? Wrapped?.none as Any : (value as? Wrapped) as Any)
  }
}

/// A list of values of one type.
private protocol ListSample {
  static func sample(_ sampler: ShapeSampler) throws -> (shape: Shape, value: Any)
}

extension Array: ListSample where Element: Decodable {
  fileprivate static func sample(_ sampler: ShapeSampler) throws -> (shape: Shape, value: Any) {
    let (shape, value) = try sampler.sample(Element.self, forKey: "")
    return (.list(shape), sampler.isBare ? [] : [value].compactMap { $0 as? Element })
  }
}
