// Whether a device's account may read a zone, for the writer that sorts what waits for devices. Who asks
// is never the one whose transaction it is, so the answers are remembered for one step only.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// Answers one step's questions after rights.
struct ReceiverRights {
  private struct Question: Hashable {
    let account: StoreKey
    let zone: StoreKey
  }

  private let participants: ParticipantTable
  private var answers: [Question: Bool] = [:]

  init(db: Database, memory: WriterMemory) {
    participants = ParticipantTable(db: db, memory: memory)
  }

  /// Whether an account may read a zone. In the public database rights belong to records, and are
  /// asked when a notification is read.
  mutating func mayRead(_ zone: StoreKey, _ account: StoreKey) throws -> Bool {
    let question = Question(account: account, zone: zone)
    if let answer = answers[question] { return answer }
    let answer = try ask(question)
    answers[question] = answer
    return answer
  }

  private func ask(_ question: Question) throws -> Bool {
    let ids = try participants.db.first(
      """
      SELECT owner.id, viewer.id FROM zone JOIN account AS owner ON owner.key = zone.owner
        JOIN account AS viewer ON viewer.key = ?
      WHERE zone.key = ?
      """, [question.account, question.zone]
    ) { row in
      (owner: AccountID(bytes: row[0] as Data), viewer: AccountID(bytes: row[1] as Data))
    }
    guard let owner = ids?.owner, let viewer = ids?.viewer else { return false }
    guard owner != .public else { return true }
    return try participants.access(
      of: viewer, question.account, to: question.zone, owner: owner
    ).allowsReading
  }
}
