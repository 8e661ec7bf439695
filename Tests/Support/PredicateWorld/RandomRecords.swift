// Records with values from small sets, so that random predicates often hold: few texts that differ in case,
// diacritics and normalization, few numbers of both kinds, and fields that are missing or of another kind.

import Predicates
import Records

/// Draws records.
package enum RandomRecords {
  /// Texts, many of which are equal under some options.
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
  /// Real numbers, including whole ones.
  package static let reals: [Double] = [
    -1.5, -0.0, 0.5, 1, 2.5, 18, 0x1p53, 9.3e18, -1e300, 1e-100, 0.1, 1.25,
  ]
  /// Times.
  package static let times = [-1, 0, 1_000_000, 1_700_000_000_000_000, 1_700_000_000_000_001].map {
    Timestamp(microseconds: $0)
  }
  /// Locations, including the poles and the antimeridian.
  package static let places = [
    (59.33, 18.06), (59.34, 18.07), (57.7, 11.97), (-33.9, 151.2), (0, 179.99), (0, -179.99),
    (90, 0), (-90, 10), (89.9, 180), (0, 0),
  ].map { Location(latitudeDegrees: $0.0, longitudeDegrees: $0.1) }
  /// Names of records.
  package static let names = ["a", "b", "c", "person-1"].map { RecordName(stored: $0) }

  /// Returns a value that a list may contain.
  package static func scalar(_ generator: inout SeededGenerator) -> Value {
    switch generator.below(12) {
    case 0...4: .string(generator.one(of: texts))
    case 5, 6: .int64(generator.one(of: wholes))
    case 7: .double(generator.one(of: reals))
    case 8: .boolean(generator.percent(50))
    case 9: .date(generator.one(of: times))
    case 10: .bytes([UInt8](repeating: 7, count: generator.below(3)))
    default:
      switch generator.below(3) {
      case 0: .location(generator.one(of: places))
      case 1: .reference(Reference(record: generator.one(of: names), action: .none))
      default: .asset(asset(generator.below(2)))
      }
    }
  }

  /// Returns the fields of a record.
  package static func fields(_ generator: inout SeededGenerator) -> Fields {
    var fields = Fields()
    for key in ["name", "city", "note"] as [FieldKey] where generator.percent(75) {
      fields[key] = generator.percent(90) ? .string(generator.one(of: texts)) : scalar(&generator)
    }
    for key in ["age", "score"] as [FieldKey] where generator.percent(70) {
      fields[key] = number(&generator)
    }
    if generator.percent(60) { fields["born"] = .date(generator.one(of: times)) }
    if generator.percent(60) { fields["place"] = .location(generator.one(of: places)) }
    if generator.percent(60) {
      fields["parent"] = .reference(
        Reference(
          record: generator.one(of: names), action: generator.percent(50) ? .none : .deleteSelf))
    }
    if generator.percent(40) { fields["misc"] = scalar(&generator) }
    if generator.percent(70) {
      fields["tags"] = .list(
        (0..<generator.below(4)).map { _ in
          generator.percent(70) ? .string(generator.one(of: texts)) : scalar(&generator)
        })
    }
    if generator.percent(70) { fields["phones"] = .entries(entries(&generator)) }
    return fields
  }

  /// Returns fields that name no other record and no file, which would have to exist.
  package static func fieldsAlone(_ generator: inout SeededGenerator) -> Fields {
    Fields(
      fields(&generator).all.filter { field in
        switch field.value {
        case .list, .reference: false
        default: Fields([(field.key, field.value)]).assets.isEmpty
        }
      }.map { ($0.key, $0.value) })
  }

  /// Returns the system fields of a record.
  package static func system(_ generator: inout SeededGenerator) -> SystemFields {
    SystemFields(
      name: generator.one(of: names), created: stamp(&generator), modified: stamp(&generator))
  }

  /// Returns `fields` with some values replaced, as after an edit.
  package static func edited(_ fields: Fields, _ generator: inout SeededGenerator) -> Fields {
    let other = self.fields(&generator)
    var edited = fields
    for key in Set(fields.keys + other.keys).sorted() where generator.percent(20) {
      edited[key] = other[key]
    }
    return edited
  }

  static func number(_ generator: inout SeededGenerator) -> Value {
    generator.percent(60) ? .int64(generator.one(of: wholes)) : .double(generator.one(of: reals))
  }

  private static func asset(_ number: Int) -> Asset {
    Asset(digest: [UInt8](repeating: UInt8(number), count: 32), sizeBytes: UInt64(number))
  }

  private static func entries(_ generator: inout SeededGenerator) -> [Entry] {
    (0..<generator.below(4)).map { index in
      var fields = Fields()
      if generator.percent(80) { fields["value"] = .string(generator.one(of: texts)) }
      if generator.percent(50) { fields["label"] = scalar(&generator) }
      return Entry(id: EntryID(UInt128(index + 1)), position: .between(nil, nil), fields: fields)
    }
  }

  private static func stamp(_ generator: inout SeededGenerator) -> Stamp {
    let account = AccountID(UInt128(generator.below(3) + 1))
    let origin = Origin(account: account, device: DeviceID(1), request: RequestNumber(1))
    return Stamp(time: generator.one(of: times), origin: origin)
  }
}
