// P8: a device on which people worked without a broker meets one, and another device of the account
// takes everything in. Broker and agents are processes, their sockets and disks real; both agents run
// before the broker does, and find out by themselves that it is there.

import Foundation
import Measuring

/// One run with so many edits, each saved by a request of its own.
struct OfflineEdits {
  let edits: Int
  /// Where the programs are: contacts-broker, contactsd.
  let programs: String
  /// A folder of its own for states and sockets.
  let folder: String

  private static let patienceSeconds = 300.0

  /// Measures, and prints how long it took from the broker's start until the first device has nothing
  /// to send and the second one has every contact.
  func measure() throws {
    let author = try device("author")
    defer { author.stop() }
    let connection = try author.connection()
    for number in 0..<edits { try add(number, over: connection) }
    let contacts = try standing(of: connection).contacts
    let reader = try device("reader")
    defer { reader.stop() }
    let view = try reader.connection()

    let start = Measurement.monotonicSeconds()
    let broker = try BenchProcess(
      programs + "/contacts-broker", ["--state", folder + "/broker", "--socket", folder + "/b"],
      socket: folder + "/b")
    defer { broker.stop() }
    try wait(for: "the edits to be sent", since: start) {
      try standing(of: connection).waitingEdits == 0
    }
    let sentSeconds = Measurement.monotonicSeconds() - start
    try wait(for: "the other device to have them", since: start) {
      try standing(of: view).contacts == contacts
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
    for what: String, since start: Double, until isRight: () throws -> Bool
  ) throws {
    while try !isRight() {
      guard Measurement.monotonicSeconds() < start + Self.patienceSeconds else {
        throw BenchFailure("It took too long for \(what).")
      }
      usleep(10_000)
    }
  }

  private struct Standing: Decodable {
    let waitingEdits: Int
    let contacts: Int
  }

  private func standing(of connection: AgentSocket) throws -> Standing {
    try JSONDecoder().decode(Standing.self, from: connection.get("/v1/status").body)
  }
}
