// Adds problems to a rejected text, as comments above the affected lines. Comments of an earlier round are
// removed.

import AgentAPI
import Contacts
import Records

/// Adds problems to a text that the user typed.
enum AnnotatedText {
  private static let sign = "# ⚠"

  /// Returns `text` with `problems` in it; those without a line are at the top.
  /// - Parameter document: The parsed text; `nil` if it could not be parsed.
  static func text(
    _ text: String, problems: [ProblemView], document: ContactDocument?
  ) -> String {
    var above: [Int: [String]] = [:]
    for problem in problems {
      let number = document.flatMap { line(of: problem, in: $0) } ?? 0
      above[number, default: []] += problem.message.split(separator: "\n").map(String.init)
    }
    var result = (above[0] ?? []).map { "\(sign) \(TemplateWriter.commentText($0))\n" }.joined()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let indent = String(line.prefix { $0 == " " })
      for message in above[index + 1] ?? [] {
        result += "\(indent)\(sign) \(TemplateWriter.commentText(message))\n"
      }
      if line.dropFirst(indent.count).hasPrefix(sign) { continue }
      result += line + (index == lines.count - 1 ? "" : "\n")
    }
    return result
  }

  /// Returns the line of the value with a problem. A new entry has no id and is identified by its content.
  private static func line(of problem: ProblemView, in document: ContactDocument) -> Int? {
    let parts = problem.field.split(separator: "/").map(String.init)
    guard let contact = document.contacts.first, parts.count >= 2 else {
      return parts.first.flatMap { document.lines[$0] }
    }
    let property = parts.count > 2 ? parts[2] : EntryText.value.rawValue
    for (index, entry) in (contact[parts[0]]?.items ?? []).enumerated() {
      let said = FieldProblem.shown((entry[property]?.text ?? "").trimmingBlanks())
      guard entry[.id]?.text == parts[1] || (entry[.id] == nil && said == problem.value) else {
        continue
      }
      let path = "\(parts[0])/\(index)"
      return document.lines["\(path)/\(property)"] ?? document.lines[path]
    }
    return document.lines[parts[0]]
  }
}
