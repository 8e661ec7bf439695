// The list of an edit against a plain array.

import PredicateWorld
import Records
import Testing

@testable import Contacts

@Suite("I16 entries while an edit is applied")
struct EntryListTests {
  @Test(arguments: [3, 63, 64, 80])
  func `a list behaves like an array, and its positions ascend`(count: Int) {
    for seed in 1...8 {
      var random = SeededGenerator(seed: UInt64(seed))
      var plain: [Entry] = []
      for id in 0..<random.below(6) {
        plain.append(
          Entry(
            id: EntryID(UInt128(id)), position: .between(plain.last?.position, nil),
            fields: ["value": .string("\(id)")]))
      }
      var list = EntryList(plain, inserting: count)
      var next: UInt128 = 100
      var left = count
      for _ in 0..<(count + 20) {
        let id = EntryID(UInt128(random.below(6)))
        switch random.below(4) {
        case 0:
          let isKnown = plain.contains { $0.id == id }
          let isRemoved = list.remove(id)
          #expect(isRemoved == isKnown, "seed \(seed)")
          plain.removeAll { $0.id == id }
        case 1:
          let isKnown = list.update(id) { $0["label"] = .string("\(next)") }
          let index = plain.firstIndex { $0.id == id }
          #expect(isKnown == (index != nil), "seed \(seed)")
          if let index { plain[index].fields["label"] = .string("\(next)") }
        default:
          guard left > 0 else { continue }
          left -= 1
          next += 1
          list.append(id: EntryID(next), ["value": .string("new")])
          let position = list.entries.last?.position ?? .between(nil, nil)
          plain.append(
            Entry(id: EntryID(next), position: position, fields: ["value": .string("new")]))
        }
        #expect(list.ids == Set(plain.map(\.id)), "seed \(seed)")
      }
      #expect(list.entries == plain, "seed \(seed)")
      let positions = plain.map(\.position)
      #expect(positions == positions.sorted() && Set(positions).count == positions.count)
    }
  }
}
