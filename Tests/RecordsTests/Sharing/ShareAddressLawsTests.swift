import PredicateWorld
import Records
import Testing

@Suite("Z2 laws of the text of a link")
struct ShareAddressLawsTests {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  /// Writes the secret as 22 digits of base 64, most significant first, with four zero bits after it.
  private func base64(_ secret: UInt128) -> String {
    let last = Int(secret & 3) << 4
    let digits = (0..<21).map { Int(truncatingIfNeeded: secret >> UInt128(122 - 6 * $0)) & 63 }
    return String((digits + [last]).map { Self.letters[$0] })
  }

  private func percentEncoded(_ name: String) -> String {
    name.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      if byte < 128, Self.letters.contains(character) || byte == 46 { return String(character) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `a link has the letters of a second encoder, and is parsed from them`(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    let name = "x" + random.text(upTo: 6).filter { !String($0).hasControlCharacters }
    let container = seed.isMultiple(of: 2) ? ShareAddress.standardContainer : name
    let address = ShareAddress(secret: .random(using: &random.generator), container: container)
    let mark = container == "contacts" ? "" : "?container=\(percentEncoded(container))"
    #expect(
      address.text == "contacts://join/\(base64(address.secret.value))\(mark)", "seed \(seed)")
    let parsed = try ShareAddress(text: "\t\(address.text)\r\n ")
    #expect(parsed == address, "seed \(seed)")
    #expect(parsed.container.hasSameBytes(as: container), "seed \(seed)")
  }

  @Test func `every link has one text`() throws {
    let text = Array("contacts://join/AAECAwQFBgcICQoLDA0ODw?container=a%20b")
    var accepted = 0
    for index in text.indices {
      for character in "A_-wx/?%=é a" where character != text[index] {
        var changed = text
        changed[index] = character
        let link = String(changed)
        guard let address = try? ShareAddress(text: link) else { continue }
        accepted += 1
        #expect(address.text == link.trimmingBlanks())
      }
      let shorter = String(text[..<index] + text[(index + 1)...])
      if let address = try? ShareAddress(text: shorter) { #expect(address.text == shorter) }
    }
    #expect(accepted > 40)
  }

  @Test(arguments: [254, 255, 256])
  func `a container has at most 255 bytes`(count: Int) {
    let link = ShareAddress(
      secret: ShareSecret(1), container: String(repeating: "x", count: count)
    ).text
    #expect(((try? ShareAddress(text: link)) != nil) == (count <= Limits.nameBytes))
  }
}
