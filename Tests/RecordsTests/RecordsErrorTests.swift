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

  @Test func `an error's description is its message, and its hint if it has one`() {
    #expect("\(RecordsError(.zoneBusy, "It is busy."))" == "It is busy.")
    #expect("\(RecordsError(.zoneBusy, "It is busy.", hint: "Wait."))" == "It is busy. Wait.")
    #expect(RecordsError(.zoneBusy, "It is busy.").logText == "zoneBusy")
    struct Other: Error {}
    #expect((Other() as any Error).logText == "Other()")
    #expect((RecordsError(.zoneBusy, "Ann.") as any Error).logText == "zoneBusy")
  }

  @Test func `an error about a limit gives the limit and the number`() {
    let error = RecordsError.limit("Fields of a record", limit: 1024, actual: 1025)
    #expect(error.code == .limitExceeded)
    #expect(error.message == "Fields of a record: 1025 exceeds the limit of 1024.")
    let invalid = RecordsError.invalid("It is wrong.", field: "name")
    #expect(invalid.code == .invalidArguments && invalid.field == "name")
  }

  @Test func `each part of an error distinguishes it`() {
    let plain = RecordsError(.zoneBusy, "a")
    let others = [
      RecordsError(.unknownItem, "a"), RecordsError(.zoneBusy, "b"),
      RecordsError(.zoneBusy, "a", hint: "h"), RecordsError(.zoneBusy, "a", retryAfterSeconds: 1),
      RecordsError(.zoneBusy, "a", record: RecordName(stored: "r")),
      RecordsError(.zoneBusy, "a", field: "f"), RecordsError(.zoneBusy, "a", column: 1),
      RecordsError(.zoneBusy, "a", reason: "r"),
    ]
    #expect(Set(others + [plain]).count == 9)
  }
}
