// Exit codes and their messages.

import DaemonKit
import Records
import Testing

@Suite("B7 exits", .timeLimit(.minutes(5)))
struct DaemonExitTests {
  @Test func `exit codes are those of sysexits.h`() {
    #expect(DaemonExit.allCases.map(\.rawValue) == [0, 2, 64, 65, 69, 70, 73, 74, 75, 77, 78])
  }

  @Test(
    arguments: [
      (.incompatibleVersion, .content), (.permissionFailure, .notPermitted),
      (.networkUnavailable, .unavailable), (.serviceUnavailable, .tryLater),
      (.internalError, .fault),
    ] as [(RecordsError.Code, DaemonExit)])
  func `errors of records keep their message and get an exit code`(
    code: RecordsError.Code, exit: DaemonExit
  ) {
    let error = DaemonError(RecordsError(code, "It is so.", hint: "Do that."))
    #expect(error.exit == exit)
    #expect(error.description == "It is so. Do that.")
  }

  @Test(
    arguments: [
      (.foreign, .content), (.otherVersion, .content), (.damaged, .content),
      (.unreadable, .notPermitted), (.inUse, .tryLater), (.unreachable, .tryLater),
      (.full, .inputOutput),
      (.disk, .inputOutput), (.unexpected, .fault),
    ] as [(StoreError.Kind, DaemonExit)])
  func `errors of stores keep their message and get an exit code`(
    kind: StoreError.Kind, exit: DaemonExit
  ) {
    let error = DaemonError(StoreError(kind, "It is so."))
    #expect(error.exit == exit)
    #expect(error.description == "It is so.")
  }

  @Test func `an unknown error is a fault`() {
    struct Odd: Error {}
    #expect(DaemonError(Odd()).exit == .fault)
  }

  @Test func `a daemon exits with one line and the error's exit code`() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(78), observing: [\.standardErrorContent]
    ) {
      DaemonExit.end("contactsd", because: DaemonError(.configuration, "It is\nso."))
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("contactsd: It is so.\n"))
  }
}
