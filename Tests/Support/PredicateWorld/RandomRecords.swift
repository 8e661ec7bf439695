// Records from small domains, so that random predicates often hold: few texts that differ in case,
// accents and form, few numbers of both kinds, fields that are missing or of another kind.

import Predicates
import Records

/// Draws records.
package enum RandomRecords {
  /// Texts, many of them the same under some options.
  package static let texts = [
    "", "a", "A", "Åsa", "asa", "A\u{30A}sa", "Ünal", "unal", "Straße", "STRASSE", "Σίσυφος",
    "σίσυφοσ", "anna maria", "Anna-Maria", "maria", "+46 70", "+4670", "x*y", "x?y", "x\\y",
    "o'neil", "한글", "İstanbul", "istanbul", "kadın", "kadin", "ﬁne", "fine", "line\nbreak",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaab",
  ]
  /// Whole numbers.
  package static let wholes: [Int64] = [
    -1, 0, 1, 2, 3, 5, 18, 40, 1 << 53, 1 << 53 + 1, .min, .max,
  ]
  /// Real numbers, some of them whole.
  package static let reals: [Double] = [
    -1.5, -0.0, 0.5, 1, 2.5, 18, 0x1p53, 9.3e18, -1e300, 1e-100, 0.1, 1.25,
  ]
  /// Moments.
  package static let times = [-1, 0, 1_000_000, 1_700_000_000_000_000, 1_700_000_000_000_001].map {
    Timestamp(microseconds: $0)
  }
  /// Places, poles and the antimeridian among them.
  package static let places = [
    (59.33, 18.06), (59.34, 18.07), (57.7, 11.97), (-33.9, 151.2), (0, 179.99), (0, -179.99),
    (90, 0), (-90, 10), (89.9, 180), (0, 0),
  ].map { Location(latitudeDegrees: $0.0, longitudeDegrees: $0.1) }
  /// Names of records.
  package static let names = ["a", "b", "c", "person-1"].map { RecordName(stored: $0) }

  /// A value that can stand in a list.
  package static func scalar(_ dice: inout SeededDice) -> Value {
    switch dice.below(12) {
    case 0...4: .string(dice.one(of: texts))
    case 5, 6: .int64(dice.one(of: wholes))
    case 7: .double(dice.one(of: reals))
    case 8: .boolean(dice.percent(50))
    case 9: .date(dice.one(of: times))
    case 10: .bytes([UInt8](repeating: 7, count: dice.below(3)))
    default:
      switch dice.below(3) {
      case 0: .location(dice.one(of: places))
      case 1: .reference(Reference(record: dice.one(of: names), action: .none))
      default: .asset(asset(dice.below(2)))
      }
    }
  }

  /// A record's fields.
  package static func fields(_ dice: inout SeededDice) -> Fields {
    var fields = Fields()
    for key in ["name", "city", "note"] as [FieldKey] where dice.percent(75) {
      fields[key] = dice.percent(90) ? .string(dice.one(of: texts)) : scalar(&dice)
    }
    for key in ["age", "score"] as [FieldKey] where dice.percent(70) {
      fields[key] = number(&dice)
    }
    if dice.percent(60) { fields["born"] = .date(dice.one(of: times)) }
    if dice.percent(60) { fields["place"] = .location(dice.one(of: places)) }
    if dice.percent(60) {
      fields["parent"] = .reference(
        Reference(record: dice.one(of: names), action: dice.percent(50) ? .none : .deleteSelf))
    }
    if dice.percent(40) { fields["misc"] = scalar(&dice) }
    if dice.percent(70) {
      fields["tags"] = .list(
        (0..<dice.below(4)).map { _ in
          dice.percent(70) ? .string(dice.one(of: texts)) : scalar(&dice)
        })
    }
    if dice.percent(70) { fields["phones"] = .entries(entries(&dice)) }
    return fields
  }

  /// What the broker says about a record.
  package static func system(_ dice: inout SeededDice) -> SystemFields {
    SystemFields(name: dice.one(of: names), created: stamp(&dice), modified: stamp(&dice))
  }

  /// Some fields of a record changed, as an edit does.
  package static func edited(_ fields: Fields, _ dice: inout SeededDice) -> Fields {
    let other = self.fields(&dice)
    var edited = fields
    for key in Set(fields.keys + other.keys).sorted() where dice.percent(20) {
      edited[key] = other[key]
    }
    return edited
  }

  static func number(_ dice: inout SeededDice) -> Value {
    dice.percent(60) ? .int64(dice.one(of: wholes)) : .double(dice.one(of: reals))
  }

  private static func asset(_ number: Int) -> Asset {
    Asset(digest: [UInt8](repeating: UInt8(number), count: 32), sizeBytes: UInt64(number))
  }

  private static func entries(_ dice: inout SeededDice) -> [Entry] {
    (0..<dice.below(4)).map { index in
      var fields = Fields()
      if dice.percent(80) { fields["value"] = .string(dice.one(of: texts)) }
      if dice.percent(50) { fields["label"] = scalar(&dice) }
      return Entry(id: EntryID(UInt128(index + 1)), position: .between(nil, nil), fields: fields)
    }
  }

  private static func stamp(_ dice: inout SeededDice) -> Stamp {
    let account = AccountID(UInt128(dice.below(3) + 1))
    let origin = Origin(account: account, device: DeviceID(1), request: RequestNumber(1))
    return Stamp(time: dice.one(of: times), origin: origin)
  }
}
