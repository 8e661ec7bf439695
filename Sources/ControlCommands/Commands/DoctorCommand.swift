// Checks for common problems, with advice for each. It changes nothing. The exit code is 0 without problems,
// and otherwise that of the first problem.

import AgentAPI
import ArgumentParser
import Foundation
import Records

/// `doctor`: find common problems.
struct DoctorCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check this device and suggest repairs.",
    discussion:
      "Prints one line for each check: ok, note or wrong, and what to do. Notes are not failures.")

  @OptionGroup var global: GlobalFlags

  /// The result of one check.
  struct Finding: Encodable, Sendable {
    /// The severity.
    enum Grade: String, Encodable, Sendable { case ok, note, wrong }

    let check: String
    let grade: Grade
    let message: String
  }

  private struct View: Encodable, Sendable {
    let schema = 1
    let findings: [Finding]

    enum CodingKeys: CodingKey { case schema, findings }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let environment = ProcessInfo.processInfo.environment
    var findings = [
      Self.socket(session.agent.address), Self.locale(environment), Self.editor(environment),
    ]
    var status = ExitStatus.done
    do {
      let view = try await session.agent.get(.status).decoded(as: StatusView.self)
      findings.append(Finding(check: "agent", grade: .ok, message: "contactsd answers."))
      findings += Self.findings(on: view)
      let damage = try await session.agent.get(.check).decoded(as: CheckView.self)
      findings += Self.findings(on: damage)
    } catch {
      findings.append(
        Finding(check: "agent", grade: .wrong, message: "\(error.message) \(error.hint)"))
      status = error.exitCode
    }
    try await tell(findings, session.printer)
    if status == .done, findings.contains(where: { $0.grade == .wrong }) { status = .failed }
    return status
  }

  private func tell(_ findings: [Finding], _ printer: Printer) async throws(ControlFailure) {
    if printer.style == .json {
      printer.json(try JSONText.encoded(View(findings: findings)))
    } else {
      await printer.sentences(findings.map { [$0.grade.rawValue, $0.check, $0.message] })
    }
  }

  /// Other users must not reach the socket, because any process that does can read all contacts.
  static func socket(_ address: AgentAddress) -> Finding {
    var status = stat()
    guard stat(address.path, &status) == 0 else {
      return Finding(
        check: "socket", grade: .wrong,
        message: "There is no socket at \(address.path). Start contactsd: \(address.startCommand)")
    }
    let isOpen = status.st_mode & 0o007 != 0
    let directory = String(address.path.reversed().drop { $0 != "/" }.reversed())
    var parent = stat()
    let isReachable = stat(directory, &parent) != 0 || parent.st_mode & 0o001 != 0
    guard isOpen, isReachable else {
      return Finding(check: "socket", grade: .ok, message: address.path)
    }
    return Finding(
      check: "socket", grade: .note,
      message: "Other users can reach \(address.path); contactsd rejects them. "
        + "To prevent this: chmod 700 \(directory)")
  }

  /// The agent's language determines the sort order. The user's own does not, which is often unexpected.
  static func locale(_ environment: [String: String]) -> Finding {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    let isUTF8 = name.map { $0.uppercased().contains("UTF-8") || $0.uppercased().contains("UTF8") }
    guard isUTF8 == true else {
      return Finding(
        check: "locale", grade: .note,
        message: "The locale is \(name ?? "not set"); some names may not be displayed correctly. "
          + "Set LANG to a locale that ends in .UTF-8.")
    }
    return Finding(check: "locale", grade: .ok, message: name ?? "")
  }

  static func editor(_ environment: [String: String]) -> Finding {
    let name = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let name else {
      return Finding(
        check: "editor", grade: .note,
        message: "No editor is set; “edit” opens the default one. To choose another, set EDITOR.")
    }
    return Finding(check: "editor", grade: .ok, message: name)
  }

  /// An agent is often not restarted after an update.
  static func version(_ agent: String) -> Finding {
    guard agent != ProgramVersion.text else {
      return Finding(check: "version", grade: .ok, message: ProgramVersion.text)
    }
    return Finding(
      check: "version", grade: .note,
      message: "contactsctl is \(ProgramVersion.text), contactsd \(agent). "
        + "Restart contactsd so that both have the same version.")
  }

  /// The maximum number of files that are listed; further ones are counted.
  private static let filesNamed = 10

  private static func findings(lost files: [String]) -> [Finding] {
    var sentences = files.prefix(filesNamed).map { "The broker has lost the file \($0)." }
    if files.count > filesNamed {
      sentences.append("The broker has lost \(files.count - filesNamed) more files.")
    }
    if !files.isEmpty {
      sentences.append("Connect all your devices; those that have the files send them again.")
    }
    return sentences.map { Finding(check: "photos", grade: .note, message: $0) }
  }

  static func findings(on damage: CheckView) -> [Finding] {
    let lost = findings(lost: damage.lostFiles)
    guard !damage.findings.isEmpty else {
      return [Finding(check: "database", grade: .ok, message: "No damage was found.")] + lost
    }
    let advice =
      "To repair this, stop contactsd, move its state directory away and start contactsd again: it "
      + "downloads everything from the broker. Edits that were not sent are only in the old "
      + "directory."
    return (damage.findings + [advice]).map {
      Finding(check: "database", grade: .wrong, message: $0)
    } + lost
  }

  private static func broker(_ status: StatusView) -> Finding {
    guard status.state == "live" else {
      let reason =
        status.connectionError ?? "To see which broker it uses: contactsctl config get broker"
      return Finding(
        check: "broker", grade: .note,
        message: "The device is \(status.state); edits are stored and sent later. \(reason)")
    }
    // A live device has a sentence only if the broker answers slowly.
    let slowness = status.brokerAnswer.sentence
    return Finding(
      check: "broker", grade: slowness == nil ? .ok : .note,
      message: ["Connected to the broker.", slowness].compactMap(\.self).joined(separator: " "))
  }

  static func findings(on status: StatusView) -> [Finding] {
    var findings = [version(status.version)]
    findings.append(broker(status))
    if status.waitingEdits > 0 {
      findings.append(
        Finding(
          check: "waiting", grade: .note,
          message: "Edits that are not sent yet: \(status.waitingEdits)."))
    }
    if status.conflicts > 0 {
      findings.append(
        Finding(
          check: "conflicts", grade: .wrong,
          message: "Values that were changed on two devices at once: \(status.conflicts). "
            + "To resolve them: contactsctl conflicts list"))
    }
    findings += status.warnings.map { Finding(check: "warning", grade: .wrong, message: $0) }
    return findings
  }
}
