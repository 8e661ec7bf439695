// systemd's directories first, then the user's.

import DaemonKit
import Glibc
import Testing

@Suite("B5 places")
struct StandardPlacesTests {
  @Test func `under systemd its directories are used`() throws {
    let places = StandardPlaces(
      program: "contacts-broker",
      environment: [
        "STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "RUNTIME_DIRECTORY": "/run/a",
        "HOME": "/root", "XDG_STATE_HOME": "/x",
      ])
    #expect(try places.stateDirectory() == "/var/lib/a")
    #expect(places.socket("broker.sock") == "/run/a/broker.sock")
  }

  @Test func `a user's places follow the base directories`() throws {
    let places = StandardPlaces(
      program: "contactsd",
      environment: ["XDG_STATE_HOME": "/x", "XDG_RUNTIME_DIR": "/r", "STATE_DIRECTORY": ""])
    #expect(try places.stateDirectory() == "/x/contactsd")
    #expect(places.socket("contactsd.sock") == "/r/contactsd/contactsd.sock")
  }

  @Test func `a device by name has places of its own`() throws {
    let places = StandardPlaces(
      program: "contactsd", instance: "phone", environment: ["HOME": "/home/a"])
    #expect(try places.stateDirectory() == "/home/a/.local/state/contactsd-phone")
    #expect(places.socket("contactsd.sock") == "/run/user/\(getuid())/contactsd/phone.sock")
  }

  @Test func `relative directories are ignored and no home is an error`() throws {
    let places = StandardPlaces(program: "contactsd", environment: ["XDG_STATE_HOME": "x"])
    let error = try #require(throws: DaemonError.self) { try places.stateDirectory() }
    #expect(error.exit == .configuration)
  }
}
