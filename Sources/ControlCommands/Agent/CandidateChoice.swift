// If a text names several contacts, the user chooses at a terminal. Elsewhere the error lists what
// distinguishes them.

import AgentAPI
import Records

/// The choice of one candidate.
struct CandidateChoice {
  private static let shownMax = 10

  let session: CommandSession
  /// What the candidates are, in the plural.
  let noun: String

  /// Returns the only candidate, or the one that the user chooses.
  /// - Precondition: There is a candidate.
  /// - Throws: `invalidArguments` if there are several and the user cannot be asked, or answers with something
  ///   other than a number of the list.
  func choose(
    among candidates: [Candidate], for text: String
  ) async throws(ControlFailure) -> Candidate {
    if candidates.count == 1 { return candidates[0] }
    let printer = session.printer
    let rows = Self.rows(of: candidates, groups: await groups())
    if printer.mayAsk, candidates.count <= Self.shownMax {
      let numbered = rows.enumerated().map { index, row in
        ["\(index + 1)"] + row.map { LocalTime.shown(PlainText.clean($0)) }
      }
      let lines = TextTable(numbered, whole: [0, 4]).lines(limit: printer.terminal.columns)
      for line in lines { printer.remark(line) }
      let answer = printer.ask("Which one? [1-\(candidates.count)]")
      if let number = answer.flatMap({ Int($0) }), candidates.indices.contains(number - 1) {
        return candidates[number - 1]
      }
    }
    throw .error(
      .invalidArguments, Self.sentence(rows, noun: noun, text: text),
      hint: "Use the id of the one you mean.")
  }

  /// Returns the candidate that the user confirms, because `text` is not its whole name; `nil` if the user cannot be
  /// asked or confirms none.
  /// - Precondition: There is a candidate.
  func confirm(
    among candidates: [Candidate], for text: String
  ) async throws(ControlFailure) -> Candidate? {
    guard session.printer.mayAsk else { return nil }
    guard candidates.count == 1 else { return try await choose(among: candidates, for: text) }
    let row = Self.rows(of: candidates, groups: await groups())[0]
    let answer = session.printer.ask(Self.question(about: row, for: text))
    return ["y", "yes"].contains(answer?.lowercased() ?? "") ? candidates[0] : nil
  }

  /// Returns the question whether `text` means the contact of a row.
  static func question(about row: [String], for text: String) -> String {
    "No contact has the name “\(PlainText.clean(text))”. Do you mean \(described(row))? [y/N]"
  }

  private static func described(_ row: [String]) -> String {
    "\(row[0]) (\(row.dropFirst().filter { !$0.isEmpty }.joined(separator: ", ")))"
  }

  /// Returns what distinguishes each candidate: name, detail, title of the group, short id.
  static func rows(of candidates: [Candidate], groups: [GroupItem]) -> [[String]] {
    let short = ShortIDs(candidates.map(\.id))
    return candidates.map { candidate in
      let group = groups.first { $0.id == candidate.group }
      return [
        candidate.name, candidate.detail, group?.heading(among: groups) ?? "", short[candidate.id],
      ]
    }
  }

  /// Returns the message of the error for the rows of several candidates.
  static func sentence(_ rows: [[String]], noun: String, text: String) -> String {
    let shown = rows.prefix(shownMax).map(described)
    let more = rows.count > shown.count ? ", …" : ""
    return
      "“\(PlainText.clean(text))” matches \(rows.count) \(noun): "
      + "\(shown.joined(separator: ", "))\(more)."
  }

  /// Returns the groups, for their titles. Without them, the rest still distinguishes the candidates.
  private func groups() async -> [GroupItem] {
    let reply = try? await session.agent.get(.groups)
    return (try? reply?.decoded(as: GroupsView.self))?.groups ?? []
  }
}
