// Merging: all small cases, then larger random ones, compared with rules that are formulated differently.

import Records
import SyncCore
import Testing

@Suite("I13 three-way merge")
struct MergeTests {
  @Test func `a field only one side changed takes that side's value`() {
    let merge = Merge(
      ancestor: ["first": .string("Ann"), "last": .string("Lee")],
      theirs: ["first": .string("Anne"), "last": .string("Lee")],
      mine: ["first": .string("Ann"), "last": .string("Leigh"), "company": .string("Acme")])
    #expect(
      merge.fields == [
        "first": .string("Anne"), "last": .string("Leigh"), "company": .string("Acme"),
      ])
    #expect(merge.losses.isEmpty)
  }

  @Test func `every combination of one field's three states follows the rule`() {
    let states: [Value?] = [nil, .string("a"), .string("b"), .int64(1)]
    for ancestor in states {
      for theirs in states {
        for mine in states {
          check(ancestor, theirs, mine)
        }
      }
    }
  }

  private func check(_ ancestor: Value?, _ theirs: Value?, _ mine: Value?) {
    let merge = Merge(
      ancestor: one(ancestor), theirs: one(theirs), mine: one(mine))
    let expected = mine == ancestor ? theirs : theirs == ancestor ? mine : theirs
    #expect(merge.fields["field"] == expected)
    let isConflict = mine != ancestor && theirs != ancestor && mine != theirs
    #expect(merge.losses.count == (isConflict ? 1 : 0))
    #expect(merge.losses.first.map { $0.losing == mine && $0.winning == theirs } ?? true)
  }

  private func one(_ value: Value?) -> Fields {
    var fields = Fields()
    fields["field"] = value
    return fields
  }

  @Test func `every combination of one entry's three states loses nothing`() {
    let states: [Entry?] = [
      nil, entry(1, "h", "home", "1"), entry(1, "h", "work", "1"), entry(1, "h", "home", "2"),
      entry(1, "m", "home", "1"),
    ]
    for ancestor in states {
      for theirs in states {
        for mine in states {
          let merge = Merge(
            ancestor: phones([ancestor]), theirs: phones([theirs]), mine: phones([mine]))
          expectNothingLost(merge, ancestor, theirs, mine)
        }
      }
    }
  }

  private func expectNothingLost(
    _ merge: Merge, _ ancestor: Entry?, _ theirs: Entry?, _ mine: Entry?
  ) {
    let result = entries(merge.fields).first
    if mine == ancestor { return #expect(result == theirs) }
    if theirs == ancestor { return #expect(result == mine) }
    for side in [theirs, mine].compactMap(\.self) {
      for field in side.fields.all where ancestor?.fields[field.key] != field.value {
        let isLost = merge.losses.contains {
          $0.entryField == field.key && $0.losing == field.value
        }
        #expect(result?.fields[field.key] == field.value || isLost)
      }
    }
  }

  @Test func `a label changed here and a number changed there end on the same phone`() {
    let merge = Merge(
      ancestor: phones([entry(1, "h", "home", "1")]),
      theirs: phones([entry(1, "h", "work", "1")]),
      mine: phones([entry(1, "h", "home", "2")]))
    #expect(merge.fields == phones([entry(1, "h", "work", "2")]))
    #expect(merge.losses.isEmpty)
  }

  @Test func `phones added on both sides both stay, in the order of their places`() {
    let merge = Merge(
      ancestor: phones([entry(1, "h", "home", "1")]),
      theirs: phones([entry(1, "h", "home", "1"), entry(2, "z", "work", "2")]),
      mine: phones([entry(1, "h", "home", "1"), entry(3, "k", "fax", "3")]))
    #expect(entries(merge.fields).map(\.id) == [EntryID(1), EntryID(3), EntryID(2)])
  }

  @Test func `the same phone added on both sides becomes one, the broker's`() {
    let merge = Merge(
      ancestor: Fields(), theirs: phones([entry(2, "h", "work", "2")]),
      mine: phones([entry(3, "m", "work", "2"), entry(4, "p", "work", "2")]))
    #expect(entries(merge.fields).map(\.id) == [EntryID(2), EntryID(4)])
    #expect(merge.losses.isEmpty)
  }

  @Test func `an entry removed there and changed here stays as changed`() {
    let merge = Merge(
      ancestor: phones([entry(1, "h", "home", "1")]), theirs: Fields(),
      mine: phones([entry(1, "h", "home", "2")]))
    #expect(merge.fields == phones([entry(1, "h", "home", "2")]))
  }

  @Test func `an entry removed there and only moved here is removed`() {
    let merge = Merge(
      ancestor: phones([entry(1, "h", "home", "1")]), theirs: Fields(),
      mine: phones([entry(1, "z", "home", "1")]))
    #expect(entries(merge.fields).isEmpty)
  }

  @Test func `changed sides of random records win, and merging again changes nothing`() {
    for seed in 0..<3_000 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let ancestor = randomFields(&generator)
      let theirs = changed(ancestor, &generator)
      let mine = changed(ancestor, &generator)
      let merge = Merge(ancestor: ancestor, theirs: theirs, mine: mine)
      #expect(Merge(ancestor: ancestor, theirs: ancestor, mine: mine).fields == mine, "\(seed)")
      #expect(Merge(ancestor: ancestor, theirs: theirs, mine: ancestor).fields == theirs, "\(seed)")
      #expect(Merge(ancestor: theirs, theirs: theirs, mine: merge.fields).fields == merge.fields)
      let again = Merge(ancestor: theirs, theirs: merge.fields, mine: merge.fields)
      #expect(again.fields == merge.fields && again.losses.isEmpty, "\(seed)")
      for key in mine.keys where theirs[key] == ancestor[key] {
        #expect(merge.fields[key] == mine[key], "\(seed) \(key)")
      }
      for key in theirs.keys where mine[key] == ancestor[key] {
        #expect(merge.fields[key] == theirs[key], "\(seed) \(key)")
      }
    }
  }

  // MARK: -

  private func entry(_ id: UInt128, _ place: String, _ label: String, _ value: String) -> Entry {
    Entry(
      id: EntryID(id), position: Position(stored: place),
      fields: ["label": .string(label), "value": .string(value)])
  }

  private func phones(_ entries: [Entry?]) -> Fields {
    let present = entries.compactMap(\.self)
    return present.isEmpty ? Fields() : ["phones": .entries(present)]
  }

  private func entries(_ fields: Fields) -> [Entry] {
    guard case .entries(let entries) = fields["phones"] else { return [] }
    return entries
  }

  private func randomFields(_ generator: inout SeededGenerator) -> Fields {
    changed(Fields(), &generator)
  }

  private func changed(_ fields: Fields, _ generator: inout SeededGenerator) -> Fields {
    var result = fields
    for key: FieldKey in ["a", "b", "c"] where Bool.random(using: &generator) {
      result[key] = Int.random(in: 0..<4, using: &generator) == 0 ? nil : randomValue(&generator)
    }
    guard Bool.random(using: &generator) else { return result }
    var phones = entries(result).filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
    for index in phones.indices where Bool.random(using: &generator) {
      phones[index].fields["value"] = randomValue(&generator)
    }
    if Bool.random(using: &generator) {
      let id = UInt128.random(in: 10..<1_000_000, using: &generator)
      phones.append(entry(id, "q", "home", "\(Int.random(in: 0..<5, using: &generator))"))
    }
    phones.sort(by: Entry.precedes)
    result["phones"] = phones.isEmpty ? nil : .entries(phones)
    return result
  }

  private func randomValue(_ generator: inout SeededGenerator) -> Value {
    .string(["x", "y", "z", "w"].randomElement(using: &generator) ?? "x")
  }
}
