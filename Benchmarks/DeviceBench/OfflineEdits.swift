// P8: a device with many offline edits connects to a broker for the first time, and another device of the
// account receives all of them. Broker and agents are real processes with real sockets and disks. Both
// agents run before the broker starts, and notice by themselves that it is available.

import Foundation
import Measuring

/// A run with a number of edits, each saved by its own request.
struct OfflineEdits {
  let edits: Int
  /// The folder of contacts-broker and contactsd.
  let programs: String
  /// An own folder for states and sockets.
  let folder: String

  private static let timeoutSeconds = 300.0

  /// Measures and prints the time from the broker's start until the first device has nothing to send, and
  /// until the second device has every contact.
  func measure() throws {
    let author = try device("author")
    defer { author.stop() }
    let connection = try author.connection()
    for number in 0..<edits { try add(number, over: connection) }
    let contacts = try status(of: connection).contacts
    let reader = try device("reader")
    defer { reader.stop() }
    let view = try reader.connection()

    let start = Measurement.monotonicSeconds()
    let broker = try BenchProcess(
      programs + "/contacts-broker", ["--state", folder + "/broker", "--socket", folder + "/b"],
      socket: folder + "/b")
    defer { broker.stop() }
    try wait(for: "the edits to be sent", since: start) {
      try status(of: connection).waitingEdits == 0
    }
    let sentSeconds = Measurement.monotonicSeconds() - start
    try wait(for: "the other device to have them", since: start) {
      try status(of: view).contacts == contacts
    }
    let seconds = Measurement.monotonicSeconds() - start
    Measurement.report("offline_edits_\(edits)_sent_ms", sentSeconds * 1000)
    Measurement.report("offline_edits_\(edits)_ms", seconds * 1000)
  }

  private func device(_ name: String) throws -> BenchProcess {
    try BenchProcess(
      programs + "/contactsd",
      [
        "--state", "\(folder)/\(name)", "--socket", "\(folder)/\(name).s", "--broker",
        folder + "/b", "--account", "alice", "--device", name, "--locale", "en_US",
      ], socket: "\(folder)/\(name).s")
  }

  private func add(_ number: Int, over connection: AgentSocket) throws {
    let contact = """
      {"firstName":"First \(number)","lastName":"Last \(number % 977)",\
      "phones":[{"label":"work","value":"+44 20 7946 \(number)"}],\
      "emails":[{"label":"home","value":"person\(number)@example.org"}]}
      """
    _ = try connection.post("/v1/contacts", Data(contact.utf8), mediaType: "application/json")
  }

  private func wait(
    for what: String, since start: Double, until isDone: () throws -> Bool
  ) throws {
    while try !isDone() {
      guard Measurement.monotonicSeconds() < start + Self.timeoutSeconds else {
        throw BenchFailure("Waited for \(what) for \(Self.timeoutSeconds) s without success.")
      }
      usleep(10_000)
    }
  }

  private struct AgentStatus: Decodable {
    let waitingEdits: Int
    let contacts: Int
  }

  private func status(of connection: AgentSocket) throws -> AgentStatus {
    try JSONDecoder().decode(AgentStatus.self, from: connection.get("/v1/status").body)
  }
}
