// The rights of the public database as whoever runs a broker writes them:
// `Post: create account, read everyone, write creator; *: create nobody`. What is left out of a type is
// as `*` says, and what `*` leaves out is the default. Everything that would mean nothing, or something
// else than it says, is refused with a sentence.

import Records

extension PublicRights {
  /// Reads them.
  /// - Throws: `invalidArguments` with what is wrong.
  package init(_ text: String) throws(RecordsError) {
    var rest = Rule()
    var words: [(type: RecordType, rights: [Substring])] = []
    var hasRest = false
    for part in text.split(separator: ";").map(Self.trimmed) where !part.isEmpty {
      let halves = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = Self.trimmed(halves[0])
      guard halves.count == 2 else {
        throw .invalid("“\(part)” is not a record type, a colon and its rights.")
      }
      let rights = halves[1].split(separator: ",").map(Self.trimmed)
      if name == "*" {
        guard !hasRest else { throw .invalid("The rights of “*” are given twice.") }
        hasRest = true
        rest = try Self.rule(rights, of: name, from: rest)
        continue
      }
      let type = try RecordType(String(name))
      guard !words.contains(where: { $0.type == type }) else {
        throw .invalid("The rights of “\(name)” are given twice.")
      }
      words.append((type, rights))
    }
    guard words.count <= Self.typesMax else {
      throw .limit("Types with rights of their own", limit: Self.typesMax, actual: words.count)
    }
    var rules: [RecordType: Rule] = [:]
    for (type, rights) in words {
      rules[type] = try Self.rule(rights, of: Substring(type.text), from: rest)
    }
    self.init(rest: rest, rules: rules)
  }

  private static func rule(
    _ rights: [Substring], of type: Substring, from rest: Rule
  ) throws(RecordsError) -> Rule {
    var rule = rest
    var seen: Set<Substring> = []
    for right in rights {
      let words = right.split(whereSeparator: \.isWhitespace)
      guard words.count == 2, let circle = Circle(rawValue: String(words[1])) else {
        throw .invalid(
          "“\(right)” is not a right: create, read or write, and everyone, account, creator or "
            + "nobody.")
      }
      guard seen.insert(words[0]).inserted else {
        throw .invalid("The right to \(words[0]) “\(type)” is given twice.")
      }
      switch words[0] {
      case "create": rule.create = circle
      case "read": rule.read = circle
      case "write": rule.write = circle
      default:
        throw .invalid("“\(words[0])” is no right: there are create, read and write.")
      }
    }
    try rule.check(type)
    return rule
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop(while: \.isWhitespace)
    return start.dropLast(start.reversed().prefix(while: \.isWhitespace).count)
  }
}

extension PublicRights.Rule {
  fileprivate func check(_ type: Substring) throws(RecordsError) {
    guard [.account, .nobody].contains(create) else {
      throw .invalid(
        "“create \(create.rawValue)” of “\(type)” means nothing: who makes a record is an "
          + "account. Write account or nobody.")
    }
    guard read != .nobody else {
      throw .invalid(
        "“read nobody” of “\(type)” cannot be: who made a record may read it. Write creator.")
    }
    guard write != .everyone else {
      throw .invalid(
        "“write everyone” of “\(type)” cannot be: who changes a record has an account. Write "
          + "account.")
    }
    guard write != .account || read != .creator else {
      throw .invalid(
        "Who may write a “\(type)” must be able to read it: “write account” needs "
          + "“read account” or “read everyone”.")
    }
  }
}
