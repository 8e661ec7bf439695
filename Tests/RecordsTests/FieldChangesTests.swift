import PredicateWorld
import Records
import Testing

@Suite("B1 laws of fields and their differences")
struct FieldChangesTests {
  @Test(arguments: 0..<60 as Range<UInt64>)
  func `fields behave like a dictionary with sorted keys`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    var fields = Fields()
    var model: [String: Value] = [:]
    for _ in 0..<40 {
      let key = random.key()
      let value = random.generator.percent(40) ? nil : random.scalar()
      fields[key] = value
      model[key.text] = value
      #expect(fields[key] == value, "seed \(seed)")
    }
    let keys = model.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(fields.keys.map(\.text) == keys, "seed \(seed)")
    #expect(fields.all.map(\.value) == keys.map { model[$0] }, "seed \(seed)")
    #expect(fields.isEmpty == model.isEmpty, "seed \(seed)")
    #expect(Fields(fields.all.reversed().map { ($0.key, $0.value) }) == fields, "seed \(seed)")
  }

  @Test(arguments: 0..<150 as Range<UInt64>)
  func `a difference turns the old fields into the new ones, and says no more than that`(
    seed: UInt64
  ) {
    var random = RandomValues(seed: seed)
    let old = random.fields()
    var new = random.fields()
    for field in old.all where random.generator.percent(50) { new[field.key] = field.value }
    let changes = FieldChanges.difference(from: old, to: new)
    #expect(changes.applied(to: old) == new, "seed \(seed)")
    #expect(
      EncodedRecord(changes.applied(to: old)).bytes == EncodedRecord(new).bytes, "seed \(seed)")
    #expect(changes.applied(to: new) == new, "seed \(seed)")
    #expect(changes.isEmpty == (old == new), "seed \(seed)")
    #expect(changes.removed == changes.removed.sorted(), "seed \(seed)")
    #expect(changes.removed.allSatisfy { old[$0] != nil && new[$0] == nil }, "seed \(seed)")
    #expect(changes.set.all.allSatisfy { old[$0.key] != $0.value }, "seed \(seed)")
    #expect(FieldChanges.difference(from: old, to: old).isEmpty, "seed \(seed)")
  }

  @Test(arguments: 0..<80 as Range<UInt64>)
  func `a difference leaves the fields that it does not name`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let changes = FieldChanges.difference(from: random.fields(), to: random.fields())
    let third = random.fields()
    let result = changes.applied(to: third)
    let named = Set(changes.set.keys + changes.removed)
    for key in Set(third.keys + result.keys) where !named.contains(key) {
      #expect(result[key] == third[key], "seed \(seed), \(key)")
    }
    for key in changes.removed { #expect(result[key] == nil, "seed \(seed), \(key)") }
    for field in changes.set.all { #expect(result[field.key] == field.value, "seed \(seed)") }
  }

  @Test func `an edit that sets or removes something is not empty`() {
    #expect(FieldChanges().isEmpty)
    #expect(!FieldChanges(set: ["a": .int64(1)]).isEmpty)
    #expect(!FieldChanges(removed: ["a"]).isEmpty)
  }

  @Test func `a key that is set and removed at once is set`() {
    let changes = FieldChanges(set: ["a": .int64(1)], removed: ["a", "b"])
    #expect(changes.applied(to: ["a": .int64(0), "b": .int64(0)]) == ["a": .int64(1)])
  }

  @Test(
    arguments: [
      (.string("\u{E9}"), .string("e\u{301}")), (.double(0), .double(-0.0)),
      (.list([.string("\u{E9}")]), .list([.string("e\u{301}")])),
      (.string("a\u{323}\u{307}"), .string("a\u{307}\u{323}")),
      (
        .location(Location(latitudeDegrees: 0, longitudeDegrees: 0)),
        .location(Location(latitudeDegrees: 0, longitudeDegrees: -0.0))
      ),
    ] as [(Value, Value)])
  func `an edit between values that only their bytes distinguish is a difference`(
    old: Value, new: Value
  ) throws {
    #expect(old != new)
    #expect(EncodedRecord(["a": old]) != EncodedRecord(["a": new]))
    let changes = FieldChanges.difference(from: ["a": old], to: ["a": new])
    #expect(!changes.isEmpty)
    #expect(EncodedRecord(changes.applied(to: ["a": old])) == EncodedRecord(["a": new]))
  }

  @Test func `values of different kinds are different, and only lists and entries are no scalars`()
  {
    let location = Location(latitudeDegrees: 0, longitudeDegrees: 0)
    let reference = Reference(record: RecordName(stored: "a"), action: .none)
    let scalars: [Value] = [
      .string(""), .int64(0), .double(0), .boolean(false), .date(Timestamp(microseconds: 0)),
      .bytes([]), .location(location), .reference(reference),
      .asset(Asset(digest: [], sizeBytes: 0)), .unknown([]),
    ]
    let all = scalars + [.list([]), .entries([])]
    for (left, one) in all.enumerated() {
      for (right, other) in all.enumerated() { #expect((one == other) == (left == right)) }
      #expect(one.isScalar == (left < scalars.count))
    }
    #expect(Set(all).count == all.count)
  }
}
