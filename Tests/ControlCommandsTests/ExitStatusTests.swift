// Scripts decide by these numbers.

import Records
import Testing

@testable import ControlCommands

@Suite("exit codes")
struct ExitStatusTests {
  @Test(
    arguments: [
      (RecordsError.Code.unknownItem, 66), (.zoneNotFound, 66), (.constraintViolation, 65),
      (.invalidArguments, 65), (.permissionFailure, 77), (.serviceUnavailable, 75),
      (.networkUnavailable, 75), (.incompatibleVersion, 65), (.internalError, 1),
    ] as [(RecordsError.Code, Int32)])
  func `an error code has its exit code`(code: RecordsError.Code, status: Int32) {
    #expect(ExitStatus(code).rawValue == status)
  }

  @Test func `an error the agent tells is printed and ends as its code says`() {
    let text = #"{"error":{"code":"unknownItem","message":"Gone.","hint":"","field":"x"}}"#
    let failure = AgentReply(bytes: Array(text.utf8)).failure()
    #expect(failure.exitCode == .notFound)
    #expect(failure.message == "Gone.")
    let newer = #"{"error":{"code":"somethingNew","message":"Eh.","hint":"","more":1}}"#
    #expect(AgentReply(bytes: Array(newer.utf8)).failure().exitCode == .failed)
    #expect(AgentReply(bytes: Array("<html>".utf8)).failure().exitCode == .content)
  }
}
