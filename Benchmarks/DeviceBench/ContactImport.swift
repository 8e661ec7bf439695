// An import from its file to the report: contactsctl, the agent and a broker as real processes. Contacts are sent to
// the broker meanwhile. The time until all of them are sent, the agent's processor time and its disk space follow.

import Foundation
import Measuring

/// An import of a number of cards.
struct ContactImport {
  let cards: Int
  /// The folder of contacts-broker, contactsd and contactsctl.
  let programs: String
  /// An own folder for the file, states and sockets.
  let folder: String

  private static let timeoutSeconds = 600.0

  /// Measures and prints the time of the import and the rest.
  func measure() throws {
    let file = folder + "/cards.vcf"
    try write(to: file)
    let broker = try BenchProcess(
      programs + "/contacts-broker", ["--state", folder + "/broker", "--socket", folder + "/b"],
      socket: folder + "/b")
    defer { broker.stop() }
    let agent = try BenchProcess(
      programs + "/contactsd",
      [
        "--state", folder + "/a", "--socket", folder + "/a.s", "--broker", folder + "/b",
        "--account",
        "bench", "--device", "bench", "--locale", "en_US",
      ], socket: folder + "/a.s")
    defer { agent.stop() }
    let connection = try agent.connection()
    let before = agent.processorSeconds
    let start = Measurement.monotonicSeconds()
    try ControlProcess(programs + "/contactsctl").run(["--agent", folder + "/a.s", "import", file])
    Measurement.report("import_\(cards)_s", Measurement.monotonicSeconds() - start)
    while try status(of: connection).waitingEdits > 0 {
      guard Measurement.monotonicSeconds() < start + Self.timeoutSeconds else {
        throw BenchFailure("The contacts were not sent within \(Self.timeoutSeconds) s.")
      }
      usleep(10_000)
    }
    Measurement.report("import_\(cards)_sent_s", Measurement.monotonicSeconds() - start)
    Measurement.report(
      "import_\(cards)_agent_us_each", (agent.processorSeconds - before) / Double(cards) * 1e6)
    Measurement.report("import_\(cards)_peak_kib", agent.peakKibibytes)
    agent.stop()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/a/contacts.sqlite")
    let size = (attributes[.size] as? NSNumber)?.doubleValue ?? 0
    Measurement.report("import_\(cards)_bytes_each", size / Double(cards))
  }

  /// Writes cards of about 400 bytes. Names and towns repeat, numbers and addresses do not.
  private func write(to path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw BenchFailure("Cannot write \(path).") }
    defer { try? file.close() }
    var text = ""
    for number in 0..<cards {
      text += Self.card(number)
      guard number % 1000 == 999 || number == cards - 1 else { continue }
      try file.write(contentsOf: Data(text.utf8))
      text = ""
    }
  }

  private static let firsts = ["Anna", "Bo", "Cléo", "Dag", "Łukasz", "Иван", "小龙", "민준", "Maria"]
  private static let lasts = [
    "Hill", "Berg", "Müller", "Söderström", "Kowalski", "Иванов", "李", "김", "O'Brien", "Young",
    "Reed",
  ]

  private static func card(_ number: Int) -> String {
    let mixed = number &* 2_654_435_761 & 0xFFFF_FFFF
    let first = firsts[mixed % firsts.count]
    let last = lasts[mixed / 9 % lasts.count] + ["", "son", "ton", "er"][mixed / 99 % 4]
    return """
      BEGIN:VCARD\r
      VERSION:3.0\r
      UID:urn:uuid:00000000-0000-4000-8000-\(100_000_000_000 + number)\r
      N:\(last);\(first);;;\r
      FN:\(first) \(last)\r
      ORG:\(last) GmbH \(number % 900)\r
      TITLE:engineer\r
      TEL;TYPE=CELL:+49 170 \(1_000_000 + mixed % 9_000_000)\r
      TEL;TYPE=WORK:+1 212 555 \(1000 + mixed / 7 % 9000)\r
      EMAIL;TYPE=HOME:person\(number)@example.org\r
      ADR;TYPE=HOME:;;\(last) Street \(number % 200);\(lasts[number % 11]) City;;\(10_000 + mixed % 89_999);Germany\r
      BDAY:19\(10 + number % 89)-0\(1 + number % 9)-1\(number % 10)\r
      NOTE:met at the harbour festival and likes tea\r
      END:VCARD\r

      """
  }

  private struct AgentStatus: Decodable { let waitingEdits: Int }

  private func status(of connection: AgentSocket) throws -> AgentStatus {
    try JSONDecoder().decode(AgentStatus.self, from: connection.get("/v1/status").body)
  }
}
