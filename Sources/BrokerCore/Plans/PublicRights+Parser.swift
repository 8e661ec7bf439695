// Parses the operator's setting for public-database rights: `Post: create account, read everyone, write
// creator; *: create nobody`. A right that a type omits is taken from `*`; one that `*` omits is the
// default. A text that has no effect, or an effect other than it says, is an error.

import Records

extension PublicRights {
  /// Parses rights from the text of a setting.
  /// - Throws: `invalidArguments` with the first mistake, or `limitExceeded` if more than `typesMax` types
  ///   have rules.
  package init(_ text: String) throws(RecordsError) {
    var defaultRule = Rule()
    var words: [(type: RecordType, rights: [Substring])] = []
    var hasRest = false
    for part in text.split(separator: ";").map(Self.trimmed) where !part.isEmpty {
      let halves = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = Self.trimmed(halves[0])
      guard halves.count == 2 else {
        throw .invalid("“\(part)” is not of the form TYPE: PERMISSIONS.")
      }
      let rights = halves[1].split(separator: ",").map(Self.trimmed)
      if name == "*" {
        guard !hasRest else { throw .invalid("“*” appears twice.") }
        hasRest = true
        defaultRule = try Self.rule(rights, of: name, from: defaultRule)
        continue
      }
      let type = try RecordType(String(name))
      guard !words.contains(where: { $0.type == type }) else {
        throw .invalid("“\(name)” appears twice.")
      }
      words.append((type, rights))
    }
    guard words.count <= Self.typesMax else {
      throw .limit("Record types with permissions", limit: Self.typesMax, actual: words.count)
    }
    var rules: [RecordType: Rule] = [:]
    for (type, rights) in words {
      rules[type] = try Self.rule(rights, of: Substring(type.text), from: defaultRule)
    }
    self.init(defaultRule: defaultRule, rules: rules)
  }

  private static func rule(
    _ rights: [Substring], of type: Substring, from defaultRule: Rule
  ) throws(RecordsError) -> Rule {
    var rule = defaultRule
    var seen: Set<Substring> = []
    for right in rights {
      let words = right.split(whereSeparator: \.isWhitespace)
      guard words.count == 2, let circle = Grantee(rawValue: String(words[1])) else {
        throw .invalid(
          "“\(right)” is not a permission. Write create, read or write, and then everyone, account, "
            + "creator or nobody.")
      }
      guard seen.insert(words[0]).inserted else {
        throw .invalid("“\(words[0])” appears twice for “\(type)”.")
      }
      switch words[0] {
      case "create": rule.create = circle
      case "read": rule.read = circle
      case "write": rule.write = circle
      default:
        throw .invalid(
          "“\(words[0])” is not a permission. The permissions are create, read and write.")
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
        "“create \(create.rawValue)” is invalid for “\(type)”: only accounts can create "
          + "records. Write “account” or “nobody”.")
    }
    guard read != .nobody else {
      throw .invalid(
        "“read nobody” is invalid for “\(type)”: a record's creator can always read it. Write "
          + "creator.")
    }
    guard write != .everyone else {
      throw .invalid(
        "“write everyone” is invalid for “\(type)”: only accounts change records. Write "
          + "account.")
    }
    guard write != .account || read != .creator else {
      throw .invalid(
        "Accounts that write “\(type)” records must be able to read them: “write account” needs "
          + "“read account” or “read everyone”.")
    }
  }
}
