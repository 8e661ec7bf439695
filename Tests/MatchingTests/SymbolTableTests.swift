// The table of keys, compared with a dictionary. Keys of seven bytes are stored inline, longer ones apart.

import PredicateWorld
import Predicates
import Records
import Testing

@testable import Matching

@Suite("B1 the keys of the index")
struct SymbolTableTests {
  private struct Key: Hashable {
    var kind: UInt8
    var slot: UInt16
    var bytes: [UInt8]
    var bits: UInt64

    func with<Result>(_ body: (SymbolKey) -> Result) -> Result {
      guard isKeyOfBytes(kind) else { return body(SymbolKey(kind, slot: slot, bits: bits)) }
      return bytes.withUnsafeBufferPointer {
        body(SymbolKey(kind, slot: slot, start: $0.baseAddress, count: $0.count))
      }
    }
  }

  private static func key(_ random: inout SeededGenerator) -> Key {
    var key = Key(kind: 0, slot: UInt16(random.below(3)), bytes: [], bits: 0)
    key.kind = random.one(of: [
      KeyKind.text, KeyKind.bytes, KeyKind.prefix, KeyKind.whole, KeyKind.date, KeyKind.trigram,
      KeyKind.wholeCell + 3,
    ])
    if isKeyOfBytes(key.kind) {
      // Few different bytes, so that keys differ in kind, slot or length alone.
      let count = random.one(of: [0, 1, 6, 7, 8, 9, 15, 16, 17, 40, 300])
      key.bytes = [UInt8](repeating: UInt8(random.below(2)), count: count)
      if count > 0, random.percent(50) { key.bytes[count - 1] = 9 }
    } else {
      key.bits = random.one(of: [0, 1, 1 << 63, .max, 0x8000_0000_0000_0001])
    }
    return key
  }

  @Test(arguments: 0..<4) func `the table has the keys and references of a plain dictionary`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var table = SymbolTable()
    var model: [Key: (symbol: UInt32, uses: Int)] = [:]
    for step in 0..<4000 {
      let key = Self.key(&random)
      // Phases of growth and of decline.
      if step / 1000 % 2 == 0 || model.isEmpty {
        let symbol = key.with { table.acquire($0) }
        if let known = model[key] { #expect(known.symbol == symbol, "seed \(seed)") }
        model[key] = (symbol, (model[key]?.uses ?? 0) + 1)
      } else if let known = model[key] {
        table.release(known.symbol)
        model[key] = known.uses > 1 ? (known.symbol, known.uses - 1) : nil
      }
      let found = key.with { table.find($0) }
      #expect(found == model[key]?.symbol ?? 0, "seed \(seed): \(key)")
    }
    #expect(table.count == model.count && Set(model.values.map(\.symbol)).count == model.count)
    for (key, known) in model {
      #expect(key.with { table.find($0) } == known.symbol)
      #expect(Int(table[known.symbol].uses) == known.uses)
      for _ in 0..<known.uses { table.release(known.symbol) }
      #expect(key.with { table.find($0) } == 0)
    }
    #expect(table.count == 0)
  }

  @Test func `keys that come and go take no more memory than those of one round`() {
    var table = SymbolTable()
    var bytes = 0
    for round in 0..<40 {
      let keys = (0..<200).map { number in
        Key(kind: KeyKind.text, slot: 1, bytes: Array("round\(round) key \(number)".utf8), bits: 0)
      }
      let symbols = keys.map { $0.with { table.acquire($0) } }
      #expect(Set(symbols).count == 200)
      for symbol in symbols { table.release(symbol) }
      if round == 9 { bytes = table.byteCount }
    }
    #expect(table.count == 0 && table.byteCount <= bytes + 8192, "\(table.byteCount)")
  }

  @Test func `a double that equals an integer has its key, and kinds without keys have none`() {
    func key(_ value: Value) -> [UInt64]? {
      value.withView { view in
        SymbolKey(value: view, slot: 3).map { [UInt64($0.kind), $0.bits, UInt64($0.count)] }
      }
    }
    for number in [Int64.min, -1, 0, 1, 1 << 53] {
      #expect(key(.int64(number)) == key(.double(Double(number))), "\(number)")
    }
    #expect(key(.double(-0.0)) == key(.int64(0)) && key(.boolean(true)) == key(.int64(1)))
    #expect(key(.double(0.5)) != key(.int64(0)) && key(.double(0x1p63)) != key(.int64(.max)))
    #expect(key(.date(Timestamp(microseconds: 1))) != key(.int64(1)))
    #expect(key(.string("r")) != key(.bytes(Array("r".utf8))))
    let place = Location(latitudeDegrees: 1, longitudeDegrees: 2)
    for value in [Value.location(place), .list([.int64(1)]), .entries([]), .double(.nan)] {
      #expect(key(value) == nil, "\(value)")
    }
  }
}
