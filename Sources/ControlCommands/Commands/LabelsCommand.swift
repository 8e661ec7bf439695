// The suggested labels. Any other label is allowed too.

import ArgumentParser
import Contacts

/// `labels`: list the usual labels.
struct LabelsCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "labels", abstract: "List the usual labels of phones, e-mails and addresses.",
    discussion: "Any other word is also a valid label.")

  @Argument(help: "Only the labels of one kind: phone, email or address.")
  var kind: Kind?
  @OptionGroup var global: GlobalFlags

  enum Kind: String, ExpressibleByArgument, CaseIterable, Sendable { case phone, email, address }

  private struct View: Encodable, Sendable {
    let schema = 1
    let labels: [String: [String]]

    enum CodingKeys: CodingKey { case schema, labels }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let labels = ContactLabel.allCases.filter { kind == nil || $0.rawValue == kind?.rawValue }
    if session.printer.style == .json {
      let view = View(
        labels: Dictionary(uniqueKeysWithValues: labels.map { ($0.rawValue, $0.offered) }))
      session.printer.json(try JSONText.encoded(view))
    } else {
      await session.printer.rows(
        labels.flatMap { kind in kind.offered.map { self.kind == nil ? [kind.rawValue, $0] : [$0] }
        })
    }
    return .done
  }
}
