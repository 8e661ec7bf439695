// Generates texts of predicates: every operator, option and kind of value, in any case, with or without
// blanks. They test the fields of a given record and often match it.

import PredicateOracle
import PredicateWorld

/// Generates random predicates for a record.
struct OraclePhrases {
  private(set) var arguments: [OracleValue] = []
  var random: SeededGenerator
  let record: OracleRecord

  private static let orders = ["==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"]
  private static let turned = ["<": ">", "<=": ">=", "=<": ">=", ">": "<", ">=": "<=", "=>": "=<"]

  init(about record: OracleRecord, _ random: SeededGenerator) {
    self.record = record
    self.random = random
  }

  /// Returns a predicate of at most `depth` levels.
  mutating func predicate(_ depth: Int) -> String {
    guard depth > 0, random.percent(45) else { return term() }
    switch random.below(5) {
    case 0: return "\(keyword("NOT")) \(group(depth))"
    case 1: return "!(\(predicate(depth - 1)))"
    case 2: return "\(group(depth)) \(keyword("AND")) \(group(depth))"
    case 3: return "\(group(depth))\(random.one(of: ["&&", " || ", "\n||\t"]))\(group(depth))"
    default: return "\(group(depth)) \(keyword("OR")) \(group(depth))"
    }
  }

  private mutating func group(_ depth: Int) -> String {
    random.percent(60) ? "(\(predicate(depth - 1)))" : predicate(depth - 1)
  }

  mutating func keyword(_ word: String) -> String {
    switch random.below(4) {
    case 0: word.lowercased()
    case 1: String(word.map { random.percent(50) ? Character($0.lowercased()) : $0 })
    default: word
    }
  }

  private mutating func term() -> String {
    switch random.below(30) {
    case 0: return keyword(random.one(of: ["TRUEPREDICATE", "FALSEPREDICATE"]))
    case 1, 2: return words()
    case 3, 4: return distance()
    case 5, 6, 7: return system()
    case 8: return "\(name(random.one(of: OracleRecords.keys))) \(absence())"
    default: return own(random.one(of: OracleRecords.keys + OracleRecords.commonKeys))
    }
  }

  private mutating func absence() -> String {
    "\(random.one(of: ["==", "!=", "=", "<>"])) \(keyword(random.one(of: ["nil", "NULL"])))"
  }

  mutating func name(_ key: String) -> String {
    OracleRecords.keywords.contains(key) || random.percent(10) ? "#\(key)" : key
  }

  private mutating func words() -> String {
    guard case .text(let text)? = record.fields[random.one(of: ["name", "city", "misc", "SELF"])]
    else { return "\(keyword("SELF")) \(keyword("CONTAINS")) 'zz lind'" }
    let words = NastyTexts.near(random.percent(50) ? text : NastyTexts.part(text, &random), &random)
    let literal = literal(.text("zz " + String(words.unicodeScalars.prefix(200))))
    return "\(keyword("SELF")) \(keyword("CONTAINS")) \(literal)"
  }

  private mutating func distance() -> String {
    let key = random.percent(80) ? "place" : random.one(of: OracleRecords.keys)
    let (latitude, longitude) = random.one(of: NastyValues.places)
    var metres = random.one(of: [0.5, 500, 1e6, 1.2e7, 2e7, 3e7])
    if case .place(let north, let east)? = record.fields[key] {
      let exact = OracleSphere.metres((north, east), (latitude, longitude))
      // NB: exactly this distance would leave the result to rounding.
      if exact > 1 { metres = exact * random.one(of: [0.501, 0.999, 1.001, 1.999]) }
    }
    let isTurned = random.percent(20)
    let (field, place) = (name(key), literal(.place(latitude, longitude)))
    let sign = random.one(of: ["<", "<=", ">", ">="])
    let distance = "distanceToLocation:fromLocation:(\(field), \(place))"
    guard !isTurned else { return "\(metres) \(Self.turned[sign] ?? sign) \(distance)" }
    return "\(distance) \(sign) \(metres)"
  }

  private mutating func system() -> String {
    let key = random.one(of: OracleRecord.systemNames)
    guard case .reference(let known)? = record.system[key] else {
      if random.percent(20) { return "\(key) \(random.one(of: Self.orders)) now()" }
      let date = record.system[key] ?? .moment(0)
      return comparison(key, with: NastyValues.near(date, &random), mayTurn: true)
    }
    let options: [OracleValue] = [
      .reference(known), .text(known), NastyValues.other(.reference(known), &random),
    ]
    if random.percent(30) {
      let names = (0..<random.below(3)).map { _ in random.one(of: options) }
      return "\(key) \(keyword("IN")) \(list(names))"
    }
    return "\(key) \(random.one(of: ["==", "!="])) \(literal(random.one(of: options)))"
  }

  private mutating func own(_ key: String) -> String {
    let value = record.fields[key]
    switch value {
    case .list(let elements)?: return ofList(key, elements)
    case .entries(let entries)?:
      let part = random.one(of: ["value", "value", "label", "in"])
      let known = entries.compactMap { $0[part] }
      let target = "\(quantifier()) \(name(key)).\(part)"
      if random.percent(15) { return "\(target) \(absence())" }
      return comparison(target, known.isEmpty ? nil : random.one(of: known))
    default:
      if random.percent(4) { return comparison("\(quantifier()) \(name(key))", value) }
      if random.percent(2) { return comparison("\(quantifier()) \(name(key)).value", value) }
      return comparison(name(key), value, mayTurn: true)
    }
  }

  private mutating func quantifier() -> String {
    keyword(random.one(of: ["ANY", "SOME", "ALL", "NONE"]))
  }

  private mutating func ofList(_ key: String, _ elements: [OracleValue]) -> String {
    let element = elements.isEmpty ? nil : random.one(of: elements)
    switch random.below(10) {
    case 0...5: return comparison("\(quantifier()) \(name(key))", element)
    case 6:
      let sought = sought(element)
      return "\(name(key)) \(keyword("CONTAINS"))\(options(sought)) \(literal(sought))"
    case 7:
      let sought = sought(element)
      return "\(literal(sought)) \(keyword("IN"))\(options(sought)) \(name(key))"
    default:
      let other = random.percent(60) ? elements : elements.map { NastyValues.near($0, &random) }
      let shorter = random.percent(80) ? other : other.dropLast()
      let sign = random.one(of: ["==", "!="])
      guard random.percent(30) else { return "\(name(key)) \(sign) \(list(shorter))" }
      return "\(list(shorter)) \(sign) \(name(key))"
    }
  }

  /// `target` compared with something that is near to `value`.
  private mutating func comparison(
    _ target: String, _ value: OracleValue?, mayTurn: Bool = false
  ) -> String {
    comparison(target, with: sought(value), mayTurn: mayTurn)
  }

  private mutating func comparison(
    _ target: String, with sought: OracleValue, mayTurn: Bool
  ) -> String {
    switch sought {
    case .text(let text) where random.percent(55): return ofText(target, text)
    case .text, .whole, .real, .moment:
      if random.percent(20) { return between(target, sought) }
      if random.percent(20) { return within(target, sought) }
      let sign = random.one(of: Self.orders)
      let isOther = ["!=", "<>"].contains(sign) && random.percent(40)
      let sought = isOther ? NastyValues.other(sought, &random) : sought
      let options = options(sought)
      guard mayTurn, random.percent(30) else {
        return "\(target)\(blank(sign))\(sign)\(options) \(literal(sought))"
      }
      return "\(literal(sought))\(blank(sign))\(Self.turned[sign] ?? sign)\(options) \(target)"
    default:
      if random.percent(30) { return within(target, sought) }
      if mayTurn, random.percent(10) {
        return "\(target) \(keyword("CONTAINS")) \(literal(sought))"
      }
      return "\(target) \(random.one(of: ["==", "!=", "="])) \(literal(sought))"
    }
  }

  private mutating func sought(_ value: OracleValue?) -> OracleValue {
    let known = value ?? NastyValues.scalar(&random)
    switch known {
    case .entries, .foreign, .list: return NastyValues.scalar(&random)
    default:
      return random.percent(3) ? NastyValues.scalar(&random) : NastyValues.near(known, &random)
    }
  }

  private mutating func between(_ target: String, _ sought: OracleValue) -> String {
    let pair = random.percent(50) ? (sought, NastyValues.other(sought, &random)) : (sought, sought)
    let bounds = [pair.0, pair.1].map { bound -> OracleValue in
      if case .boolean(let truth) = bound { .whole(truth ? 1 : 0) } else { bound }
    }
    let ordered = random.percent(50) ? bounds : bounds.reversed()
    return "\(target) \(keyword("BETWEEN"))\(options(sought)) \(list(ordered))"
  }

  private mutating func within(_ target: String, _ sought: OracleValue) -> String {
    let others = (0..<random.below(3)).map { _ in NastyValues.other(sought, &random) }
    let isSystem = OracleRecord.systemNames.contains(target)
    let mixed = random.percent(20) && !isSystem ? [NastyValues.scalar(&random)] : []
    let list = (random.percent(70) ? [sought] : []) + others
    if case .text = sought, !list.isEmpty {
      return "\(target) \(keyword("IN"))\(options(sought)) \(self.list(list))"
    }
    return "\(target) \(keyword("IN")) \(self.list(list + mixed))"
  }

  private mutating func ofText(_ target: String, _ text: String) -> String {
    let part = NastyTexts.part(text, &random)
    if !target.contains(" "), random.percent(10) {
      return "\(literal(.text(part))) \(keyword("IN"))\(options(.text(""))) \(target)"
    }
    let sign = random.one(of: ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"])
    let sought = sign == "LIKE" ? pattern(text, part) : random.percent(85) ? part : text
    return "\(target) \(keyword(sign))\(options(.text(""))) \(literal(.text(sought)))"
  }

  private mutating func pattern(_ text: String, _ part: String) -> String {
    let masked = text.unicodeScalars.map { scalar -> String in
      if "*?\\".unicodeScalars.contains(scalar), random.percent(70) { return "\\\(scalar)" }
      return random.percent(10) ? random.one(of: ["?", "*"]) : String(scalar)
    }
    let prefix = masked.prefix(random.below(masked.count + 1)).joined()
    return random.one(of: [
      masked.joined(), masked.joined(), prefix + "*", "*\(part)*", "\(part)*", "*?\(part)", "*",
      "?*", "\\\(part)", part,
    ])
  }

  private mutating func options(_ value: OracleValue) -> String {
    guard case .text = value, random.percent(65) else { return "" }
    return "[" + keyword(random.one(of: ["c", "d", "cd"])) + "]"
  }

  private mutating func blank(_ sign: String) -> String { random.percent(70) ? " " : "" }
}

// Values, as literals or bound.
extension OraclePhrases {
  private mutating func list(_ values: [OracleValue]) -> String {
    if random.percent(25) {
      arguments.append(.list(values))
      return "%@"
    }
    let comma = random.one(of: [",", ", ", " ,\n"])
    return "{" + values.map { literal($0) }.joined(separator: comma) + "}"
  }

  private mutating func literal(_ value: OracleValue) -> String {
    var writer = OracleWriter(random)
    defer { random = writer.random }
    if let written = random.percent(25) ? nil : writer.literal(value) { return written }
    arguments.append(value)
    return "%@"
  }
}
