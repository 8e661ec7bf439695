import Records
import Testing

@Suite("errors in logs")
struct RecordsErrorTests {
  @Test func `an error's log text has its code and omits its message`() {
    let error = RecordsError(
      .invalidArguments, "Record card-17 is “Ann Bell”.", hint: "Ask Ann.",
      record: RecordName(stored: "card-17"), field: "note", reason: "expired")
    #expect(error.logText == "invalidArguments, expired, note")
  }
}
