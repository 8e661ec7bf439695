// The person's editor, started on a file. Which one it is, and what its ending means, is the same
// whatever is edited.

import Foundation

/// An editor.
struct EditorProgram {
  private let command: String
  private let environment: [String: String]

  /// The editor of the person's choice: $VISUAL, $EDITOR, else what a terminal usually has.
  /// - Parameter mayAsk: whether there is a terminal with somebody at it.
  /// - Throws: `usage` when there is neither a choice nor a terminal.
  init(environment: [String: String], mayAsk: Bool) throws(ControlFailure) {
    self.environment = environment
    for name in ["VISUAL", "EDITOR"] {
      guard let command = environment[name], !command.isEmpty else { continue }
      self.command = command
      return
    }
    guard mayAsk else {
      throw .usage(
        "No changes were given, and there is no terminal or $EDITOR to enter them.",
        verb: "edit")
    }
    command = "command -v sensible-editor >/dev/null && exec sensible-editor \"$@\"; vi"
  }

  /// Has the file edited.
  /// - Throws: `editorNotFound`, `editorFailed`; the file stays.
  func edit(_ file: EditorFile) throws(ControlFailure) {
    let ending = try ExternalProgram.start(
      command, arguments: [file.path], environment: environment
    ).wait()
    switch ending {
    case .exited(126), .exited(127):
      throw ControlFailure(
        code: "editorNotFound", message: "Cannot start the editor “\(command)”.",
        hint: "Set EDITOR to another editor, or use options instead: contactsctl help edit",
        exitCode: .configuration)
    case .killed(let signal):
      throw ControlFailure(
        code: "editorFailed", message: "The editor was terminated by signal \(signal).",
        hint: "Nothing was changed. Your text is saved in \(file.path)", exitCode: .failed)
    // An editor that says it failed was left so on purpose: `:cq`. What it wrote does not count.
    case .exited(let status): if status != 0 { try file.write("") }
    }
  }
}
