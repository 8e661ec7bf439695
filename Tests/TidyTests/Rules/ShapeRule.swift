// The outside of a file: a header if it is long, a name after the type it declares, and documentation of all
// declarations that other targets see.

/// Headers, names and documentation of files.
enum ShapeRule {
  /// The maximum number of lines of a header.
  static let headerLines = 20
  /// The maximum number of lines of a file without a header.
  static let linesWithoutHeader = 100

  /// Finds long files without a header, and headers that are long enough for a page.
  static func header(of file: SourceFile) -> [Finding] {
    let header = file.lines.prefix { $0.hasPrefix("//") && !$0.hasPrefix("///") }
    if header.isEmpty, file.lines.count > linesWithoutHeader {
      let sentence = "A file of more than \(linesWithoutHeader) lines needs a header."
      return [file.finding(at: 0, sentence)]
    }
    guard header.count > headerLines else { return [] }
    return [
      file.finding(
        at: 0, "The header has \(header.count) lines; at most \(headerLines), or write a page.")
    ]
  }

  /// Finds files named by an activity, `Parking.swift`, instead of a thing, `RejectedEdits.swift`.
  static func gerund(of file: SourceFile) -> [Finding] {
    let noun = String(file.name.prefix { $0 != "+" })
    guard noun.hasSuffix("ing"), !nouns.contains(noun) else { return [] }
    return [file.finding(at: 0, "\(file.name) is a gerund: name the file by its noun.")]
  }

  /// Nouns that end like gerunds.
  private static let nouns: Set<String> = ["String"]

  /// Finds files that are not named after a type they declare. A file that extends many types
  /// (`ValueCoding.swift`) is named for what it adds; a family of small types has a plural,
  /// `AgentViews.swift`; the file of a command may leave out “Command”.
  static func name(of file: SourceFile) -> [Finding] {
    let outermost = file.code.filter { line in
      line.first.map { $0 != " " && $0 != "}" } ?? false && !line.contains("private ")
    }
    let declared = outermost.compactMap(TypeNames.declared)
    let extended = Set(outermost.compactMap(TypeNames.declaredOrExtended)).subtracting(declared)
    let noun = file.name.prefix { $0 != "+" }
    let isNamed =
      declared.contains { $0.hasPrefix(noun) || $0.hasSuffix(noun) }
      || (noun.hasSuffix("s") && declared.count > 1)
    guard !isNamed, extended.isEmpty, let first = declared.first else { return [] }
    return [
      file.finding(at: 0, "The file is named \(file.name) but declares \(first): name it so.")
    ]
  }

  /// Finds undocumented declarations that other targets see. A protocol documents its `requirements`, and
  /// docs/openapi.yaml the properties of the agent's JSON.
  static func documentation(
    in file: SourceFile, requirements: Set<String> = []
  ) -> [Finding] {
    file.codeLines(where: isVisibleDeclaration).compactMap { index in
      if let name = memberName(file.code[index]), requirements.contains(name) { return nil }
      if isMemberwiseInitializer(at: index, in: file.code) { return nil }
      if file.target == "AgentAPI", file.code[index].contains("package var ") { return nil }
      var above = index - 1
      while above >= 0, isAttribute(file.code[above]) { above -= 1 }
      guard above < 0 || !file.lines[above].drop(while: { $0 == " " }).hasPrefix("///") else {
        return nil
      }
      return file.finding(at: index, "Other targets see this: say in a `///` what it means.")
    }
  }

  /// Whether an initializer only sets the type's properties.
  private static func isMemberwiseInitializer(at start: Int, in code: [String]) -> Bool {
    guard code[start].containsWord("init(") else { return false }
    let indentation = code[start].prefix { $0 == " " }
    guard let open = code[start...].firstIndex(where: { $0.hasSuffix("{") }),
      let end = code[open...].firstIndex(where: { $0 == indentation + "}" })
    else { return false }
    return code[(open + 1)..<end].allSatisfy { line in
      let words = line.split(separator: " ")
      return words.count == 3 && words[1] == "=" && words[0] == "self." + words[2]
    }
  }

  /// Returns the names of the requirements of the protocols in a file.
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

  /// The standard library documents the requirements of its protocols.
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
