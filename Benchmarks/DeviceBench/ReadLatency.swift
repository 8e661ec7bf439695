// P7 and P6: the delays of reading an address book over the agent's socket. Measured are the agent's start,
// pages at any position, the headings, each letter typed into the search, and the memory of an idle agent.

import Foundation
import Measuring

/// Measures reading an agent's address book.
struct ReadLatency {
  let agent: String
  let state: String
  let name: String

  private static let typed = [
    "marlowe", "lukasz", "щербак", "ivan", "li", "李", "yamada", "김철수", "gim", "müllermann",
    "quill ada", "harbour festival", "example", "+46 70", "0701740", "4711", "sorrelson cleo",
    "παπάς", "مح", "cook", "works 12", "obrien", "öhman", "zofia", "vale 199", "7 92",
  ]

  /// Measures every kind of reading.
  func measure() throws {
    let starts = try (0..<5).map { _ in
      let running = try AgentProcess(agent, state: state)
      defer { running.stop() }
      return running.startSeconds
    }
    Measurement.report("\(name)_start_ms", starts.sorted()[starts.count / 2] * 1e3)
    let running = try AgentProcess(agent, state: state)
    defer { running.stop() }
    sleep(3)
    Measurement.report("\(name)_idle_kib", running.residentKibibytes())
    try pages(running.connection, headings(running.connection))
    try search(running.connection)
    Measurement.report("\(name)_used_kib", running.residentKibibytes())
  }

  private func headings(_ agent: AgentSocket) throws -> [String] {
    var seconds: [Double] = []
    var cursors: [String] = []
    for round in 0..<220 {
      let sort = ["last", "first", "company"][round % 3]
      let answer = try agent.get("/v1/sections?sort=\(sort)")
      if round >= 20 { seconds.append(answer.seconds) }
      guard sort == "last" else { continue }
      let json = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
      let sections = json?["sections"] as? [[String: Any]] ?? []
      cursors = sections.compactMap { $0["cursor"] as? String }
    }
    Measurement.reportPercentiles("\(name)_sections", seconds: seconds, in: .milliseconds)
    return cursors
  }

  private func pages(_ agent: AgentSocket, _ cursors: [String]) throws {
    var seconds: [Double] = []
    for round in 0..<600 {
      let path: String
      if round % 2 == 0, let cursor = cursors.isEmpty ? nil : cursors[round % cursors.count] {
        path = "/v1/contacts?sort=last&limit=50&cursor=\(Self.escaped(cursor))"
      } else {
        path = "/v1/contacts?sort=\(["last", "first", "company", "modified"][round % 4])&limit=50"
      }
      let answer = try agent.get(path)
      if round >= 20 { seconds.append(answer.seconds) }
    }
    Measurement.reportPercentiles("\(name)_page", seconds: seconds, in: .milliseconds)
  }

  /// Searches for each text letter by letter, as a search field does.
  private func search(_ agent: AgentSocket) throws {
    var seconds: [Double] = []
    var slowest = (text: "", seconds: 0.0)
    for round in 0..<5 {
      for text in Self.typed {
        for end in 1...text.count {
          let typed = String(text.prefix(end))
          let answer = try agent.get("/v1/contacts?limit=50&q=\(Self.escaped(typed))")
          guard round > 0 else { continue }
          seconds.append(answer.seconds)
          if answer.seconds > slowest.seconds { slowest = (typed, answer.seconds) }
        }
      }
    }
    Measurement.reportPercentiles("\(name)_keystroke", seconds: seconds, in: .milliseconds)
    let slowestLine = "# slowest: “\(slowest.text)” \(slowest.seconds * 1e3) ms\n"
    FileHandle.standardError.write(Data(slowestLine.utf8))
  }

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
