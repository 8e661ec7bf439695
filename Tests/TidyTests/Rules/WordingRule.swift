/// Refused words: empty names such as a type that is only useful, notes to the author, and paths of the
/// author's machine.
enum WordingRule {
  private static let emptyNames = ["Utils", "Utilities", "Helper", "Helpers", "Manager"]
  private static let notes = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
  private static let machinePaths = [
    "/wo" + "rk/", "/tmp/" + "wt", "/ro" + "ot/", "/priv" + "ate/",
  ]

  /// Finds types and files with an empty name.
  static func names(in file: SourceFile) -> [Finding] {
    var findings: [Finding] = []
    if let word = emptyNames.first(where: file.name.hasSuffix) {
      findings.append(file.finding(at: 0, "“\(word)” names nothing: name the file for its noun."))
    }
    for index in file.code.indices {
      guard let name = TypeNames.declared(by: file.code[index]),
        let word = emptyNames.first(where: name.hasSuffix)
      else { continue }
      findings.append(
        file.finding(at: index, "“\(word)” names nothing: say what \(name) is or does."))
    }
    return findings
  }

  /// Finds notes to the author.
  static func notes(in file: SourceFile) -> [Finding] {
    file.comments.indices.compactMap { index in
      let words = file.comments[index].split { !$0.isLetter }
      guard let note = notes.first(where: { words.contains(Substring($0)) }) else { return nil }
      return file.finding(at: index, "\(note): do it, or write an issue.")
    }
  }

  /// Finds paths of a particular machine in a text.
  static func machinePaths(in text: String, at path: String) -> [Finding] {
    guard machinePaths.contains(where: text.contains) else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.compactMap { index in
      guard let word = machinePaths.first(where: lines[index].contains) else { return nil }
      return Finding(
        path: path, line: index + 1, sentence: "“\(word)” is a path of a particular machine.")
    }
  }
}
