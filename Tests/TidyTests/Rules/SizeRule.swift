// How much a type and a function hold at once: a reader keeps a dozen properties and six parameters in
// mind. Sources are formatted, so members stand two columns to the right of their type.

/// Types with many stored properties, functions with many parameters, and names that two targets use.
enum SizeRule {
  /// The most stored properties of a type that does something.
  static let propertiesMaximum = 12
  /// The most parameters of a function.
  static let parametersMaximum = 6

  /// Types with more stored properties; structures without functions, which only hold them, may have any.
  static func wideTypes(in file: SourceFile) -> [Finding] {
    file.code.indices.compactMap { index in
      let line = file.code[index]
      guard line.hasSuffix("{"), let name = TypeNames.declared(by: line) else { return nil }
      let members = members(ofTypeAt: index, in: file.code)
      let count = members.reduce(0) { $0 + storedProperties($1) }
      let isBag = line.containsWord("struct ") && !members.contains { $0.containsWord("func ") }
      guard count > propertiesMaximum, !isBag else { return nil }
      let sentence = "\(name) has \(count) stored properties; at most \(propertiesMaximum)."
      return file.finding(at: index, sentence)
    }
  }

  /// Functions with more parameters; initializers take what a type consists of.
  static func wideFunctions(in file: SourceFile) -> [Finding] {
    file.code.indices.compactMap { index in
      guard let name = functionName(file.code[index]) else { return nil }
      let count = parameterCount(from: index, in: file.code)
      guard count > parametersMaximum else { return nil }
      let sentence = "\(name) takes \(count) parameters; at most \(parametersMaximum)."
      return file.finding(at: index, sentence)
    }
  }

  /// Types of one name that two targets declare for more than one file. What `BrokerClient` offers has
  /// CloudKit's names, whatever the other targets call theirs.
  static func sharedNames(in files: [SourceFile]) -> [Finding] {
    var targets: [String: [String: Finding]] = [:]
    for file in files {
      for index in file.code.indices {
        let line = file.code[index]
        guard let first = line.first, first != " ", first != "}", !line.contains("private "),
          let name = TypeNames.declared(by: line),
          !(file.target == "BrokerClient" && line.hasPrefix("public "))
        else { continue }
        let sentence = "\(name) is declared in another target too."
        targets[name, default: [:]][file.target] = file.finding(at: index, sentence)
      }
    }
    return targets.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.compactMap {
      $0.value.sorted { $0.key < $1.key }.first?.value
    }
  }

  private static func members(ofTypeAt start: Int, in code: [String]) -> [String] {
    let indentation = code[start].prefix { $0 == " " }.count + 2
    let body = code[(start + 1)...].prefix {
      $0.allSatisfy { $0 == " " } || $0.prefix { $0 == " " }.count >= indentation
    }
    return body.filter { $0.prefix { $0 == " " }.count == indentation }
  }

  /// How many stored properties a line declares: `let a, b: Int` two, `var a: Int {` none.
  private static func storedProperties(_ line: String) -> Int {
    guard !line.containsWord("static "), !line.containsWord("func "), !line.containsWord("case "),
      let keyword = ["let ", "var "].first(where: line.containsWord),
      let range = line.firstRange(of: keyword)
    else { return 0 }
    let declared = line[range.upperBound...]
    let isComputed = declared.contains("{") && !declared.prefix { $0 != "{" }.contains("=")
    guard keyword == "let " || !isComputed else { return 0 }
    return declared.prefix { $0 != ":" && $0 != "=" && $0 != "(" }.filter { $0 == "," }.count + 1
  }

  private static func functionName(_ line: String) -> String? {
    guard line.containsWord("func "), let range = line.firstRange(of: "func ") else { return nil }
    let name = line[range.upperBound...].prefix { $0 != "(" && $0 != "<" && $0 != " " }
    // An operator has two, and its name may be a bracket.
    return name.isEmpty ? nil : String(name)
  }

  private static func parameterCount(from start: Int, in code: [String]) -> Int {
    var (depth, colons, isOver) = (0, 0, false)
    for line in code[start...] {
      for character in line.replacing("->", with: "") {
        switch character {
        case "(", "[", "<": depth += 1
        case ")", "]", ">": depth -= 1
        case ":" where depth == 1: colons += 1
        default: continue
        }
        isOver = depth == 0 && character == ")"
        if isOver { return colons }
      }
    }
    return colons
  }
}
