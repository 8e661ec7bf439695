/// A property that is left out of the JSON while it is empty. A missing key is read as the empty value.
///
/// Only for properties that few items of a long list have; all others are always present.
@propertyWrapper
package struct Sparse<Value: Emptiable & Codable & Hashable & Sendable>: Hashable, Sendable {
  /// The value of the property.
  package var wrappedValue: Value

  package init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }
}

/// A type with a value that says as much as no value.
package protocol Emptiable {
  /// The value that is left out.
  static var empty: Self { get }
  /// Whether this is the empty value.
  var isEmpty: Bool { get }
}

extension String: Emptiable {
  package static var empty: String { "" }
}

extension Array: Emptiable {
  package static var empty: [Element] { [] }
}

extension Optional: Emptiable {
  package static var empty: Wrapped? { nil }
  package var isEmpty: Bool { self == nil }
}

extension Bool: Emptiable {
  package static var empty: Bool { false }
  package var isEmpty: Bool { !self }
}

// The containers below prefer these overloads when they synthesize the coding of a type.

extension KeyedEncodingContainer {
  /// Writes the property, unless it is empty.
  package mutating func encode<Value>(_ value: Sparse<Value>, forKey key: Key) throws {
    guard !value.wrappedValue.isEmpty else { return }
    try encode(value.wrappedValue, forKey: key)
  }
}

extension KeyedDecodingContainer {
  /// Reads the property; a missing key or `null` as empty.
  package func decode<Value>(_ type: Sparse<Value>.Type, forKey key: Key) throws -> Sparse<Value> {
    Sparse(wrappedValue: try decodeIfPresent(Value.self, forKey: key) ?? .empty)
  }
}

extension Sparse: Codable {
  package init(from decoder: any Decoder) throws {
    wrappedValue = try decoder.singleValueContainer().decode(Value.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}
