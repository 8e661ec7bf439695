// Records with fields of every kind, some named like keywords or system fields, and variations of a
// record that differ in a few fields.

import PredicateOracle
import PredicateWorld
import Records

/// Generates random records.
enum OracleRecords {
  /// Names that can only be written with `#`.
  static let keywords = ["in", "any", "Between", "nil", "true", "SELF", "recordID", "creationDate"]
  static let keys =
    ["name", "city", "age", "score", "flag", "born", "blob", "place", "parent", "photo", "tags"]
    + ["scores", "phones", "misc", "later", "absent"] + keywords

  /// Fields that predicates test more often than the rest.
  static let commonKeys = [
    "name", "city", "name", "city", "tags", "tags", "tags", "phones", "phones",
  ]

  static func record(_ random: inout SeededGenerator) -> OracleRecord {
    var record = OracleRecord(fields: [:], system: system(&random))
    for key in keys where random.percent(85) { record.fields[key] = value(of: key, &random) }
    record.fields["absent"] = nil
    return record
  }

  /// Returns `record` with a few fields varied, replaced or removed.
  static func changed(_ record: OracleRecord, _ random: inout SeededGenerator) -> OracleRecord {
    var changed = record
    for _ in 0..<1 + random.below(4) {
      let key = random.one(of: keys.filter { $0 != "absent" })
      switch random.below(6) {
      case 0: changed.fields[key] = nil
      case 1: changed.fields[key] = NastyValues.scalar(&random)
      case 2, 3: changed.fields[key] = value(of: key, &random)
      default: changed.fields[key] = changed.fields[key].map { NastyValues.near($0, &random) }
      }
      if case .entries? = changed.fields[key], key != "phones" { changed.fields[key] = nil }
    }
    if random.percent(40) { changed.system = system(&random) }
    return changed
  }

  private static func value(of key: String, _ random: inout SeededGenerator) -> OracleValue {
    switch key {
    case "name", "city", "SELF": .text(NastyTexts.text(&random))
    case "age": .whole(random.one(of: NastyValues.wholes))
    case "score": NastyValues.number(&random)
    case "flag": .boolean(random.percent(50))
    case "born": .moment(random.one(of: NastyValues.moments))
    case "blob": NastyValues.bytes(&random)
    case "place": NastyValues.place(&random)
    case "parent": .reference(random.one(of: NastyValues.names))
    case "photo": NastyValues.asset(&random)
    case "tags": .list(tags(&random))
    case "scores": .list((0..<random.below(4)).map { _ in NastyValues.number(&random) })
    case "phones": .entries(entries(&random))
    case "later": .foreign([0x7A, 0x02, 0x01, 0x02])
    default: NastyValues.scalar(&random)
    }
  }

  /// Returns a list that often contains only texts, so that ALL can be true.
  private static func tags(_ random: inout SeededGenerator) -> [OracleValue] {
    let isMixed = random.percent(30)
    return (0..<random.below(4)).map { _ in
      isMixed ? NastyValues.scalar(&random) : .text(NastyTexts.text(&random))
    }
  }

  private static func entries(_ random: inout SeededGenerator) -> [[String: OracleValue]] {
    (0..<random.below(4)).map { _ in
      var parts: [String: OracleValue] = [:]
      if random.percent(80) { parts["value"] = .text(NastyTexts.text(&random)) }
      if random.percent(60) { parts["label"] = NastyValues.scalar(&random) }
      if random.percent(30) { parts["in"] = NastyValues.number(&random) }
      return parts
    }
  }

  private static func system(_ random: inout SeededGenerator) -> [String: OracleValue] {
    [
      "recordID": .reference(random.one(of: NastyValues.names)),
      "creationDate": .moment(random.one(of: NastyValues.moments)),
      "modificationDate": .moment(random.one(of: NastyValues.moments)),
      "creatorUserRecordID": .reference(random.one(of: NastyValues.accounts)),
      "lastModifiedUserRecordID": .reference(random.one(of: NastyValues.accounts)),
    ]
  }
}
