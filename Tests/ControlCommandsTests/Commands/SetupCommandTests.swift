// What setup suggests, and how it reads answers.

import Foundation
import Testing

@testable import ControlCommands

@Suite("C4 setup")
struct SetupCommandTests {
  @Test func `the sentence about a forbidden socket is the one that the connection reports`() throws
  {
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/BrokerLinks/UnixBrokerConnector.swift")
    let text = try String(contentsOf: source, encoding: .utf8)
    #expect(text.contains("This user may not connect to the broker's socket"))
  }

  @Test func `a socket that may not be used is put right by joining its group`() {
    let denied =
      "This user may not connect to the broker's socket “/run/contacts-broker/broker.sock”."
    let command = SetupCommand.brokerCommand(connectionError: denied)
    #expect(command == "sudo adduser \(NSUserName()) contacts")
  }

  @Test(
    arguments: [
      nil, "No broker answers at “/run/contacts-broker/broker.sock”.",
      "ssh cannot connect to “server”: Permission denied (publickey).",
    ])
  func `a broker that does not run is put right by starting it`(connectionError: String?) {
    let command = SetupCommand.brokerCommand(connectionError: connectionError)
    #expect(command.hasPrefix("sudo systemctl start contacts-broker.socket"))
  }

  @Test(arguments: [(nil, nil), ("", nil), ("  ", nil), (" Ada Quill ", "Ada Quill")])
  func `an empty answer is none`(typed: String?, answer: String?) {
    #expect(SetupCommand.answer(typed) == answer)
  }

  @Test(
    arguments: [
      (0, nil), (1, "1 likely duplicate: contactsctl dedupe"),
      (3, "3 likely duplicates: contactsctl dedupe"),
    ] as [(Int, String?)])
  func `an import says how many duplicates there are, if any`(count: Int, sentence: String?) {
    #expect(ImportCommand.sentence(duplicates: count) == sentence)
  }
}
