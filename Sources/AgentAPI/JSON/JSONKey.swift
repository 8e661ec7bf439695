/// A key with any name, for requests whose unknown keys are rejected.
package struct JSONKey: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  package init(stringValue: String) { self.stringValue = stringValue }
  package init?(intValue: Int) { return nil }
}
