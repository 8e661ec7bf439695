import PredicateWorld
import Predicates
import Records
import Testing

@testable import Matching

@Suite("B1 slots of elements")
struct ElementUsesTests {
  @Test(arguments: 0..<3) func `the slots of a field are those added and not removed`(seed: UInt64)
  {
    var random = SeededGenerator(seed: seed)
    var uses = ElementUses()
    var model: [ElementUse.Key: UInt16] = [:]
    var next = UInt16(100)
    for _ in 0..<600 {
      let key = ElementUse.Key(
        field: UInt16(random.below(4)), part: random.one(of: [[], [97], [97, 98]]),
        options: TextOptions(rawValue: UInt8(random.below(4))))
      if let slot = model.removeValue(forKey: key) {
        uses.remove(slot)
        #expect(uses.field(ofElementsIn: slot) == nil)
      } else {
        uses.add(ElementUse(key: key, slot: next))
        model[key] = next
        next += 1
      }
      #expect(uses.slot(of: key) == model[key] && uses.isEmpty == model.isEmpty)
      for field in 0..<UInt16(4) {
        let expected = Set(model.filter { $0.key.field == field }.values)
        #expect(Set(uses.ofField(field).map(\.slot)) == expected, "seed \(seed)")
        #expect(expected.allSatisfy { uses.field(ofElementsIn: $0) == field })
      }
    }
    uses.remove(9999)
    #expect(uses.field(ofElementsIn: 9999) == nil)
  }
}
