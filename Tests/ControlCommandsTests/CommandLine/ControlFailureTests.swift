// Failures as the agent reports them and as `--json` prints them.

import AgentAPI
import Records
import Testing

@testable import ControlCommands

@Suite("C4 failures")
struct ControlFailureTests {
  /// What a program reads of a failure.
  private static func facts(_ failure: ControlFailure) -> [String] {
    [
      failure.code, failure.message, failure.hint, failure.field ?? "-",
      failure.column.map { "\($0)" } ?? "-", failure.reason ?? "-",
      "\(failure.exitCode.rawValue)",
    ] + failure.problems.map { "\($0.field)=\($0.value): \($0.message)" }
  }

  @Test(arguments: RecordsError.Code.allCases)
  func `a failure that was printed as JSON is read as the same failure`(code: RecordsError.Code)
    throws
  {
    var failure = ControlFailure.error(code, "It failed.", hint: "Try again.")
    #expect(Self.facts(failure) == Self.facts(ControlFailure(ErrorView(failure).error)))
    failure.field = "phones/e1"
    failure.column = 3
    failure.reason = "taken"
    failure.problems = [ProblemView(field: "birthday", value: "x", message: "It is no day.")]
    #expect(Self.facts(failure) == Self.facts(ControlFailure(ErrorView(failure).error)))
  }

  @Test func `a code of a newer agent is a general failure with its own words`() {
    let view = ErrorView(
      ErrorView.Content(code: "somethingNew", message: "It is new.", hint: ""))
    let failure = ControlFailure(view.error)
    #expect(failure.exitCode == .failed)
    #expect(failure.code == "somethingNew" && failure.message == "It is new.")
    #expect(failure.hint.isEmpty)
  }

  @Test func `a usage error names the help of its subcommand, unless it names one already`() {
    #expect(
      ControlFailure.usage("No.").naming(subcommand: "add").hint == "See: contactsctl help add")
    #expect(
      ControlFailure.usage("No.", subcommand: "list").naming(subcommand: "add").hint
        == "See: contactsctl help list")
    let other = ControlFailure.error(.unknownItem, "No contact.", hint: "Search.")
    #expect(other.naming(subcommand: "add").hint == "Search.")
  }

  @Test func `every code has an exit status that is not success`() {
    for code in RecordsError.Code.allCases {
      #expect(ControlCommands.ExitStatus(code) != .done, "\(code)")
    }
  }

  @Test
  func `a socket without permission and one without an agent are put right by one command each`()
    throws
  {
    let address = try AgentAddress(agent: nil, device: "phone", environment: [:], userID: 7)
    let absent = ControlFailure.unreachable(address, reason: "No such file or directory")
    #expect(absent.hint == "Start it: contactsd --device phone")
    let forbidden = ControlFailure.unreachable(
      address, reason: "Permission denied", isForbidden: true)
    #expect(forbidden.hint.hasSuffix("Start your own contactsd: systemctl --user start contactsd"))
    #expect(forbidden.exitCode == .unreachable)
  }
}
