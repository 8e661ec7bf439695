/// Calls that end a program, hide a task or block a thread. They are refused, or need a comment with the
/// reason.
enum CallRule {
  private static let refused: [(call: String, instead: String)] = [
    ("try" + "!", "throw a typed error or handle it"),
    ("fatal" + "Error(", "use `preconditionFailure` with a sentence for a programmer's mistake"),
    ("Thread" + ".sleep", "wait for the event itself, or let a driver set a timer"),
  ]

  private static let languageCalls = [
    "Calendar(", "Calendar.", "TimeZone(", "TimeZone.", "Locale(", "Locale.", "DateFormatter",
    "NumberFormatter", ".formatted(",
    "localizedStandard", "localizedCase",
  ]

  private static let tasks = ["Task {", "Task(", "Task.detached", "Task.immediate"]

  /// Finds calls that are never permitted.
  static func refusedCalls(in file: SourceFile) -> [Finding] {
    file.code.indices.flatMap { index in
      refused.filter { file.code[index].contains($0.call) }.map {
        file.finding(at: index, "“\($0.call)” is not used here: \($0.instead).")
      }
    }
  }

  /// Finds calls for which Foundation needs ICU's tables, which the installed programs do not contain.
  static func languageCalls(in file: SourceFile) -> [Finding] {
    file.code.indices.flatMap { index in
      languageCalls.filter(file.code[index].containsWord).map {
        file.finding(
          at: index,
          "“\($0)” needs tables that the installed programs lack: use the C library, or Collation.")
      }
    }
  }

  /// Finds printing outside the file that owns the output.
  static func printing(in file: SourceFile) -> [Finding] {
    guard !file.name.contains("Output") else { return [] }
    return file.codeLines { $0.containsWord("print(") || $0.containsWord("debugPrint(") }.map {
      file.finding(at: $0, "Printing belongs into the file that owns the output.")
    }
  }

  /// Finds tasks without an owner and unchecked promises to the compiler, if no comment gives the reason.
  static func unexplained(in file: SourceFile) -> [Finding] {
    file.code.indices.compactMap { index in
      let line = file.code[index]
      guard !file.isExplained(at: index) else { return nil }
      if tasks.contains(where: line.containsWord) {
        return file.finding(
          at: index, "A task without an owner: put it into a group, or say why on the line above.")
      }
      if line.contains("@unch" + "ecked") || line.contains("nonisolated(uns" + "afe)") {
        return file.finding(
          at: index, "The compiler cannot check this: say on the line above why it holds.")
      }
      return nil
    }
  }
}
