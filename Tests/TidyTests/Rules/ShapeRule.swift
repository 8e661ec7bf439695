// What a file looks like from outside: an essay first, then the noun it is named after, and a
// sentence at everything other targets can see.

/// How files begin, what they are called, what they explain.
enum ShapeRule {
  /// The longest essay that is still read.
  static let essayLines = 20

  /// Files that do not open with an essay.
  static func essay(of file: SourceFile) -> [Finding] {
    let essay = file.lines.prefix { $0.hasPrefix("//") && !$0.hasPrefix("///") }
    if essay.isEmpty {
      return [
        file.finding(at: 0, "The file opens without an essay: what it is, why so, what must hold.")
      ]
    }
    guard essay.count > essayLines else { return [] }
    return [
      file.finding(at: 0, "The essay has \(essay.count) lines; at most \(essayLines), or a page.")
    ]
  }

  /// Files that are not named after a type they declare. A file that extends others, or that
  /// teaches many the same (`ValueCoding.swift`), is named for what it adds; a family of
  /// small types has a plural, `AgentViews.swift`; a command's file may carry its verb.
  static func name(of file: SourceFile) -> [Finding] {
    let outermost = file.code.filter { line in
      line.first.map { $0 != " " && $0 != "}" } ?? false && !line.contains("private ")
    }
    let declared = outermost.compactMap(TypeNames.declared)
    let extended = Set(outermost.compactMap(TypeNames.declaredOrExtended)).subtracting(declared)
    let noun = file.name.prefix { $0 != "+" }
    let isNamed =
      declared.contains { $0.hasPrefix(noun) || $0.hasSuffix(noun) }
      || noun.hasSuffix("ing") || noun.hasSuffix("ation")
      || (noun.hasSuffix("s") && declared.count > 1)
    guard !isNamed, extended.isEmpty, let first = declared.first else { return [] }
    return [
      file.finding(at: 0, "The file is named \(file.name) but declares \(first): name it so.")
    ]
  }

  /// Declarations that other targets can see and that nothing explains. What a protocol of ours
  /// asks for, one of `requirements`, is explained there.
  static func documentation(
    in file: SourceFile, requirements: Set<String> = []
  ) -> [Finding] {
    file.codeLines(where: isVisibleDeclaration).compactMap { index in
      if let name = memberName(file.code[index]), requirements.contains(name) { return nil }
      var above = index - 1
      while above >= 0, isAttribute(file.code[above]) { above -= 1 }
      guard above < 0 || !file.lines[above].drop(while: { $0 == " " }).hasPrefix("///") else {
        return nil
      }
      return file.finding(at: index, "Other targets see this: say in a `///` what it means.")
    }
  }

  /// The names of what the protocols in a file ask for.
  static func requirements(in file: SourceFile) -> Set<String> {
    var names: Set<String> = []
    var isInside = false
    for line in file.code {
      if line.hasSuffix("{"), line.containsWord("protocol ") { isInside = true }
      if line.hasPrefix("}") { isInside = false }
      if isInside, let name = memberName(line) { names.insert(name) }
    }
    return names
  }

  private static func memberName(_ line: String) -> String? {
    let words = line.split { $0 == " " || $0 == "(" || $0 == "<" || $0 == ":" }
    guard let keyword = words.firstIndex(where: { $0 == "func" || $0 == "var" || $0 == "let" }),
      keyword + 1 < words.count
    else { return nil }
    return String(words[keyword + 1])
  }

  private static func isVisibleDeclaration(_ line: String) -> Bool {
    let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
    guard let access = words.first, access == "package" || access == "public" else { return false }
    guard let kind = words.dropFirst().first else { return false }
    if kind == "import" || kind == "extension" || words.contains("override") { return false }
    return !isRequiredByKnownProtocol(line)
  }

  /// What the standard library's protocols ask for is explained there.
  private static func isRequiredByKnownProtocol(_ line: String) -> Bool {
    let known = [
      "static func ==", "static func <", "func hash(into", "var description:",
      "var debugDescription:", "func encode(to", "init(from decoder", "init(integerLiteral",
      "init(stringLiteral", "typealias ",
    ]
    return known.contains(where: line.contains)
  }

  private static func isAttribute(_ line: String) -> Bool {
    let code = line.drop { $0 == " " }
    return code.hasPrefix("@") && !code.contains(" func ") && !code.contains(" var ")
  }
}
