// Shell completion of names, such as contacts and groups, which the agent provides. It must be fast or return
// nothing: a request has a short timeout, and every failure gives an empty answer, because completion must
// never disturb the user's typing.

import AgentAPI
import ArgumentParser
import Foundation

/// Completes names.
enum CompletionSource {
  private static let patience = Duration.milliseconds(500)
  private static let offeredMax = 50
  /// Ids are searched among the first contacts only, to be fast enough.
  private static let lookedAtMax = 500

  /// Names of contacts that begin with the typed text; if there are none, ids that do.
  static let contacts = completion { line in
    let query = line.typed.isEmpty ? [] : [(AgentQuery.search, line.typed)]
    let found = line.offers(names: await contacts(query, limit: offeredMax, line).map(\.name))
    return found.isEmpty ? line.offers(await ids(line)) : found
  }

  /// Names of contacts and groups in the trash that begin with the typed text; if there are none, ids that do.
  static let trash = completion { line in
    let query = [(AgentQuery.limit, String(lookedAtMax))]
    let trash = await answer(.trash, query, to: line, as: TrashView.self)
    let items = trash?.trash ?? []
    let found = line.offers(names: (trash?.groups ?? []).map(\.title) + items.map(\.name))
    guard found.isEmpty else { return found }
    return line.offers(
      items.filter { $0.id.hasPrefix(line.typed) }.prefix(offeredMax)
        .map { OfferedWord($0.id, $0.name) })
  }

  /// Ids of conflicts, with the names of their contacts.
  static let conflicts = completion { line in
    let list = await answer(.conflicts, to: line, as: ConflictsView.self)?.conflicts ?? []
    return line.offers(
      list.filter { $0.id.hasPrefix(line.typed) }.prefix(offeredMax)
        .map { OfferedWord($0.id, $0.name) })
  }

  /// Names of the two devices of the conflict on the line, and `both`.
  static let conflictDevices = completion { line in
    guard let subcommand = line.words.firstIndex(of: "resolve"), subcommand + 1 < line.words.count
    else { return [] }
    let path = AgentPath.conflict(line.words[subcommand + 1])
    let conflict = await answer(path, to: line, as: SingleView<ConflictItem>.self)?.item
    return line.offers(((conflict?.deviceNames ?? []) + ["both"]).map { OfferedWord($0) })
  }

  /// Titles of groups; for those that share a title the ids, with title and owner.
  static let groups = completion { line in
    let groups = await answer(.groups, to: line, as: GroupsView.self)?.groups ?? []
    return line.offers(
      groups.map { group in
        groups.count(where: { $0.title == group.title }) == 1
          ? OfferedWord(group.title) : OfferedWord(group.id, group.heading(among: groups))
      })
  }

  /// Names of the participants of the group on the line.
  static let participants = completion { line in
    guard let subcommand = line.words.firstIndex(of: "participants"),
      subcommand + 1 < line.words.count
    else { return [] }
    let path = AgentPath.participants(ofGroup: line.words[subcommand + 1])
    let list = await answer(path, to: line, as: ParticipantsView.self)?.participants ?? []
    return line.offers(list.filter { $0.role != "owner" }.map { OfferedWord($0.name) })
  }

  /// Ids of subscriptions.
  static let subscriptions = completion { line in
    let list =
      await answer(.subscriptions, to: line, as: SubscriptionsView.self)?.subscriptions ?? []
    return line.offers(list.map { OfferedWord($0.id) })
  }

  /// Keys of settings.
  static let settings = completion { line in
    line.offers(await all(line).map { OfferedWord($0.key, $0.meaning) })
  }

  /// Keys of settings that can be changed while the agent runs.
  static let choosable = completion { line in
    line.offers(
      await all(line).filter { !$0.choices.isEmpty }.map { OfferedWord($0.key, $0.meaning) })
  }

  /// The allowed values of the setting on the line.
  static let choices = completion { line in
    let setting = await all(line).first { line.words.contains($0.key) }
    return line.offers((setting?.choices ?? []).map { OfferedWord($0) })
  }

  /// The unfinished command line that a shell completes.
  private struct Line: Sendable {
    /// The words, without quotation marks and backslashes.
    let words: [String]
    let reader: OfferedWord.Reader

    /// The beginning of the word to complete.
    var typed: String { reader.typed.text }

    /// Returns the lines that offer the names that begin with the typed text, in upper or lower case.
    func offers(names: [String]) -> [String] {
      let typed = typed.lowercased()
      return offers(
        names.filter { !$0.isEmpty && $0.lowercased().hasPrefix(typed) }
          .prefix(CompletionSource.offeredMax).map { OfferedWord($0) })
    }

    /// Returns the lines that offer `words`, each word once.
    func offers(_ words: [OfferedWord]) -> [String] {
      var offered: Set<String> = []
      return words.filter { offered.insert($0.word).inserted }.compactMap { $0.line(for: reader) }
    }
  }

  private static func completion(
    _ answer: @escaping @Sendable (Line) async -> [String]
  ) -> CompletionKind {
    .custom { words, index, typed in await answer(line(words, index, typed)) }
  }

  private static func line(_ words: [String], _ index: Int, _ typed: String) -> Line {
    let shell = CompletionShell.requesting
    // Up to version 3, fish removes the quotation marks itself.
    let version = CompletionShell.requestingVersion?.prefix { $0 != "." }
    let isPlain = shell == .fish && (version.flatMap { Int($0) } ?? 0) < 4
    // zsh's script miscounts the characters of a quoted word.
    let raw = shell == .zsh && words.indices.contains(index) ? words[index] : typed
    return Line(
      words: isPlain ? words : words.map { TypedWord(shell: $0).text },
      reader: OfferedWord.Reader(
        shell: shell,
        hasOurScript: ProcessInfo.processInfo.environment[CompletionScript.marker] != nil,
        typed: isPlain ? TypedWord(plain: raw) : TypedWord(shell: raw)))
  }

  private static func ids(_ line: Line) async -> [OfferedWord] {
    await contacts([], limit: lookedAtMax, line).filter { $0.id.hasPrefix(line.typed) }
      .prefix(offeredMax).map { OfferedWord($0.id, $0.name) }
  }

  private static func contacts(
    _ query: [(String, String)], limit: Int, _ line: Line
  ) async -> [ContactItem.Line] {
    let reply = await reply(.contacts, query + [(AgentQuery.limit, String(limit))], to: line)
    return reply.flatMap { try? ContactsView.lines(ofPage: $0.bytes) } ?? []
  }

  private static func all(_ line: Line) async -> [SettingView] {
    await answer(.settings, to: line, as: SettingsView.self)?.settings ?? []
  }

  private static func answer<View: Decodable & Sendable>(
    _ path: AgentPath, _ query: [(String, String)] = [], to line: Line, as view: View.Type
  ) async -> View? {
    try? await reply(path, query, to: line)?.decoded(as: view)
  }

  private static func reply(
    _ path: AgentPath, _ query: [(String, String)], to line: Line
  ) async -> AgentReply? {
    let address = try? AgentAddress(
      agent: GlobalFlagPlacement.value(of: "--agent", in: line.words),
      device: GlobalFlagPlacement.value(of: "--device", in: line.words),
      environment: ProcessInfo.processInfo.environment, userID: getuid())
    guard let address else { return nil }
    let question = Question(agent: AgentClient(address: address), path: path, query: query)
    let reply = await withTaskGroup(of: AgentReply?.self) { tasks in
      tasks.addTask { try? await question.agent.get(question.path, query: question.query) }
      tasks.addTask {
        try? await Task.sleep(for: patience)
        return nil
      }
      defer { tasks.cancelAll() }
      return await tasks.next() ?? nil
    }
    await question.agent.close()
    return reply
  }

  private struct Question: Sendable {
    let agent: AgentClient
    let path: AgentPath
    let query: [(String, String)]
  }
}
