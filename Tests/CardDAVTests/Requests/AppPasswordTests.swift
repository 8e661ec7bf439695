// App passwords and the header that carries them.

import Foundation
import PredicateWorld
import Testing

@testable import CardDAV

@Suite("D4 app passwords")
struct AppPasswordTests {
  @Test func `a password is long, different each time, and easy to type`() {
    var random = SeededGenerator(seed: 7)
    let passwords = (0..<200).map { _ in AppPassword(using: &random) }
    #expect(Set(passwords.map(\.text)).count == 200)
    let first = passwords[0]
    // 28 letters of 31 are more than 138 bits.
    #expect(first.text.filter { $0 != "-" }.count == 28)
    #expect(
      AppPassword.digest(of: first.text.uppercased().replacing("-", with: " ")) == first.digest)
    #expect(AppPassword.digest(of: first.text + "x") != first.digest)
    #expect(first.digest.count == 32)
  }

  @Test func `the header is read as it is sent`() throws {
    func header(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }
    let given = try #require(BasicCredentials(authorization: header("ada:a:b ü")))
    #expect((given.user, given.password) == ("ada", "a:b ü"))
    #expect(BasicCredentials(authorization: "basic " + header("a:b").dropFirst(6)) != nil)
    for wrong in [
      nil, "", "Basic", "Basic !", "Bearer abc", header("no colon"),
      "Basic " + Data([0xFF, 0x3A]).base64EncodedString(),
      header("a:" + String(repeating: "b", count: 5000)),
    ] {
      #expect(BasicCredentials(authorization: wrong) == nil)
    }
  }
}
