// The question before something is destroyed that no command brings back. A person at a terminal is asked;
// a script has to say that it means it.

import ArgumentParser
import Records

/// The flag that answers the question in advance.
struct ConfirmationFlags: ParsableArguments {
  @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.") var yes = false

  /// Asks whether to go on.
  /// - Parameters:
  ///   - consequence: a sentence that says what is lost.
  ///   - question: what the person is asked after it.
  /// - Throws: a usage error where no person can be asked (no terminal, `--no-input`, `--json`), or
  ///   `operationCancelled` when the answer is not yes.
  func confirm(
    _ consequence: String, _ question: String, on printer: Printer
  ) throws(ControlFailure) {
    if yes { return }
    guard printer.mayAsk else {
      throw .usage("\(consequence) Add --yes to skip the confirmation.")
    }
    let answer = printer.ask("\(consequence) \(question) [y/N]")
    guard ["y", "yes"].contains(answer?.lowercased() ?? "") else {
      throw .error(.operationCancelled, "Nothing was changed.")
    }
  }
}
