import PredicateWorld
import Records

/// Random values, fields and records for the laws of the codec. Numbers and texts at the bounds are as
/// frequent as ordinary ones.
struct RandomValues {
  var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func text(upTo count: Int = 12) -> String {
    let pieces = [
      "a", "Z", "0", " ", "\u{0}", "é", "e\u{301}", "漢", "👩‍👧", "🇸🇪", "\r\n", "\u{7F}", "\u{85}",
    ]
    return (0..<generator.below(count + 1)).map { _ in generator.one(of: pieces) }.joined()
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }

  mutating func integer() -> Int64 {
    switch generator.below(3) {
    case 0: generator.one(of: [0, 1, -1, 63, 64, -64, -65, .max, .min, .max - 1, .min + 1])
    case 1: Int64(generator.below(1000)) - 500
    default: Int64(bitPattern: generator.next()) >> Int64(generator.below(64))
    }
  }

  mutating func number() -> Double {
    let special = [0, -0.0, 1, -1.5, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .pi]
    let drawn = Double(bitPattern: generator.next())
    return generator.percent(50) || !drawn.isFinite ? generator.one(of: special) : drawn
  }

  mutating func key() -> FieldKey {
    let letters = Array("abzAZ_059")
    let first = generator.one(of: ["a", "B", "z"])
    return FieldKey(
      stored: first + String((0..<generator.below(4)).map { _ in generator.one(of: letters) }))
  }

  mutating func name() -> RecordName {
    RecordName(stored: "r" + text(upTo: 4).filter { !String($0).hasControlCharacters })
  }

  mutating func scalar() -> Value {
    switch generator.below(10) {
    case 0: .string(text())
    case 1: .int64(integer())
    case 2: .double(number())
    case 3: .boolean(generator.percent(50))
    case 4: .date(Timestamp(microseconds: integer()))
    case 5: .bytes(bytes(generator.one(of: [0, 1, 30, 126, 127, 128, 129])))
    case 6:
      .location(
        Location(
          latitudeDegrees: generator.one(of: [-90, -0.0, 59.3, 90]),
          longitudeDegrees: generator.one(of: [-180, 0, 18.06, 180])))
    case 7:
      .reference(Reference(record: name(), action: generator.percent(50) ? .none : .deleteSelf))
    case 8:
      .asset(Asset(digest: bytes(32), sizeBytes: generator.next() >> UInt64(generator.below(64))))
    default: .unknown([0x78, UInt8(generator.below(128))])
    }
  }

  mutating func value() -> Value {
    switch generator.below(8) {
    case 0: .list((0..<generator.below(6)).map { _ in scalar() })
    case 1: .entries((0..<generator.below(4)).map { entry(id: $0) })
    default: scalar()
    }
  }

  /// Returns an entry whose id differs from that of any other number.
  mutating func entry(id: Int) -> Entry {
    let id = UInt128(generator.next()) << 64 | UInt128(id)
    var content = Fields()
    for _ in 0..<generator.below(4) { content[key()] = scalar() }
    return Entry(
      id: EntryID(id), position: Position(stored: generator.one(of: ["", "V", "0z"])),
      fields: content)
  }

  mutating func fields(upTo count: Int = 8) -> Fields {
    var fields = Fields()
    for _ in 0..<generator.below(count + 1) { fields[key()] = value() }
    return fields
  }
}
