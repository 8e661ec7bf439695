// The walk and the full-text index find the same as looking at every contact does.

import AddressBook
import Contacts
import DeviceRoom
import DeviceStore
import Records
import TestTiers
import Testing

@Suite("C10 finding")
struct ContactPagerSearchTests {
  private static let firsts = ["Ana", "Łukasz", "Иван", "李", "Zoë", "Anna", "Bo", "김철수", "Li"]
  private static let lasts = ["Nowak", "Щербаков", "小龙", "O'Brien", "Åberg", "", "Anand", "Zed"]

  private func device(contacts count: Int) throws -> TestDevice {
    let device = try TestDevice(Room(), "laptop", isOnline: false)
    let edits = (0..<count).map { number in
      LocalEdit.save(TestDevice.contact("c\(number)", Self.fields(number)))
    }
    try device.edit(edits)
    return device
  }

  private static func fields(_ number: Int) -> Fields {
    var fields: Fields = ["firstName": .string(firsts[number % firsts.count])]
    let last = lasts[number / 3 % lasts.count]
    if !last.isEmpty { fields["lastName"] = .string(last) }
    if number % 5 == 0 { fields["company"] = .string("Acme \(number)") }
    let phone = "+46 70 \(100_000 + number * 7)"
    fields["phones"] = .entries([
      Entry(
        id: EntryID(1), position: Position(stored: "h"), fields: ["value": .string(phone)])
    ])
    return fields
  }

  private static let queries = [
    "a", "an", "lukasz", "li", "ivan", "obrien", "o'brien nowak", "acme 3", "100070", "070 1000",
    "小", "김", "gim", "acme 1000", "zed 0", "nobody",
  ]

  @Test(.onlyInCheck, arguments: [100, 700], ContactOrder.allCases)
  func `every query finds what looking at all contacts finds, page by page`(
    count: Int, order: ContactOrder
  ) throws {
    let device = try device(contacts: count)
    let all = try device.reader.allContacts(ContactQuery(order: order, limit: 1000))
    for text in Self.queries {
      let terms = try ContactQueryTerms(text)
      let expected = all.filter { row in
        let contact = ContactRecord.contact(named: row.record.id.name, fields: row.record.fields)
        return terms.matches(ContactSearch.text(of: contact))
      }
      for limit in [40, 1000] {
        let query = ContactQuery(order: order, text: text, limit: limit)
        let found = try device.reader.allContacts(query)
        #expect(found.map(\.record.id) == expected.map(\.record.id), "\(text), \(limit)")
        #expect(found.map(\.sortIndex) == Array(0..<found.count), "\(text), \(limit)")
      }
    }
  }

  @Test func `what many have who stand far down the list is found in the list's order`() throws {
    let device = try TestDevice(Room(), "laptop", isOnline: false)
    let count = 5200
    try device.edit(
      (0..<count).map { number in
        let last = number < 1100 ? "Aarne" : "Zetterling"
        let first = String(number * 7919 % count + 10_000)
        return LocalEdit.save(
          TestDevice.contact(
            "c\(number)", ["firstName": .string(first), "lastName": .string(last)]))
      })
    for order in [ContactOrder.last, .modified] {
      var query = ContactQuery(order: order, text: "zett", limit: 50)
      let first = try device.reader.contacts(query)
      query.cursor = first.next
      let second = try device.reader.contacts(query)
      let whole = try device.reader.allContacts(ContactQuery(order: order, limit: 1000))
        .filter { $0.contact.lastName == "Zetterling" }
      #expect(first.rows.count == 50)
      #expect(
        (first.rows + second.rows).map(\.record.id) == whole.prefix(100).map(\.record.id))
    }
  }

  /// Where in the list of 4,500 contacts those with a word are.
  enum Place: CaseIterable {
    case everywhere, atTheEnd, inTwoParts

    /// Whether the contact at a position of the list has the word that every `nth` contact has.
    func hasWord(_ position: Int, nth: Int) -> Bool {
      switch self {
      case .everywhere: position % nth == 0
      case .atTheEnd: position >= 4500 - 4500 / nth
      case .inTwoParts: position < 30 || position > 4530 - 4500 / nth
      }
    }
  }

  @Test(.onlyInCheck, arguments: Place.allCases, [1, 2, 5, 10])
  func `a search finds the same, in the same order, wherever in the list the hits are`(
    place: Place, nth: Int
  ) throws {
    let device = try TestDevice(Room(), "laptop", isOnline: false)
    let positions = (0..<4500).map { $0 * 7919 % 4500 }
    try device.edit(
      positions.map { position in
        let name = String(position + 10_000)
        var fields: Fields = ["firstName": .string(name), "lastName": .string(name)]
        if place.hasWord(position, nth: nth) { fields["note"] = .string("harbour") }
        return LocalEdit.save(TestDevice.contact("c\(position)", fields))
      })
    while try device.replica.advanceProjections(now: Room.now) {}
    for order in ContactOrder.allCases {
      let expected = try device.reader.allContacts(ContactQuery(order: order, limit: 1000))
        .filter { $0.record.fields["note"] != nil }.map(\.record.id)
      for limit in [50, 1000] {
        let query = ContactQuery(order: order, text: "harb", limit: limit)
        let found = try device.reader.allContacts(query)
        #expect(found.map(\.record.id) == expected, "\(order), \(limit)")
      }
    }
  }
}
