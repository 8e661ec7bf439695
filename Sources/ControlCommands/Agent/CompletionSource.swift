// What a shell offers while somebody types: names of contacts and groups, asked from the agent. It
// has to be there at once or not at all, so it is one request on a plain socket, with a short
// patience, and every failure is an empty answer: completion never disturbs typing.

import ArgumentParser
import Foundation

/// Offers names.
enum CompletionSource {
  private static let patienceMilliseconds = 500
  private static let answerBytesMax = 1 << 20
  private static let offeredMax = 50
  /// Ids are looked for among the first of the list only: it has to be quick.
  private static let lookedAtMax = 500

  /// Names of contacts that begin with what is typed; where none does, ids that do.
  static let contacts = CompletionKind.custom { words, _, typed in
    let query = typed.isEmpty ? "" : "&q=\(AgentClient.escaped(typed))"
    let path = "contacts?limit=\(offeredMax)\(query)"
    let names = answer(path, to: words, as: ContactsView.self)?.contacts.map(\.displayName) ?? []
    let found = names.filter { $0.lowercased().hasPrefix(typed.lowercased()) }
    return found.isEmpty ? ids(beginningWith: typed, words) : found.map { offer($0) }
  }

  /// Ids of contacts that begin with what is typed, with their names where the shell shows such.
  static let contactIDs = CompletionKind.custom { words, _, typed in
    ids(beginningWith: typed, words)
  }

  /// Ids of what is in the trash, with their names.
  static let trash = CompletionKind.custom { words, _, typed in
    let items = answer("trash?limit=\(lookedAtMax)", to: words, as: DiscardedIDs.self)?.trash ?? []
    return items.filter { $0.id.hasPrefix(typed) }.prefix(offeredMax).map { offer($0.id, $0.name) }
  }

  /// Titles of groups; of those that share a title the ids, with title and owner.
  static let groups = CompletionKind.custom { words, _, _ in
    let groups = answer("groups", to: words, as: GroupsView.self)?.groups ?? []
    return groups.map { group in
      groups.count(where: { $0.title == group.title }) == 1
        ? offer(group.title) : offer(group.id, group.heading)
    }
  }

  /// Names of those who are in the group on the line.
  static let participants = CompletionKind.custom { words, _, _ in
    guard let verb = words.firstIndex(of: "participants"), verb + 1 < words.count else { return [] }
    let path = "groups/\(AgentClient.escaped(words[verb + 1]))/participants"
    let list = answer(path, to: words, as: ParticipantsView.self)?.participants ?? []
    return list.filter { $0.role != "owner" }.map { offer($0.name) }
  }

  /// Ids of subscriptions.
  static let subscriptions = CompletionKind.custom { words, _, _ in
    answer("subscriptions", to: words, as: SubscriptionsView.self)?.subscriptions.map(\.id) ?? []
  }

  /// Keys of settings.
  static let settings = CompletionKind.custom { words, _, _ in
    all(words).map { offer($0.key, $0.meaning) }
  }

  /// Keys of settings that may be chosen while the agent runs.
  static let choosable = CompletionKind.custom { words, _, _ in
    all(words).filter { !$0.choices.isEmpty }.map { offer($0.key, $0.meaning) }
  }

  /// The values that the setting named on the line may have.
  static let choices = CompletionKind.custom { words, _, _ in
    (all(words).first { words.contains($0.key) }?.choices ?? []).map { offer($0) }
  }

  private struct DiscardedIDs: Decodable {
    struct Item: Decodable {
      let id: String
      let name: String
    }

    let trash: [Item]
  }

  private static func ids(beginningWith typed: String, _ words: [String]) -> [String] {
    let path = "contacts?limit=\(lookedAtMax)"
    let rows = answer(path, to: words, as: ContactsView.self)?.contacts ?? []
    return rows.filter { $0.id.hasPrefix(typed) }.prefix(offeredMax).map {
      offer($0.id, $0.displayName)
    }
  }

  private static func all(_ words: [String]) -> [SettingView] {
    answer("settings", to: words, as: SettingsView.self)?.settings ?? []
  }

  /// A word as the shell that asks wants it, with what it means where the shell shows that.
  static func offer(
    _ word: String, _ meaning: String = "", to shell: CompletionShell? = .requesting
  ) -> String {
    switch shell {
    case .zsh:
      let escaped = word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
      return meaning.isEmpty ? escaped : "\(escaped):\(meaning)"
    case .fish: return meaning.isEmpty ? word : "\(word)\t\(meaning)"
    default: return word
    }
  }

  private static func answer<View: Decodable>(
    _ path: String, to words: [String], as view: View.Type
  ) -> View? {
    let address = try? AgentAddress(
      agent: value(of: "--agent", in: words), device: value(of: "--device", in: words),
      environment: ProcessInfo.processInfo.environment, userID: getuid())
    guard let address, let body = ask(address.path, path) else { return nil }
    return try? JSONDecoder().decode(view, from: body)
  }

  private static func value(of flag: String, in words: [String]) -> String? {
    if let index = words.firstIndex(of: flag), index + 1 < words.count { return words[index + 1] }
    return words.first { $0.hasPrefix(flag + "=") }.map { String($0.dropFirst(flag.count + 1)) }
  }

  private static func ask(_ socketPath: String, _ path: String) -> Data? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var patience = timeval(tv_sec: 0, tv_usec: patienceMilliseconds * 1000)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    guard connect(descriptor, to: socketPath) else { return nil }
    let request = Array(
      "GET /v1/\(path) HTTP/1.1\r\nHost: contactsd\r\nConnection: close\r\n\r\n".utf8)
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
