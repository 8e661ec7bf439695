import Records
import Testing

@Suite("errors in logs")
struct RecordsErrorTests {
  @Test func `a log holds the kind of an error and not its message`() {
    let error = RecordsError(
      .invalidArguments, "Record card-17 is “Ann Bell”.", hint: "Ask Ann.",
      record: RecordName(stored: "card-17"), field: "note", reason: "expired")
    #expect(error.logText == "invalidArguments, expired, note")
  }
}
