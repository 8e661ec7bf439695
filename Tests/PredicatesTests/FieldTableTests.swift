// The table of fields, compared with a dictionary after each of many random steps.

import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 the slots of fields in predicates")
struct FieldTableTests {
  private struct Form: Hashable {
    let name: String
    let options: UInt8
  }

  private func forms(_ table: borrowing FieldTable, _ name: String) -> [UInt16]? {
    var name = name
    return name.withUTF8 { table.forms(ofField: $0) }.map { [$0.0, $0.1, $0.2, $0.3] }
  }

  /// Returns the slot of a field in a copy of `table`.
  private func slot(
    of key: FieldKey, _ options: TextOptions, in table: FieldTable
  ) throws -> UInt16 {
    var table = table
    return try table.slot(of: .field(key), options)
  }

  private func check(_ table: borrowing FieldTable, _ model: [Form: UInt16], _ names: [String]) {
    for name in names {
      let slots = (0..<4).map { model[Form(name: name, options: $0)] ?? 0 }
      #expect(forms(table, name) ?? [0, 0, 0, 0] == slots, "\(name)")
    }
    #expect(Set(model.values).count == model.count, "no two forms share a slot")
    for (form, slot) in model {
      let plain = form.options == 0 ? nil : model[Form(name: form.name, options: 0)]
      #expect(table.isUsed(slot) && table.plainSlot(ofForm: slot) == plain)
    }
  }

  @Test(arguments: 0..<6) func `the table has the slots of a plain dictionary`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    var table = FieldTable()
    var model: [Form: UInt16] = [:]
    let names = (0..<60).map { "f\($0)" + String(repeating: "x", count: $0 % 20) }
    for step in 0..<700 {
      let form = Form(name: random.one(of: names), options: UInt8(random.below(4)))
      // A folded form is released before the plain one, as an index does.
      let hasForms = (1..<4).contains { model[Form(name: form.name, options: $0)] != nil }
      if let slot = model[form], step % 100 > 50, form.options != 0 || !hasForms {
        table.remove(slot)
        model[form] = nil
        #expect(!table.isUsed(slot))
      } else {
        let path = FieldPath.field(FieldKey(stored: form.name))
        let slot = try table.slot(of: path, TextOptions(rawValue: form.options))
        #expect(model[form] == nil || model[form] == slot, "a known form keeps its slot")
        model[form] = slot
        let plain = Form(name: form.name, options: 0)
        if model[plain] == nil { model[plain] = try table.slot(of: path, []) }
      }
      if step % 70 == 0 { check(table, model, names) }
    }
    check(table, model, names)
    #expect(table.slotCount <= names.count * 4 + SystemField.allCases.count)
  }

  @Test func `released slots are given out again before new ones`() throws {
    var table = FieldTable()
    let slots = try (0..<5).map { try table.slot(of: .field(FieldKey(stored: "f\($0)")), []) }
    #expect(slots == [5, 6, 7, 8, 9])
    for slot in slots { table.remove(slot) }
    let free = table.freeSlotCount
    #expect(free == FieldTable.slotsMaximum - SystemField.allCases.count)
    let again = try (0..<5).map { try table.slot(of: .field(FieldKey(stored: "g\($0)")), []) }
    #expect(Set(again) == Set(slots) && table.slotCount == 10)
    #expect(forms(table, "f0") == nil)
  }

  @Test func `names that come and go take no more memory, and the resting ones are found`() throws {
    var table = FieldTable()
    let resting = try (0..<20).map { try table.slot(of: .field(FieldKey(stored: "kept\($0)")), []) }
    var bytes = 0
    for number in 0..<4000 {
      let name = "temporary\(number)" + String(repeating: "y", count: number % 90)
      let slot = try table.slot(of: .field(FieldKey(stored: name)), [])
      table.newSlots.removeAll()
      table.remove(slot)
      if number == 1000 { bytes = table.byteCount }
    }
    // A leak would be 170 KB.
    #expect(table.byteCount < bytes + (32 << 10), "\(table.byteCount) after \(bytes)")
    for (number, slot) in resting.enumerated() {
      #expect(forms(table, "kept\(number)") == [slot, 0, 0, 0])
    }
  }

  @Test func `system fields have fixed slots, and only two of them need accounts`() throws {
    for field in SystemField.allCases {
      var table = FieldTable()
      #expect(try table.slot(of: .system(field), []) == UInt16(field.rawValue))
      let isAccount = field == .creatorUserRecordID || field == .lastModifiedUserRecordID
      #expect(table.usesAccounts == isAccount && table.newSlots.isEmpty)
    }
  }

  @Test func `parts of entries have slots of their own, by name and options`() throws {
    var table = FieldTable()
    let paths: [(FieldPath, TextOptions)] = [
      (.entry("phones", "value"), []), (.entry("phones", "label"), []),
      (.entry("phones", "value"), .caseInsensitive), (.entry("emails", "value"), []),
    ]
    let slots = try paths.map { try table.slot(of: $0.0, $0.1) }
    #expect(Set(slots).count == 4)
    #expect(try paths.map { try table.slot(of: $0.0, $0.1) } == slots)
    table.remove(slots[1])
    #expect(try table.slot(of: .entry("phones", "value"), []) == slots[0])
    #expect(!table.isUsed(slots[1]))
  }

  @Test func `an account without slots left and a full table have different errors`() throws {
    var table = FieldTable()
    table.newSlotsMaximum = 2
    _ = try table.slot(of: .field("a"), .caseInsensitive)
    let quota = #expect(throws: RecordsError.self) { try self.slot(of: "b", [], in: table) }
    #expect(quota?.code == .quotaExceeded && quota?.reason == "subscriptionFields")
    #expect(throws: Never.self) { try self.slot(of: "a", .caseInsensitive, in: table) }
    table.newSlotsMaximum = .max
    while table.freeSlotCount > 0 { _ = try table.newSlot() }
    #expect(table.slotCount == FieldTable.slotsMaximum)
    let full = #expect(throws: RecordsError.self) { try self.slot(of: "b", [], in: table) }
    #expect(full?.code == .limitExceeded)
  }
}
