import PredicateWorld
import Testing

@testable import Contacts

@Suite("Values for the cases of an enumeration")
struct CaseValuesTests {
  private typealias Texts = CaseValues<ContactText, String>

  @Test func `a value can be set, replaced and removed`() {
    var texts: Texts = [.title: "Dr.", .note: "tall"]
    texts[.note] = "taller"
    texts[.title] = nil
    texts[.uid] = nil
    texts[.role] = "chairman"
    #expect(texts.map(\.key) == [.note, .role])
    #expect(texts.values == ["taller", "chairman"])
    #expect(texts[.title] == nil && texts[.role] == "chairman" && texts.count == 2)
  }

  @Test func `the order of the pairs does not count`() {
    let one: Texts = [.title: "Dr.", .note: "tall"]
    let other: Texts = [.note: "tall", .title: "Dr."]
    #expect(one == other && one.hashValue == other.hashValue)
    #expect(one != [.title: "Dr."] && one != [.title: "Dr.", .note: "small"])
    #expect(one != [.title: "Dr.", .role: "tall"])
  }

  @Test func `the last value of a repeated key counts`() {
    let texts = Texts([(.title, "Dr."), (.note, "tall"), (.title, "Prof.")])
    #expect(texts == [.title: "Prof.", .note: "tall"])
    #expect(texts.merging([.note: "small"]) == [.title: "Prof.", .note: "small"])
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `it agrees with a dictionary`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var texts: Texts = [:]
    var model: [ContactText: String] = [:]
    for number in 0..<200 {
      let key = random.one(of: ContactText.allCases)
      let value = random.percent(30) ? nil : String(number)
      texts[key] = value
      model[key] = value
      #expect(texts.count == model.count && Set(texts.keys) == Set(model.keys))
    }
    #expect(texts == Texts(model.map { ($0.key, $0.value) }))
    let isEven: (String) -> Bool = { $0.utf8.last.map { $0 % 2 == 0 } ?? false }
    let even = texts.filter { isEven($0.value) }
    #expect(even.count == model.filter { isEven($0.value) }.count)
    let count = texts.mapValues(\.count).values.reduce(0, +)
    #expect(count == model.values.reduce(0) { $0 + $1.count })
  }
}
