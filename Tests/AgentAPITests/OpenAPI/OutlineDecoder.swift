// A synthesized init(from:) shows the keys and types that it expects, if a decoder writes down its questions. So the
// comparison needs no list of keys next to each type.

/// Decodes a type from nothing: it gives each key a placeholder, and notes what was asked.
struct OutlineDecoder: Decoder {
  let outline: Outline
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(OutlineContainer<Key>(outline: outline))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Outline.Unsupported() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw Outline.Unsupported()
  }
}

/// What a type asks a decoder for.
final class Outline {
  /// The type decodes itself in a way that this test does not know.
  struct Unsupported: Error {}

  /// The keys that were asked for.
  fileprivate(set) var properties: [String: Shape.Property] = [:]
  /// Whether the type looked through the keys of its object.
  fileprivate(set) var isSearched = false
  /// The keys of the object, for a type that looks through them.
  let keys: [String]
  fileprivate let sampler: ShapeSampler

  init(_ sampler: ShapeSampler, keys: [String]) {
    self.sampler = sampler
    self.keys = keys
  }

  fileprivate func note<Value: Decodable>(
    _ type: Value.Type, _ key: some CodingKey, isOptional: Bool
  ) throws -> Value {
    let (shape, value) = try sampler.sample(type, forKey: key.stringValue)
    properties[key.stringValue] = Shape.Property(
      shape: shape, isRequired: !isOptional, isNullable: isOptional)
    guard let value = value as? Value else { throw Unsupported() }
    return value
  }
}

private struct OutlineContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let outline: Outline
  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    outline.isSearched = true
    return outline.keys.compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool { !outline.sampler.isBare }

  /// A property of which only the absence of a value is read.
  func decodeNil(forKey key: Key) -> Bool {
    outline.properties[key.stringValue] = Shape.Property(
      shape: .anything, isRequired: false, isNullable: true)
    return false
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try outline.note(type, key, isOptional: false)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    let value = try outline.note(type, key, isOptional: true)
    return outline.sampler.isBare ? nil : value
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try outline.note(type, key, isOptional: false)
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try outline.note(type, key, isOptional: false)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try outline.note(type, key, isOptional: false)
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try outline.note(type, key, isOptional: false)
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try outline.note(type, key, isOptional: false)
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try optional(type, key)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try optional(type, key)
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try optional(type, key)
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try optional(type, key)
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try optional(type, key)
  }

  private func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
    let value = try outline.note(type, key, isOptional: true)
    return outline.sampler.isBare ? nil : value
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw Outline.Unsupported()
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw Outline.Unsupported()
  }

  func superDecoder() throws -> any Decoder { throw Outline.Unsupported() }

  func superDecoder(forKey key: Key) throws -> any Decoder { throw Outline.Unsupported() }
}
