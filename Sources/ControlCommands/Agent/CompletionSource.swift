// Shell completion of names, such as contacts and groups, which the agent provides. It must be fast or return
// nothing: it sends one request on a plain socket with a short timeout, and every failure gives an empty
// answer, because completion must never disturb the user's typing.

import AgentAPI
import ArgumentParser
import Foundation

/// Completes names.
enum CompletionSource {
  private static let patienceMilliseconds = 500
  private static let answerBytesMax = 1 << 20
  private static let offeredMax = 50
  /// Ids are searched among the first contacts only, to be fast enough.
  private static let lookedAtMax = 500

  /// Names of contacts that begin with the typed text; if there are none, ids that do.
  static let contacts = completion { line in
    let query = line.typed.isEmpty ? [] : [(AgentQuery.search, line.typed)]
    let names = contacts(query, limit: offeredMax, line).map(\.name)
    let found = line.offers(
      names.filter { $0.lowercased().hasPrefix(line.typed.lowercased()) }.map { OfferedWord($0) })
    return found.isEmpty ? line.offers(ids(line)) : found
  }

  /// Ids of contacts that begin with the typed text, with their names if the shell shows descriptions.
  static let contactIDs = completion { $0.offers(ids($0)) }

  /// Ids of the contacts in the trash, with their names.
  static let trash = completion { line in
    let query = [(AgentQuery.limit, String(lookedAtMax))]
    let items = answer(.trash, query, to: line, as: TrashView.self)?.trash ?? []
    return line.offers(
      items.filter { $0.id.hasPrefix(line.typed) }.prefix(offeredMax)
        .map { OfferedWord($0.id, $0.name) })
  }

  /// Titles of groups; for those that share a title the ids, with title and owner.
  static let groups = completion { line in
    let groups = answer(.groups, to: line, as: GroupsView.self)?.groups ?? []
    return line.offers(
      groups.map { group in
        groups.count(where: { $0.title == group.title }) == 1
          ? OfferedWord(group.title) : OfferedWord(group.id, group.heading)
      })
  }

  /// Names of the participants of the group on the line.
  static let participants = completion { line in
    guard let verb = line.words.firstIndex(of: "participants"), verb + 1 < line.words.count
    else { return [] }
    let path = AgentPath.participants(ofGroup: line.words[verb + 1])
    let list = answer(path, to: line, as: ParticipantsView.self)?.participants ?? []
    return line.offers(list.filter { $0.role != "owner" }.map { OfferedWord($0.name) })
  }

  /// Ids of subscriptions.
  static let subscriptions = completion { line in
    let list = answer(.subscriptions, to: line, as: SubscriptionsView.self)?.subscriptions ?? []
    return line.offers(list.map { OfferedWord($0.id) })
  }

  /// Keys of settings.
  static let settings = completion { line in
    line.offers(all(line).map { OfferedWord($0.key, $0.meaning) })
  }

  /// Keys of settings that can be changed while the agent runs.
  static let choosable = completion { line in
    line.offers(all(line).filter { !$0.choices.isEmpty }.map { OfferedWord($0.key, $0.meaning) })
  }

  /// The allowed values of the setting on the line.
  static let choices = completion { line in
    let setting = all(line).first { line.words.contains($0.key) }
    return line.offers((setting?.choices ?? []).map { OfferedWord($0) })
  }

  /// The unfinished command line that a shell completes.
  private struct Line {
    /// The words, without quotation marks and backslashes.
    let words: [String]
    let reader: OfferedWord.Reader

    /// The beginning of the word to complete.
    var typed: String { reader.typed.text }

    /// Returns the lines that offer `words`, each word once.
    func offers(_ words: [OfferedWord]) -> [String] {
      var offered: Set<String> = []
      return words.filter { offered.insert($0.word).inserted }.compactMap { $0.line(for: reader) }
    }
  }

  private static func completion(
    _ answer: @escaping @Sendable (Line) -> [String]
  ) -> CompletionKind {
    .custom { words, index, typed in answer(line(words, index, typed)) }
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

  private static func ids(_ line: Line) -> [OfferedWord] {
    contacts([], limit: lookedAtMax, line).filter { $0.id.hasPrefix(line.typed) }
      .prefix(offeredMax).map { OfferedWord($0.id, $0.name) }
  }

  private static func contacts(
    _ query: [(String, String)], limit: Int, _ line: Line
  ) -> [ContactItem.Line] {
    let body = answer(.contacts, query + [(AgentQuery.limit, String(limit))], to: line)
    return body.flatMap { try? ContactsView.lines(ofPage: Array($0)) } ?? []
  }

  private static func all(_ line: Line) -> [SettingView] {
    answer(.settings, to: line, as: SettingsView.self)?.settings ?? []
  }

  private static func answer<View: Decodable>(
    _ path: AgentPath, _ query: [(String, String)] = [], to line: Line, as view: View.Type
  ) -> View? {
    answer(path, query, to: line).flatMap { try? JSONDecoder().decode(view, from: $0) }
  }

  private static func answer(
    _ path: AgentPath, _ query: [(String, String)], to line: Line
  ) -> Data? {
    let address = try? AgentAddress(
      agent: value(of: "--agent", in: line.words), device: value(of: "--device", in: line.words),
      environment: ProcessInfo.processInfo.environment, userID: getuid())
    return address.flatMap { ask($0.path, AgentClient.target(path, query: query)) }
  }

  private static func value(of flag: String, in words: [String]) -> String? {
    if let index = words.firstIndex(of: flag), index + 1 < words.count { return words[index + 1] }
    return words.first { $0.hasPrefix(flag + "=") }.map { String($0.dropFirst(flag.count + 1)) }
  }

  private static func ask(_ socketPath: String, _ target: String) -> Data? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var patience = timeval(tv_sec: 0, tv_usec: patienceMilliseconds * 1000)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    guard connect(descriptor, to: socketPath) else { return nil }
    let request = Array(
      "GET \(target) HTTP/1.1\r\nHost: contactsd\r\nConnection: close\r\n\r\n".utf8)
    guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    else { return nil }
    var answer = Data()
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while answer.count <= answerBytesMax {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      answer.append(contentsOf: chunk[..<count])
    }
    let isRight = answer.starts(with: Data("HTTP/1.1 200".utf8))
    guard isRight, let head = answer.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
    return Data(answer[head.upperBound...])
  }

  private static func connect(_ descriptor: Int32, to path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}
