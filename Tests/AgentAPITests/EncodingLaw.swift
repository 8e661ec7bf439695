// What every type of the API promises: the agent writes this text, and a client that reads it has the same value.

import Foundation
import Testing

@testable import AgentAPI

/// Expects that `value` is written as `text`, and read from it.
func expectCoding<View: Codable & Equatable>(
  _ value: View, as text: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let written = String(decoding: try OrderedJSON.bytes(of: value), as: UTF8.self)
  #expect(written == text, sourceLocation: sourceLocation)
  let read = try JSONDecoder().decode(View.self, from: Data(text.utf8))
  #expect(read == value, sourceLocation: sourceLocation)
}

/// Expects that the body of a request has exactly this JSON, whose keys are sorted here.
func expectBody<Form: Codable & Equatable>(
  _ form: Form, as text: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  let written = String(decoding: try encoder.encode(form), as: UTF8.self)
  #expect(written == text, sourceLocation: sourceLocation)
  let read = try JSONDecoder().decode(Form.self, from: Data(text.utf8))
  #expect(read == form, sourceLocation: sourceLocation)
}

/// Reads a value as a client does.
func decoded<View: Decodable>(_ view: View.Type, _ text: some Sequence<UInt8>) throws -> View {
  try JSONDecoder().decode(view, from: Data(text))
}
