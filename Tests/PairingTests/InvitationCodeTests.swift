import Pairing
import Records
import Testing

@Suite("R3 the code of an invitation")
struct InvitationCodeTests {
  private static let code = InvitationCode(0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210)

  @Test(arguments: [0, 1, UInt128.max, code.value])
  func `its text reads back to the same code`(value: UInt128) throws {
    let code = InvitationCode(value)
    #expect(code.text.count == 34 && code.text.split(separator: "-").count == 7)
    #expect(try InvitationCode(text: code.text) == code)
    #expect("\(code)" == "an invitation's code")
  }

  @Test func `case, spaces, hyphens and letters that look like digits do not matter`() throws {
    let text = Self.code.text
    let typed = text.lowercased().replacing("-", with: " ").replacing("0", with: "o")
      .replacing("1", with: "l")
    #expect(try InvitationCode(text: typed) == Self.code)
  }

  @Test func `one wrong letter, or two exchanged ones, are noticed`() throws {
    let letters = Array(Self.code.text.filter { $0 != "-" })
    for index in letters.indices {
      for other in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" where other != letters[index] {
        var wrong = letters
        wrong[index] = other
        #expect(throws: RecordsError.self) { try InvitationCode(text: String(wrong)) }
      }
      guard index > 0, letters[index] != letters[index - 1] else { continue }
      var exchanged = letters
      exchanged.swapAt(index, index - 1)
      #expect(throws: RecordsError.self) { try InvitationCode(text: String(exchanged)) }
    }
  }

  @Test(arguments: ["", "ada", "0123-4567", "U234-5678-9ABC-DEFG-HJKM-NPQR-STVW"])
  func `other texts are not codes`(text: String) {
    let error = #expect(throws: RecordsError.self) { try InvitationCode(text: text) }
    #expect(error?.reason == "malformedCode")
  }
}
