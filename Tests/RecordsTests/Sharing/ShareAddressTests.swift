import Records
import Testing

@Suite("Z2 the text of a link")
struct ShareAddressTests {
  private let secret = ShareSecret(0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F)

  @Test func `a link is short and is parsed from its text`() throws {
    let address = ShareAddress(secret: secret)
    #expect(address.text == "contacts://join/AAECAwQFBgcICQoLDA0ODw")
    #expect(try ShareAddress(text: address.text) == address)
    #expect(try ShareAddress(text: "  \(address.text)\n") == address)
  }

  @Test func `every secret is decoded from its link`() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<1000 {
      let address = ShareAddress(secret: .random(using: &generator))
      #expect(try ShareAddress(text: address.text) == address)
    }
    for value in [UInt128.min, .max] {
      let address = ShareAddress(secret: ShareSecret(value))
      #expect(try ShareAddress(text: address.text) == address)
    }
  }

  @Test func `another container follows the secret`() throws {
    let address = ShareAddress(secret: secret, container: "recipes")
    #expect(address.text == "contacts://join/AAECAwQFBgcICQoLDA0ODw?container=recipes")
    #expect(try ShareAddress(text: address.text) == address)
  }

  @Test(arguments: [
    ("My recipes", "My%20recipes"), ("kök/é", "k%C3%B6k%2F%C3%A9"), ("100 %", "100%20%25"),
  ])
  func `a container of any name is percent-encoded`(container: String, encoded: String) throws {
    let address = ShareAddress(secret: secret, container: container)
    #expect(address.text == "contacts://join/AAECAwQFBgcICQoLDA0ODw?container=\(encoded)")
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
    "contacts://join/AAECAwQFBgcICQoLDA0ODw?container=%61",
    "contacts://join/AAECAwQFBgcICQoLDA0ODw?container=a%2",
    "contacts://join/AAECAwQFBgcICQoLDA0ODw?container=a%2f",
    "contacts://join/AAECAwQFBgcICQoLDA0ODw?container=a%FF",
    "contacts://join/AAECAwQFBgcICQoLDA0ODw?container=a%00",
  ])
  func `a damaged link is reported as malformed`(text: String) {
    let error = #expect(throws: RecordsError.self) { try ShareAddress(text: text) }
    #expect(error?.code == .invalidArguments)
    #expect(error?.reason == "malformedLink")
  }
}
