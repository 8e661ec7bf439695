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
    (nil, nil, false), (nil, "\"a\"", true), (nil, "W/\"a\"", true), (nil, "*", true),
    (nil, "\"b\"", false), ("\"a\"", "\"a\"", true), ("*", nil, false),
  ])
  func `a client of a GET has a card already if a tag is that of the card, also a weak one`(
    match: String?, noneMatch: String?, expected: Bool
  ) throws {
    let conditions = try Preconditions(match: match, noneMatch: noneMatch)
    #expect(try conditions.isUnchanged("\"a\"") == expected)
  }

  @Test func `a client of a GET that asks for another card gets none`() throws {
    let conditions = try Preconditions(match: "\"b\"", noneMatch: "\"a\"")
    let error = #expect(throws: DAVError.self) { try conditions.isUnchanged("\"a\"") }
    #expect(error?.status == .preconditionFailed)
  }
}
