// The same event as journal fields and as a line.

import Logging
import Records
import Testing

@testable import DaemonKit

@Suite("B7 logging")
struct LogHandlerTests {
  private let event = LogEvent(
    level: .warning, message: "refused\na peer", error: nil,
    metadata: ["uid": "1000", "reason": "no such = account", "_odd-key.9": ""],
    source: nil, file: "F.swift", function: "f()", line: 7)

  @Test func `an event becomes valid journal fields`() {
    var handler = JournalLogHandler(program: "contactsd", label: "session")
    handler[metadataKey: "uid"] = "1"
    handler[metadataKey: "device"] = "laptop"
    let fields = handler.fields(of: event)
    for field in [
      "MESSAGE=refused\na peer", "PRIORITY=4", "SYSLOG_IDENTIFIER=contactsd", "LOGGER=session",
      "CODE_LINE=7", "UID=1000", "DEVICE=laptop", "REASON=no such = account", "ODD_KEY_9=",
    ] {
      #expect(fields.contains(field))
    }
    #expect(!fields.contains("UID=1"))
    handler.log(event: event)
  }

  @Test(arguments: [("a", "A"), ("1a", "A"), ("__", "FIELD"), ("é", "FIELD"), ("a b", "A_B")])
  func `keys become valid names of journal fields`(key: String, name: String) {
    #expect(JournalLogHandler.fieldName(key) == name)
  }

  @Test func `an event becomes one line, whatever it contains`() {
    var handler = LineLogHandler(label: "session")
    handler[metadataKey: "path"] = "a \"b\"\nc"
    let line = handler.line(for: event, at: Timestamp(microseconds: 0))
    #expect(
      line == """
        1970-01-01T00:00:00Z warning refused a peer _odd-key.9="" path="a \\"b\\" c" \
        reason="no such = account" uid=1000
        """)
  }

  @Test func `the journal is used only if stderr is connected to it`() {
    #expect(!JournalLogHandler.isAvailable(environment: [:]))
    #expect(!JournalLogHandler.isAvailable(environment: ["JOURNAL_STREAM": "0:0"]))
  }
}
