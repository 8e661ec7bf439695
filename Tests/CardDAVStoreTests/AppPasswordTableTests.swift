import CardDAV
import DeviceRoom
import DeviceStore
import Records
import Testing

@testable import CardDAVStore

@Suite("D4 app passwords of a device")
struct AppPasswordTableTests {
  @Test func `a password is found by its digest, and is stored nowhere`() throws {
    let device = try CardDevice(passwords: [])
    var generator = SystemRandomNumberGenerator()
    let password = AppPassword(using: &generator)
    try device.edit { edit in
      try AppPasswordTable(edit.transaction.db).add(
        "phone", digest: password.digest, scope: .network, now: Room.now)
    }
    let found = try device.read { try AppPasswordTable($0).password(digest: password.digest) }
    #expect(found?.scope == .network)
    #expect(found?.name == "phone" && found?.created == Room.now && found?.used == nil)
    #expect(try device.device.holds(password.text).isEmpty)
    #expect(try device.device.holds("phone") == ["dav_password"])
    #expect(try device.password("other") == nil)
  }

  @Test func `passwords are listed in the order in which they were made`() throws {
    let device = try CardDevice(passwords: ["z", "a", "m"])
    #expect(try device.read { try AppPasswordTable($0).all() }.map(\.name) == ["z", "a", "m"])
  }

  @Test func `a name is used once, and again after its password was removed`() throws {
    let device = try CardDevice()
    let error = #expect(throws: RecordsError.self) { try device.add(password: "phone") }
    #expect(error?.code == .constraintViolation && error?.field == "name")
    let first = try #require(try device.password()).id
    #expect(try device.remove(password: "phone"))
    #expect(try !device.remove(password: "phone"))
    #expect(try device.password() == nil)
    try device.add(password: "phone")
    #expect(try #require(try device.password()).id != first)
  }

  @Test func `the number of passwords is bounded`() throws {
    let device = try CardDevice(passwords: (0..<AppPasswordTable.passwordsMaximum).map { "p\($0)" })
    let error = #expect(throws: RecordsError.self) { try device.add(password: "one more") }
    #expect(error?.code == .limitExceeded)
  }

  @Test func `a use is noted once an hour`() throws {
    let device = try CardDevice()
    let new = try #require(try device.password())
    #expect(AppPasswordTable.isUseNew(of: new, now: Room.now))
    try device.edit { edit in
      try AppPasswordTable(edit.transaction.db).noteUse(of: new, now: Room.now)
    }
    let used = try #require(try device.password())
    #expect(used.used == Room.now)
    #expect(!AppPasswordTable.isUseNew(of: used, now: Room.now.adding(seconds: 3_600)))
    #expect(AppPasswordTable.isUseNew(of: used, now: Room.now.adding(seconds: 3_601)))
    // The clock was set back.
    #expect(AppPasswordTable.isUseNew(of: used, now: Room.now.adding(seconds: -3_601)))
  }
}
