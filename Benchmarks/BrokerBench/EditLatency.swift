// P2b, the delay that a user sees: from an edit over one agent's HTTP interface to its event on another
// agent's stream. The edit passes two disks and six trips between processes.

import Foundation
import Measuring

/// Times edits one after another.
struct EditLatency {
  private let setting: BenchSetting

  init(_ setting: BenchSetting) {
    self.setting = setting
  }

  /// Measures 500 edits, after 50 without measurement.
  func measure() throws {
    let broker = try setting.startBroker()
    defer { broker.stop() }
    let agents = try ["a", "b"].map(startAgent)
    defer { for agent in agents { agent.stop() } }
    for name in ["a", "b"] { try waitUntilLive(name) }
    let editing = try StreamSocket(path: socket(of: "a"))
    let watching = try StreamSocket(path: socket(of: "b"))
    let contact = try contact(askedOn: editing)
    try watching.write(Array("GET /v1/events HTTP/1.1\r\nHost: agent\r\n\r\n".utf8))
    try wait(on: watching, for: "\r\n\r\n")
    var seconds: [Double] = []
    for round in -50..<500 {
      let company = "Round \(round + 1000)"
      let start = Measurement.monotonicSeconds()
      try editing.write(Array(edit(contact, company: company).utf8))
      try wait(on: watching, for: contact)
      if round >= 0 { seconds.append(Measurement.monotonicSeconds() - start) }
      try wait(on: editing, for: company)
    }
    Measurement.reportPercentiles("edit_to_event", seconds: seconds, in: .microseconds)
  }

  /// The id of the first contact, as events name it.
  private func contact(askedOn socket: StreamSocket) throws -> String {
    try socket.write(Array("GET /v1/contacts?limit=1 HTTP/1.1\r\nHost: agent\r\n\r\n".utf8))
    var answer = ""
    while !answer.hasSuffix("}") { answer += String(decoding: try socket.read(), as: UTF8.self) }
    guard let id = answer.firstMatch(of: /"id":"([0-9a-z-]+)"/)?.1 else {
      throw BenchFailure("The agent has no contacts.")
    }
    return String(id)
  }

  private func edit(_ contact: String, company: String) -> String {
    let body = "{\"company\":\"\(company)\"}"
    return """
      PATCH /v1/contacts/\(contact) HTTP/1.1\r
      Host: agent\r
      Content-Type: application/json\r
      Content-Length: \(body.utf8.count)\r
      \r
      \(body)
      """
  }

  private func socket(of agent: String) -> String { "\(setting.folder)/\(agent).sock" }

  private func startAgent(_ name: String) throws -> Program {
    let state = "\(setting.folder)/\(name)"
    try? FileManager.default.removeItem(atPath: state)
    try FileManager.default.createDirectory(
      atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return try Program(
      setting.programs + "/contactsd",
      [
        "--state", state, "--socket", socket(of: name), "--broker", setting.brokerSocket,
        "--account", "bench", "--device", name,
      ], log: "\(state).log")
  }

  private func waitUntilLive(_ agent: String) throws {
    try setting.wait("\(agent) to be live") {
      guard let connection = try? StreamSocket(path: socket(of: agent)) else { return false }
      try connection.write(Array("GET /v1/status HTTP/1.1\r\nHost: agent\r\n\r\n".utf8))
      return String(decoding: try connection.read(), as: UTF8.self).contains("\"live\"")
    }
  }

  /// Reads until `text` has arrived.
  private func wait(on socket: StreamSocket, for text: String) throws {
    var received = ""
    while !received.contains(text) {
      received += String(decoding: try socket.read(), as: UTF8.self)
    }
  }
}
