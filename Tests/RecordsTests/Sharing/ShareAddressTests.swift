import Records
import Testing

@Suite("Z2 the text of a link")
struct ShareAddressTests {
  private let secret = ShareSecret(0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F)

  @Test func `it is short, and is read back`() throws {
    let address = ShareAddress(secret: secret)
    #expect(address.text == "contacts://join/AAECAwQFBgcICQoLDA0ODw")
    #expect(try ShareAddress(text: address.text) == address)
    #expect(try ShareAddress(text: "  \(address.text)\n") == address)
  }

  @Test func `every secret comes back as it was`() throws {
    var dice = SystemRandomNumberGenerator()
    for _ in 0..<1000 {
      let address = ShareAddress(secret: .random(using: &dice))
      #expect(try ShareAddress(text: address.text) == address)
    }
    for value in [UInt128.min, .max] {
      let address = ShareAddress(secret: ShareSecret(value))
      #expect(try ShareAddress(text: address.text) == address)
    }
  }

  @Test func `another container stands behind it`() throws {
    let address = ShareAddress(secret: secret, container: "recipes")
    #expect(address.text == "contacts://join/AAECAwQFBgcICQoLDA0ODw?container=recipes")
    #expect(try ShareAddress(text: address.text) == address)
  }

  @Test(arguments: [
    "", "contacts://join/", "AAECAwQFBgcICQoLDA0ODw", "http://join/AAECAwQFBgcICQoLDA0ODw",
    "contacts://join/AAECAwQFBgcICQoLDA0OD", "contacts://join/AAECAwQFBgcICQoLDA0ODwA",
    "contacts://join/AAECAwQFBgcICQoLDA0ODx", "contacts://join/AAECAwQFBgcICQoLDA0OD=",
    "contacts://join/AAECAwQFBgcICQoLDA0O+w", "contacts://join/AAECAwQFBgcICQoLDA0ODw?",
    "contacts://join/AAECAwQFBgcICQoLDA0ODw?container=",
    "contacts://join/AAECAwQFBgcICQoLDA0ODw?container=contacts",
    "contacts://join/AAECAwQFBgcICQoLDA0ODw?container=a/b",
    "contacts://join/AAECAwQFBgcICQoLDA0ODw?other=a",
  ])
  func `a damaged link is told as such`(text: String) {
    let error = #expect(throws: RecordsError.self) { try ShareAddress(text: text) }
    #expect(error?.code == .invalidArguments)
    #expect(error?.reason == "malformedLink")
  }
}
