// Flags override the environment, which overrides the file; errors in the file name the line.

import DaemonKit
import Testing

@Suite("B5 settings")
struct SettingsTests {
  private enum Accounts: String, CaseIterable { case open, closed }

  private let directory: TemporaryDirectory
  private let keys = ["state", "socket", "accounts", "maySpeakFor"]

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `a flag overrides the environment, which overrides the file`() throws {
    let file = try directory.write(
      "state = /file\nsocket=/file\n accounts = open \nmaySpeakFor = 1", to: "c.conf")
    let settings = try read(
      file: file, flags: ["state": "/flag"],
      environment: [
        "CONTACTS_BROKER_STATE": "/variable", "CONTACTS_BROKER_SOCKET": "/variable",
        "CONTACTS_BROKER_ACCOUNTS": "", "CONTACTS_BROKER_MAY_SPEAK_FOR": "1000, 1001",
      ])
    #expect(settings.text("state") == "/flag")
    #expect(settings.text("socket") == "/variable")
    #expect(try settings.choice("accounts") == Accounts.open)
    #expect(try settings.users("maySpeakFor") == [1000, 1001])
  }

  @Test func `a setting that is not set has no value`() throws {
    let settings = try read(environment: ["CONTACTSD_STATE": "/other"])
    #expect(settings.text("state") == nil)
    #expect(try settings.users("maySpeakFor") == [])
    #expect(try settings.choice("accounts", of: Accounts.self) == nil)
  }

  @Test func `users are named by number or by name`() throws {
    let settings = try read(flags: ["maySpeakFor": "root, 1000"])
    #expect(try settings.users("maySpeakFor") == [0, 1000])
  }

  @Test func `comments, blank lines and further equals signs are accepted`() throws {
    let file = try directory.write("# a\n\n  # b\nstate = /a=b # c\n", to: "c.conf")
    #expect(try read(file: file).text("state") == "/a=b # c")
  }

  @Test(arguments: [
    ("sokcet = /a", "line 1"), ("\nstate", "line 2"), ("state = a\nstate = b", "repeated"),
  ])
  func `the error for an invalid line names file and line`(text: String, part: String) throws {
    let file = try directory.write(text, to: "c.conf")
    let error = try #require(throws: DaemonError.self) { try read(file: file) }
    #expect(error.exit == .configuration)
    #expect(error.message.contains(part))
  }

  @Test func `a file that is missing or too long is refused`() throws {
    let long = try directory.write(String(repeating: "#", count: 70_000), to: "c.conf")
    for file in [long, directory.file("missing"), directory.path] {
      let error = try #require(throws: DaemonError.self) { try read(file: file) }
      #expect(error.exit == .configuration)
      #expect(error.message.contains(file))
    }
  }

  @Test func `values of the wrong kind are refused`() throws {
    let settings = try read(flags: ["maySpeakFor": "1, nobody at all", "accounts": "half"])
    #expect(throws: DaemonError.self) { try settings.users("maySpeakFor") }
    let error = try #require(throws: DaemonError.self) {
      try settings.choice("accounts", of: Accounts.self)
    }
    #expect(error.message.contains("open, closed"))
  }

  private func read(
    file: String? = nil, flags: [String: String] = [:], environment: [String: String] = [:]
  ) throws -> Settings {
    try Settings(
      program: "contacts-broker", keys: keys, flags: flags, file: file, environment: environment)
  }
}
