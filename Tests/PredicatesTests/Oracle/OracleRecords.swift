// Records with fields of every kind, some of them named like keywords or like system fields, and
// records that differ from one in a field or two.

import PredicateOracle
import PredicateWorld
import Records

/// Draws records, and gives them to the product.
enum OracleRecords {
  /// Names that can only be written with `#`.
  static let keywords = ["in", "any", "Between", "nil", "true", "SELF", "recordID", "creationDate"]
  static let keys =
    ["name", "city", "age", "score", "flag", "born", "blob", "place", "parent", "photo", "tags"]
    + ["scores", "phones", "misc", "later", "absent"] + keywords

  /// Fields that predicates are about more often than about others.
  static let commonKeys = [
    "name", "city", "name", "city", "tags", "tags", "tags", "phones", "phones",
  ]

  static func record(_ dice: inout SeededDice) -> OracleRecord {
    var record = OracleRecord(fields: [:], system: system(&dice))
    for key in keys where dice.percent(85) { record.fields[key] = value(of: key, &dice) }
    record.fields["absent"] = nil
    return record
  }

  /// `record` with a few fields changed a little, changed, or removed.
  static func changed(_ record: OracleRecord, _ dice: inout SeededDice) -> OracleRecord {
    var changed = record
    for _ in 0..<1 + dice.below(4) {
      let key = dice.one(of: keys.filter { $0 != "absent" })
      switch dice.below(6) {
      case 0: changed.fields[key] = nil
      case 1: changed.fields[key] = NastyValues.scalar(&dice)
      case 2, 3: changed.fields[key] = value(of: key, &dice)
      default: changed.fields[key] = changed.fields[key].map { NastyValues.near($0, &dice) }
      }
      if case .entries? = changed.fields[key], key != "phones" { changed.fields[key] = nil }
    }
    if dice.percent(40) { changed.system = system(&dice) }
    return changed
  }

  private static func value(of key: String, _ dice: inout SeededDice) -> OracleValue {
    switch key {
    case "name", "city", "SELF": .text(NastyTexts.text(&dice))
    case "age": .whole(dice.one(of: NastyValues.wholes))
    case "score": NastyValues.number(&dice)
    case "flag": .boolean(dice.percent(50))
    case "born": .moment(dice.one(of: NastyValues.moments))
    case "blob": NastyValues.bytes(&dice)
    case "place": NastyValues.place(&dice)
    case "parent": .reference(dice.one(of: NastyValues.names))
    case "photo": NastyValues.asset(&dice)
    case "tags": .list(tags(&dice))
    case "scores": .list((0..<dice.below(4)).map { _ in NastyValues.number(&dice) })
    case "phones": .entries(entries(&dice))
    case "later": .foreign([0x7A, 0x02, 0x01, 0x02])
    default: NastyValues.scalar(&dice)
    }
  }

  /// Often all texts, so that ALL can hold.
  private static func tags(_ dice: inout SeededDice) -> [OracleValue] {
    let isMixed = dice.percent(30)
    return (0..<dice.below(4)).map { _ in
      isMixed ? NastyValues.scalar(&dice) : .text(NastyTexts.text(&dice))
    }
  }

  private static func entries(_ dice: inout SeededDice) -> [[String: OracleValue]] {
    (0..<dice.below(4)).map { _ in
      var parts: [String: OracleValue] = [:]
      if dice.percent(80) { parts["value"] = .text(NastyTexts.text(&dice)) }
      if dice.percent(60) { parts["label"] = NastyValues.scalar(&dice) }
      if dice.percent(30) { parts["in"] = NastyValues.number(&dice) }
      return parts
    }
  }

  private static func system(_ dice: inout SeededDice) -> [String: OracleValue] {
    [
      "recordID": .reference(dice.one(of: NastyValues.names)),
      "creationDate": .moment(dice.one(of: NastyValues.moments)),
      "modificationDate": .moment(dice.one(of: NastyValues.moments)),
      "creatorUserRecordID": .reference(dice.one(of: NastyValues.accounts)),
      "lastModifiedUserRecordID": .reference(dice.one(of: NastyValues.accounts)),
    ]
  }
}
