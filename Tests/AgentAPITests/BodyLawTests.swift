// Laws of every body of the API, on values that have each property and on values without content.

import Foundation
import Testing

@testable import AgentAPI

@Suite("C10 every body of the API")
struct BodyLawTests {
  /// The types of all requests and responses that can be encoded.
  private static var types: [any Codable.Type] {
    let bodies = Operation.all.flatMap { [$0.request, $0.response] }
    let further: [any Codable.Type] = [
      ErrorView.self, RepeatedView.self, ResetView.self, SyncedView.self, SyncStartedView.self,
      SyncFinishedView.self,
    ]
    return bodies.compactMap { $0.typed?.type as? any Codable.Type } + further
  }

  private static func values(of type: any Codable.Type) throws -> [any Codable] {
    let full = ShapeSampler(.sent)
    var bare = full
    bare.isBare = true
    return try [full, bare].compactMap { sampler in
      try sampler.sample(type, forKey: "").value as? any Codable
    }
  }

  private static func fullObject(of type: any Codable.Type) throws -> [String: Any] {
    let value = try #require(values(of: type).first)
    let json = try JSONSerialization.jsonObject(with: Data(OrderedJSON.bytes(of: value)))
    return try #require(json as? [String: Any])
  }

  private static func read(
    _ type: any Codable.Type, from object: [String: Any]
  ) throws -> any Codable {
    try JSONDecoder().decode(type, from: JSONSerialization.data(withJSONObject: object))
  }

  @Test func `what the agent writes is read as the same value, by both encoders`() throws {
    #expect(Self.types.count > 70)
    for type in Self.types {
      let values = try Self.values(of: type)
      try #require(values.count == 2, "\(type)")
      for value in values {
        let written = try OrderedJSON.bytes(of: value)
        let read = try JSONDecoder().decode(type, from: Data(written))
        #expect(try OrderedJSON.bytes(of: read) == written, "\(type)")
        let foundation = try JSONDecoder().decode(type, from: JSONEncoder().encode(value))
        #expect(try OrderedJSON.bytes(of: foundation) == written, "\(type)")
      }
    }
  }

  @Test func `keys of a later version are ignored`() throws {
    for type in Self.types where !(type is SubscribeForm.Type) {
      let object = try Self.fullObject(of: type)
      let later = try #require(Self.withUnknownKeys(object) as? [String: Any])
      #expect(later.count == object.count + 1)
      let expected = try OrderedJSON.bytes(of: Self.read(type, from: object))
      #expect(try OrderedJSON.bytes(of: Self.read(type, from: later)) == expected, "\(type)")
    }
  }

  @Test func `a body without an essential key is an error, and without another it is read`() throws
  {
    for type in Self.types {
      let object = try Self.fullObject(of: type)
      let properties = try Self.properties(of: type)
      for (key, property) in properties {
        var (absent, null) = (object, object)
        absent[key] = nil
        null[key] = NSNull()
        for changed in [absent, null] {
          let isRead = (try? Self.read(type, from: changed)) != nil
          #expect(isRead == !property.isRequired, "\(type).\(key)")
        }
      }
    }
  }

  @Test func `a value of another type is an error`() throws {
    for type in Self.types {
      let object = try Self.fullObject(of: type)
      for (key, property) in try Self.properties(of: type) where property.shape != .anything {
        var changed = object
        changed[key] = property.shape == .boolean ? "x" as Any : true
        #expect(throws: (any Error).self, "\(type).\(key)") {
          try Self.read(type, from: changed)
        }
      }
    }
  }

  private static func properties(of type: any Codable.Type) throws -> [String: Shape.Property] {
    guard case .object(let properties, _) = try ShapeSampler(.accepted).shape(of: type) else {
      return [:]
    }
    return properties
  }

  /// Adds a key to every object, except to those whose keys are data.
  private static func withUnknownKeys(_ value: Any) -> Any {
    switch value {
    case let object as [String: Any]:
      var result = object
      // Every key of these objects is known.
      let open = ["fields", "base", "texts"]
      for (key, value) in object where !(open.contains(key) && value is [String: Any]) {
        result[key] = withUnknownKeys(value)
      }
      result["laterKey"] = ["x": [1, NSNull()] as [Any]]
      return result
    case let list as [Any]: return list.map(withUnknownKeys)
    default: return value
    }
  }
}
