import Records
import Testing

@testable import BrokerLinks

@Suite("R1 why a connection over ssh ended")
struct SSHFailureTests {
  private let reason = RecordsError(.networkUnavailable, "The broker ended the connection.")

  private func message(_ ending: SSHProcess.Ending) throws -> String {
    let destination = try SSHDestination(url: "ssh://alice@server")
    return SSHFailure(destination: destination, ending: ending, reason: reason).error.message
  }

  @Test func `the last line of ssh is quoted, without control characters`() throws {
    let text = Array("Warning: first.\n\u{1B}[31mPermission denied (publickey).\r\n\n".utf8)
    #expect(
      try message(.exited(255, message: text))
        == "ssh cannot connect to “server”: [31mPermission denied (publickey).")
  }

  @Test func `a long line is cut`() throws {
    let text = Array(repeating: UInt8(ascii: "x"), count: 4096)
    #expect(try message(.exited(255, message: text)).utf8.count < 400)
  }

  @Test func `an error of the command on the server is quoted as the server's`() throws {
    let text = Array("contacts-broker: No broker answers.\n".utf8)
    #expect(
      try message(.exited(69, message: text))
        == "“server” reports: contacts-broker: No broker answers.")
    #expect(try message(.exited(127, message: text)).contains("has no command contacts-broker"))
  }

  @Test(arguments: [SSHProcess.Ending.killed, .exited(0, message: [1]), .exited(255, message: [])])
  func `without a reason of ssh the channel's is reported`(ending: SSHProcess.Ending) throws {
    #expect(try message(ending) == reason.message)
  }
}
