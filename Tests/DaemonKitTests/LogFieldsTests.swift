import Logging
import Records
import Testing

@testable import DaemonKit

@Suite("B7 metadata and levels of log events")
struct LogFieldsTests {
  @Test func `later layers override earlier ones, and keys are sorted`() {
    let fields = LogFields(["b": "1", "a": "1"], nil, ["b": "2", "c": "2"], ["c": "3"])
    #expect(fields.all.map { "\($0.key)=\($0.value)" } == ["a=1", "b=2", "c=3"])
    #expect(LogFields(nil, [:]).all.isEmpty)
  }

  @Test func `a more severe level has a lower priority, as in syslog`() {
    let priorities = Logger.Level.allCases.map(\.priority)
    #expect(priorities == [7, 7, 6, 5, 4, 3, 2])
    #expect(zip(priorities, priorities.dropFirst()).allSatisfy(>=))
  }

  @Test(arguments: [
    "", "a", "a b", "a=b", "“a”", "a\"b", "a\\b", "a\nb", "\r\n", "a\u{2028}b", "é\\\" =",
  ])
  func `a value in a line is read back by its quotes`(text: String) {
    let handler = LineLogHandler(label: "session")
    let event = LogEvent(
      level: .error, message: "m", error: nil, metadata: ["key": "\(text)"], source: nil,
      file: "F.swift", function: "f()", line: 7)
    let line = handler.line(for: event, at: Timestamp(microseconds: 0))
    let start = "1970-01-01T00:00:00Z error m key="
    #expect(line.hasPrefix(start))
    #expect(!line.contains { $0.isNewline })
    let onOneLine = String(text.map { $0.isNewline ? " " : $0 })
    #expect(unquoted(String(line.dropFirst(start.count))) == onOneLine)
  }

  /// Reads a value as a reader of the log does: to the closing quote, or whole if there is none.
  private func unquoted(_ value: String) -> String {
    guard value.hasPrefix("\"") else { return value }
    var result = ""
    var isEscaped = false
    for character in value.dropFirst() {
      if !isEscaped, character == "\"" { break }
      if !isEscaped, character == "\\" {
        isEscaped = true
        continue
      }
      isEscaped = false
      result.append(character)
    }
    return result
  }
}
