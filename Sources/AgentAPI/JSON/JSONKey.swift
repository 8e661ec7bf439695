/// A key with any name, for requests whose unknown keys are rejected.
package struct JSONKey: CodingKey {
  /// The name.
  package let stringValue: String
  /// Objects of the API have no numbers as keys.
  package var intValue: Int? { nil }

  /// Creates a key with a name.
  package init(stringValue: String) { self.stringValue = stringValue }
  /// Fails, because objects of the API have no numbers as keys.
  package init?(intValue: Int) { return nil }
}
