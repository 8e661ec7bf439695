// Conditional requests.

import Testing

@testable import CardDAV

@Suite("D3 conditional requests")
struct PreconditionsTests {
  private func isMet(_ match: String?, _ noneMatch: String?, _ tag: String?) throws -> Bool {
    let conditions = try Preconditions(match: match, noneMatch: noneMatch)
    do throws(DAVError) {
      try conditions.check(tag)
      return true
    } catch {
      #expect(error.status == .preconditionFailed)
      return false
    }
  }

  @Test func `a version that the client names must be the present one`() throws {
    #expect(try isMet("\"a\"", nil, "\"a\""))
    #expect(try isMet("\"b\", \"a\"", nil, "\"a\""))
    #expect(try isMet("*", nil, "\"a\""))
    #expect(try !isMet("\"b\"", nil, "\"a\""))
    #expect(try !isMet("*", nil, nil))
    #expect(try !isMet("W/\"a\"", nil, "\"a\""))
  }

  @Test func `a card that must be new does not replace one`() throws {
    #expect(try isMet(nil, "*", nil))
    #expect(try !isMet(nil, "*", "\"a\""))
    #expect(try !isMet(nil, "W/\"a\"", "\"a\""))
    #expect(try isMet(nil, "\"b\"", "\"a\""))
  }

  @Test func `conditions that contradict each other are never met`() throws {
    for tag in ["\"a\"", nil] { #expect(try !isMet("*", "*", tag)) }
  }

  @Test(arguments: ["", "a", "\"", "\"a\" \"b", "*, \"a\"", ",", "'a'"])
  func `what is not a list of tags is refused`(text: String) {
    #expect(throws: DAVError.self) { try Preconditions(match: text, noneMatch: nil) }
  }

  @Test(arguments: [
    (nil, false), ("\"a\"", true), ("\"b\"", false), ("\"b\", W/\"a\"", true), ("*", true),
  ])
  func `a reader that names a version, or a weak form of it, has it`(
    header: String?, isKnown: Bool
  ) throws {
    let conditions = try Preconditions(match: nil, noneMatch: header)
    #expect(conditions.isKnown("\"a\"") == isKnown)
  }
}
