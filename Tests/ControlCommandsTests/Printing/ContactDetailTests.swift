// What `show` shows, for programs and for people.

import Foundation
import Testing

@testable import ControlCommands

@Suite("A4, V5, V10 details of a contact")
struct ContactDetailTests {
  static let json = #"""
    {"schema":1,"id":"c1","name":"Ada Quill","firstName":"Ada","lastName":"Quill","company":"","sortName":"Quill Ada",
     "group":"g","emergency":true,"birthday":"--06-05","note":"one\ntwo",
     "phones":[{"id":"aaaaaaaabbbbbbbbccccccccdddddddd","label":"boat","value":"+1 555"}],
     "emails":[],
     "addresses":[{"id":"aaaaaaaabbbbbbbbccccccccddddddde","label":"home","street1":"12Main",
       "street2":"","city":"Austin","state":"Texas","zipcode":"78701","country":""}],
     "other":[{"id":"x","name":"X-SHOE","value":"38"}],
     "created":"2026-01-01T00:00:00Z","modified":"2026-01-02T00:00:00Z",
     "modifiedBy":{"account":"alice","device":"laptop"},"synced":false}
    """#

  func detail() throws -> ContactDetail {
    ContactDetail(try JSONDecoder().decode(FormValue.self, from: Data(Self.json.utf8)))
  }

  @Test func `every field has a line, the state its letters, the switch a yes or no`() throws {
    #expect(
      try detail().rows == [
        ["id", "c1"], ["name", "Ada Quill"], ["first", "Ada"], ["last", "Quill"],
        ["phone", "boat", "+1 555", "aaaaaaaabbbbbbbbccccccccdddddddd"],
        [
          "address", "home", "12Main", "", "Austin", "TX", "78701", "",
          "aaaaaaaabbbbbbbbccccccccddddddde",
        ],
        ["birthday", "--06-05"], ["note", "one\ntwo"], ["emergency", "yes"],
        ["other", "X-SHOE", "38", ""], ["group", "g"], ["created", "2026-01-01T00:00:00Z"],
        ["modified", "2026-01-02T00:00:00Z", "alice on laptop"], ["synced", "no"],
      ])
  }

  @Test func `an unknown author is shown in words, not by ids`() throws {
    let known = #""modifiedBy":{"account":"alice","device":"laptop"}"#
    let unknown =
      #""modifiedBy":{"account":"a1","name":"someone","device":"d1","deviceName":"another device"}"#
    let json = Self.json.replacing(known, with: unknown)
    let detail = ContactDetail(try JSONDecoder().decode(FormValue.self, from: Data(json.utf8)))
    #expect(
      detail.rows.contains(["modified", "2026-01-02T00:00:00Z", "someone on another device"]))
  }

  @Test(arguments: [80, 200])
  func `on a terminal an address is a line, ids are as short as they can be`(limit: Int) throws {
    let lines = try detail().lines(limit: limit, dim: { $0 })
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= limit })
    #expect(lines.contains { $0.contains("home  12Main, Austin, TX 78701") })
    #expect(lines.contains { $0.hasSuffix("  aaaaaaaabbbbbbbbccccccccddddddde") })
    #expect(lines.contains { $0.hasSuffix("one") } && lines.contains { $0.hasSuffix("  two") })
  }

  @Test func `on a terminal a note keeps its blank lines`() throws {
    let json = #"{"id": "c1", "name": "Ada", "note": "One\n\nTwo\n"}"#
    let contact = try JSONDecoder().decode(FormValue.self, from: Data(json.utf8))
    let lines = ContactDetail(contact).lines(limit: 80, dim: { $0 })
    let start = try #require(lines.firstIndex { $0.hasPrefix("note") })
    let words = lines.dropFirst(start).map { $0.split(separator: " ").last ?? "" }
    #expect(words.prefix(3) == ["One", "", "Two"])
    #expect(words.dropFirst(3).first?.isEmpty == false)
  }

  @Test func `on a terminal values of entries are aligned, and the contact's id is the last line`()
    throws
  {
    let lines = try detail().lines(limit: 80, dim: { $0 })
    let phone = try #require(lines.first { $0.hasPrefix("phone") })
    let address = try #require(lines.first { $0.hasPrefix("address") })
    let column = try #require(address.range(of: "12Main")).lowerBound
    #expect(phone[column...].hasPrefix("+1 555"))
    #expect(lines.first == "name       Ada Quill")
    #expect(lines.last == "id         c1")
  }
}
