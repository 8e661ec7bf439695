/// Types with many stored properties, functions with many parameters, and type names that two targets use.
/// Sources are formatted, so members are indented by two columns.
enum SizeRule {
  /// The maximum number of stored properties of a type with functions.
  static let propertiesMaximum = 12
  /// The maximum number of parameters of a function.
  static let parametersMaximum = 6

  /// Finds types with more stored properties. Structures without functions only hold values and may have any
  /// number.
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

  /// Finds functions with more parameters. Initializers may have any number.
  static func wideFunctions(in file: SourceFile) -> [Finding] {
    file.code.indices.compactMap { index in
      guard let name = functionName(file.code[index]) else { return nil }
      let count = parameterCount(from: index, in: file.code)
      guard count > parametersMaximum else { return nil }
      let sentence = "\(name) takes \(count) parameters; at most \(parametersMaximum)."
      return file.finding(at: index, sentence)
    }
  }

  /// The libraries for other programs, whose types have the field's names.
  private static let clientLibraries: Set = ["BrokerClient", "OfflineClient"]

  /// Finds type names that two targets declare. The public types of the client libraries are excepted, because they
  /// have CloudKit's names.
  static func sharedNames(in files: [SourceFile]) -> [Finding] {
    var targets: [String: [String: Finding]] = [:]
    for file in files {
      for index in file.code.indices {
        let line = file.code[index]
        guard let first = line.first, first != " ", first != "}", !line.contains("private "),
          let name = TypeNames.declared(by: line),
          !(clientLibraries.contains(file.target) && line.hasPrefix("public "))
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

  /// Returns the number of stored properties that a line declares: `let a, b: Int` two, `var a: Int {` none.
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
    // An operator has two parameters, and its name may be a bracket.
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
