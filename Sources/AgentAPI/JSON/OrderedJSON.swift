// Encodes the types of the agent's API. Foundation's encoder writes keys in an order of its own and leaves out
// optional properties that are nil; the API promises that a key is always there, and people read the output of
// `--json`. It also takes longer for a list of a thousand contacts; docs/performance.md has the figures.

/// Encodes values as JSON: keys in the order of declaration, `null` for optional properties that are nil, and control
/// characters escaped, so that a terminal can show the text.
package enum OrderedJSON {
  /// Returns the JSON of `value`.
  /// - Parameter capacity: the expected number of bytes, which are reserved at once.
  /// - Throws: what `value` throws when it is encoded.
  package static func bytes(
    of value: some Encodable, reservingBytes capacity: Int = 1024
  ) throws -> [UInt8] {
    let output = JSONOutput(JSONWriter(reservingBytes: capacity))
    try output.write(value)
    return output.writer.bytes
  }
}

extension JSONWriter {
  /// Writes a value of any type of the API, as `OrderedJSON` does.
  /// - Throws: what `value` throws when it is encoded; nothing more can be written then.
  mutating func value(encoding value: some Encodable) throws {
    // NB: the text has one reference at a time; with two it would be copied.
    let output = JSONOutput(self)
    self = JSONWriter(reservingBytes: 0)
    try output.write(value)
    self = output.writer
  }
}

/// The text that is written, and the brackets that are open.
final class JSONOutput {
  fileprivate(set) var writer: JSONWriter
  private var open: [JSONWriter.Bracket] = []

  init(_ writer: JSONWriter) {
    self.writer = writer
  }

  /// Writes a value, and ends the object or list that it began.
  fileprivate func write(_ value: some Encodable) throws {
    let depth = open.count
    let start = writer.bytes.count
    try value.encode(to: JSONValueEncoder(output: self, depth: depth))
    while open.count > depth { writer.close(open.removeLast()) }
    precondition(writer.bytes.count > start, "\(type(of: value)) encodes as no value.")
  }

  /// Begins an object or list at `depth`, unless the value there began it before.
  fileprivate func begin(_ bracket: JSONWriter.Bracket, at depth: Int) {
    guard open.count == depth else { return }
    writer.open(bracket)
    open.append(bracket)
  }
}

private struct JSONValueEncoder: Encoder {
  let output: JSONOutput
  let depth: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    output.begin(.object, at: depth)
    return KeyedEncodingContainer(JSONObjectContainer<Key>(output: output))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    output.begin(.list, at: depth)
    return JSONListContainer(output: output)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    JSONSingleContainer(output: output)
  }
}

private struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let output: JSONOutput
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {
    output.writer.key(key.stringValue)
    output.writer.null()
  }

  func encode(_ value: String, forKey key: Key) {
    output.writer.key(key.stringValue)
    output.writer.value(value)
  }

  func encode(_ value: Bool, forKey key: Key) {
    output.writer.key(key.stringValue)
    output.writer.value(value)
  }

  func encode(_ value: Int, forKey key: Key) {
    output.writer.key(key.stringValue)
    output.writer.value(value)
  }

  func encode(_ value: Double, forKey key: Key) {
    output.writer.key(key.stringValue)
    output.writer.value(value)
  }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    output.writer.key(key.stringValue)
    try output.write(value)
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    preconditionFailure("A nested object is a type of its own in the agent's API.")
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    preconditionFailure("A nested list is an array in the agent's API.")
  }

  func superEncoder() -> any Encoder {
    preconditionFailure("The agent's API has no classes.")
  }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

private struct JSONListContainer: UnkeyedEncodingContainer {
  let output: JSONOutput
  var codingPath: [any CodingKey] { [] }
  private(set) var count = 0

  init(output: JSONOutput) {
    self.output = output
  }

  mutating func encodeNil() {
    output.writer.null()
    count += 1
  }

  mutating func encode(_ value: some Encodable) throws {
    try output.write(value)
    count += 1
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    preconditionFailure("An item of a list is a type of its own in the agent's API.")
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    preconditionFailure("The agent's API has no lists of lists.")
  }

  mutating func superEncoder() -> any Encoder {
    preconditionFailure("The agent's API has no classes.")
  }
}

private struct JSONSingleContainer: SingleValueEncodingContainer {
  let output: JSONOutput
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { output.writer.null() }
  func encode(_ value: String) { output.writer.value(value) }
  func encode(_ value: Bool) { output.writer.value(value) }
  func encode(_ value: Int) { output.writer.value(value) }
  func encode(_ value: Int64) { output.writer.value(value) }
  func encode(_ value: UInt64) { output.writer.value(value) }
  func encode(_ value: Int32) { output.writer.value(value) }
  func encode(_ value: UInt32) { output.writer.value(value) }
  func encode(_ value: Double) { output.writer.value(value) }
  func encode(_ value: some Encodable) throws { try output.write(value) }
}
