// Resolves a conflict in an editor: it shows both values, and the edited text becomes the contact's value.

import AgentAPI
import Foundation
import Records

/// One conflict in an editor.
struct ConflictEditor {
  let session: CommandSession
  let conflict: ConflictItem

  /// Runs the editor and saves the edited text.
  /// - Returns: The response about the resolved conflict; `nil` if nothing was edited.
  func run() async throws(ControlFailure) -> AgentReply? {
    let path = conflict.field.split(separator: "/").map(String.init)
    guard path.count == 1 || path.count == 3, conflict.kind == "values" else {
      throw .error(
        .invalidArguments, "This conflict cannot be edited: its values are not text.",
        hint: "Use --mine, --theirs or --both.")
    }
    let environment = ProcessInfo.processInfo.environment
    let editor = try EditorProgram(environment: environment, mayAsk: session.printer.mayAsk)
    let file = try EditorFile(environment: environment)
    defer { file.remove() }
    let text = template
    try file.write(text)
    try await editor.edit(file)
    guard let typed = try file.read(), typed != text else { return nil }
    let value = value(in: typed)
    guard !value.isEmpty else { return nil }
    try await set(value, at: path)
    return try await session.agent.send(
      .post, .conflict(conflict.id), body: ResolutionForm(keep: conflict.shown))
  }

  /// Returns the text without the explanations. A line of the value may begin with “#” too.
  func value(in typed: String) -> String {
    let explanations = Set(explanation.split(separator: "\n"))
    return typed.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !explanations.contains($0) }.joined(separator: "\n")
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The text that the user edits.
  var template: String { "\(explanation)\n\(conflict.shownValue)\n" }

  private var explanation: String {
    """
    # “\(PlainText.clean(conflict.field))” of \(PlainText.clean(conflict.name)) was changed on \
    two devices at once. To resolve this,
    # edit and save the value below. To keep the conflict, change nothing or delete the value.
    # current value: \(PlainText.clean(conflict.shownValue))
    # other value: \(PlainText.clean(conflict.otherValue))
    """
  }

  private func set(_ value: String, at path: [String]) async throws(ControlFailure) {
    let body: FormValue =
      path.count == 1
      ? .object([path[0]: .text(value)])
      : .object([path[0]: .list([.entry([.id: .text(path[1]), .init(path[2]): .text(value)])])])
    _ = try await session.agent.send(.patch, .contact(conflict.contact), body: body)
  }
}
