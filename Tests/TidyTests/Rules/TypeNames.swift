/// Reads the names of types from the lines that declare or extend them.
enum TypeNames {
  private static let keywords: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]

  /// Returns the type that a line declares.
  static func declared(by line: String) -> String? { name(in: line, after: keywords) }

  /// Returns the type that a line declares or extends.
  static func declaredOrExtended(by line: String) -> String? {
    name(in: line, after: keywords.union(["extension"]))
  }

  private static func name(in line: String, after keywords: Set<String>) -> String? {
    guard let keyword = keywords.first(where: line.contains), !keyword.isEmpty else { return nil }
    let words = line.split { $0 == " " || $0 == ":" || $0 == "<" || $0 == "{" }
    guard let position = words.firstIndex(where: { keywords.contains(String($0)) }),
      position + 1 < words.count
    else { return nil }
    let name = words[position + 1]
    // `class func` and `class var` declare no type.
    guard let first = name.first, first.isUppercase else { return nil }
    return String(name)
  }
}
