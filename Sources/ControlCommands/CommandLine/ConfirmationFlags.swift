// The question before an irreversible deletion. It is asked at a terminal; a script needs a flag.

import ArgumentParser
import Records

/// The flag that answers the question in advance.
struct ConfirmationFlags: ParsableArguments {
  @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.") var yes = false

  /// Asks whether to continue.
  /// - Parameters:
  ///   - consequence: A sentence that states what is lost.
  ///   - question: The question after it.
  /// - Throws: A usage error without a terminal or with `--no-input` or `--json`, or `operationCancelled` if
  ///   the answer is not yes.
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
