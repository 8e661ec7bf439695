// systemd's directories override the user's.

import DaemonKit
import Glibc
import Testing

@Suite("B5 standard paths")
struct StandardPathsTests {
  @Test func `under systemd, the unit's directories are used`() throws {
    let paths = StandardPaths(
      program: "contacts-broker",
      environment: [
        "STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "RUNTIME_DIRECTORY": "/run/a",
        "HOME": "/root", "XDG_STATE_HOME": "/x",
      ])
    #expect(try paths.stateDirectory() == "/var/lib/a")
    #expect(paths.socket("broker.sock") == "/run/a/broker.sock")
  }

  @Test func `a user's paths follow the XDG base directories`() throws {
    let paths = StandardPaths(
      program: "contactsd",
      environment: ["XDG_STATE_HOME": "/x", "XDG_RUNTIME_DIR": "/r", "STATE_DIRECTORY": ""])
    #expect(try paths.stateDirectory() == "/x/contactsd")
    #expect(paths.socket("contactsd.sock") == "/r/contactsd/contactsd.sock")
  }

  @Test func `a named instance has paths of its own`() throws {
    let paths = StandardPaths(
      program: "contactsd", instance: "phone", environment: ["HOME": "/home/a"])
    #expect(try paths.stateDirectory() == "/home/a/.local/state/contactsd-phone")
    #expect(paths.socket("contactsd.sock") == "/run/user/\(getuid())/contactsd/phone.sock")
  }

  @Test func `relative directories are ignored and no home is an error`() throws {
    let paths = StandardPaths(program: "contactsd", environment: ["XDG_STATE_HOME": "x"])
    let error = try #require(throws: DaemonError.self) { try paths.stateDirectory() }
    #expect(error.exit == .configuration)
  }
}
