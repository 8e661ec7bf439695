// The status of the agent, which every client reads first.

import Records

/// The status of the agent.
package struct StatusView: Codable, Hashable, Sendable {
  package var schema = 1
  /// `live`, `connecting`, `offline` or another phase; `held` if deletions are on hold.
  package var state: String
  package var waitingEdits: Int
  package var heldDeletions: Int
  /// When the device had last read and sent everything.
  package var lastSync: Timestamp?
  package var lastSyncAgeSeconds: Int64?
  /// Whether the public database is being read.
  package var syncing: Bool
  package var conflicts: Int
  /// The number of drafts of the web page.
  package var drafts: Int
  /// The number of contacts.
  package var contacts: Int
  /// The number of unseen notifications that count.
  package var badge: Int
  /// The number of the newest event.
  package var lastEvent: Int64
  /// Problems that need the user, a sentence each.
  package var warnings: [String]
  /// The account's name; `nil` before it is known.
  package var account: String?
  /// A word for the status of the account.
  package var accountStatus: String
  /// A sentence for the status of the account.
  package var accountSentence: String
  /// The endpoints of the broker; `nil` if the agent was not started as a program.
  package var broker: String?
  /// Why the device is not connected; `nil` if it is, or if nothing is known yet.
  package var connectionError: String?
  /// A word for `connectionError`, if it has one; see `ConnectionReason`.
  package var connectionErrorReason: String?
  /// How fast the broker answers.
  package var brokerAnswer: BrokerAnswer
  /// The device's name.
  package var device: String
  /// The agent's version.
  package var version: String
  /// What became of the edits of this device.
  package var edits: Edits

  /// Creates the status of a device without edits. Its texts are empty.
  package init(state: String) {
    self.state = state
    waitingEdits = 0
    heldDeletions = 0
    syncing = false
    conflicts = 0
    drafts = 0
    contacts = 0
    badge = 0
    lastEvent = 0
    warnings = []
    accountStatus = ""
    accountSentence = ""
    brokerAnswer = BrokerAnswer(state: "prompt", seconds: nil, sentence: nil)
    device = ""
    version = ""
    edits = Edits()
  }

  /// How fast the broker answers.
  package struct BrokerAnswer: Codable, Hashable, Sendable {
    /// `prompt`, `slow` or `missing`; `prompt` also before the first connection.
    package var state: String
    /// How long the last answer took, or how long there has been none; `nil` if it is prompt.
    package var seconds: Double?
    /// The same as a sentence.
    package var sentence: String?

    package init(state: String, seconds: Double?, sentence: String?) {
      self.state = state
      self.seconds = seconds
      self.sentence = sentence
    }
  }

  /// What became of all edits that were made on this device.
  package struct Edits: Codable, Hashable, Sendable {
    package var made: Int
    package var applied: Int
    package var merged: Int
    package var coalesced: Int
    package var undone: Int
    package var rejected: Int
    package var pending: Int

    package init(
      made: Int = 0, applied: Int = 0, merged: Int = 0, coalesced: Int = 0, undone: Int = 0,
      rejected: Int = 0, pending: Int = 0
    ) {
      self.made = made
      self.applied = applied
      self.merged = merged
      self.coalesced = coalesced
      self.undone = undone
      self.rejected = rejected
      self.pending = pending
    }
  }
}

/// The words for connection errors that clients distinguish.
package enum ConnectionReason {
  /// The user of the agent may not use the broker's socket on this machine.
  package static let forbiddenSocket = "forbiddenSocket"
  /// The user has no account on the broker, and only an administrator can add one.
  package static let noAccount = "noAccount"
}

extension AgentPath {
  /// The status of the device.
  package static let status = AgentPath("status")
  /// The check of the device's data.
  package static let check = AgentPath("check")
  /// A synchronization.
  package static let sync = AgentPath("sync")
}
