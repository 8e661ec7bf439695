// The user's editor: how it is chosen, and what its exit status means, for everything that is edited.

import Foundation

/// An editor.
struct EditorProgram {
  private let command: String
  private let environment: [String: String]

  /// Chooses the editor: $VISUAL, $EDITOR, or else a common one if there is a terminal.
  /// - Parameter mayAsk: Whether a user is at the terminal.
  /// - Throws: `usage` if there is neither a setting nor a terminal.
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
        subcommand: "edit")
    }
    command = "command -v sensible-editor >/dev/null && exec sensible-editor \"$@\"; vi"
  }

  /// Opens the file in the editor and waits.
  /// - Throws: `editorNotFound`, `editorFailed`; the file stays.
  func edit(_ file: EditorFile) async throws(ControlFailure) {
    let ending = try await ExternalProgram(
      command: command, arguments: [file.path], environment: environment
    ).run()
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
    // With an error status (`:cq`) the user cancels, so the text is discarded.
    case .exited(let status): if status != 0 { try file.write("") }
    }
  }
}
