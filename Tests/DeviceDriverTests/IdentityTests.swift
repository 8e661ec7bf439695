import Records
import Testing

@testable import DeviceDriver

@Suite("names of accounts and devices")
struct IdentityTests {
  @Test func `an unknown account or device goes by its id, the own one by its name`() {
    let mine = Identity(
      account: AccountID(7), accountName: "ada", device: DeviceID(8), deviceName: "laptop")
    #expect(mine.name(of: AccountID?.none) == "ada")
    #expect(mine.name(of: AccountID(7)) == "ada")
    #expect(mine.name(of: AccountID(9)) == AccountID(9).description)
    #expect(mine.name(of: DeviceID(8)) == "laptop")
    #expect(mine.name(of: DeviceID(9)) == DeviceID(9).description)
  }

  @Test func `people never read an id`() {
    var mine = Identity(
      account: AccountID(7), accountName: "ada", device: DeviceID(8), deviceName: "laptop")
    #expect(mine.displayName(of: AccountID(9)) == "someone")
    #expect(mine.knownName(of: AccountID(9)) == nil)
    #expect(mine.displayName(ofDevice: DeviceID(9)) == "another device")
    #expect(mine.displayName(ofDevice: DeviceID(8)) == "laptop")
    #expect(mine.displayName(ofDevice: nil) == "laptop")
    mine.deviceNames[DeviceID(9)] = "phone"
    #expect(mine.displayName(ofDevice: DeviceID(9)) == "phone")
  }

  @Test func `an account without a display name is shown by its name`() {
    var mine = Identity(accountName: "ada", deviceName: "laptop")
    mine.accountNames[AccountID(9)] = "bob"
    #expect(mine.displayName(of: nil) == "ada")
    #expect(mine.displayName(of: AccountID(9)) == "bob")
    mine.displayName = "Ada L."
    mine.displayNames[AccountID(9)] = "Bob B."
    #expect(mine.displayName(of: nil) == "Ada L.")
    #expect(mine.displayName(of: AccountID(9)) == "Bob B.")
  }
}
