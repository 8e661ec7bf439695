// The hand-written JSON must be JSON.

import Foundation
import Records
import Testing

@testable import AgentDaemon

@Suite("agent JSON")
struct JSONWriterTests {
  @Test func `nesting, separators and kinds are right`() throws {
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("list")
      json.list([1, 2]) { json, number in
        json.object {
          $0.key("n")
          $0.value(Int64(number))
        }
      }
      json.key("empty")
      json.list([Int]()) { _, _ in }
      json.key("flag")
      json.value(true)
      json.key("none")
      json.null()
    }
    #expect(
      String(decoding: json.bytes, as: UTF8.self)
        == #"{"schema":1,"list":[{"n":1},{"n":2}],"empty":[],"flag":true,"none":null}"#)
  }

  @Test func `no control character of a text is written as it is`() throws {
    for scalar in (0...0x2FF).compactMap(Unicode.Scalar.init) {
      let text = "a\(Character(scalar))é"
      var json = JSONWriter()
      json.object {
        $0.key("text")
        $0.value(text)
      }
      let written = String(decoding: json.bytes, as: UTF8.self)
      #expect(!written.unicodeScalars.contains { $0.properties.generalCategory == .control })
      let read = try JSONDecoder().decode([String: String].self, from: Data(json.bytes))
      #expect(read["text"] == text)
    }
  }

  @Test(arguments: ["\"\\/", "a\nb\tc", "\u{0}\u{1F}\u{7F}", "é李🎈", ""])
  func `any text survives`(text: String) throws {
    var json = JSONWriter()
    json.list([text]) { $0.value($1) }
    let read = try JSONDecoder().decode([String].self, from: Data(json.bytes))
    #expect(read == [text])
  }
}
