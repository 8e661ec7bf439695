// Reads of what a device shows. Each method is one read transaction on one of the pool's readers,
// so reads never wait for writes.

import Records
import SyncCore

/// Reads a device's database. Methods throw `StoreError` when the disk fails.
package struct DeviceReader: Sendable {
  /// A page of contacts.
  /// - Throws: `invalidArguments` for a cursor of another query or a limit out of range.
  package func contacts(_ query: ContactQuery) throws -> ContactPage {
    preconditionFailure("being written")
  }

  /// The record of this name; own zones first where several have one.
  package func record(named name: RecordName) throws -> RecordView? {
    preconditionFailure("being written")
  }

  /// This record.
  package func record(_ id: RecordID) throws -> RecordView? {
    preconditionFailure("being written")
  }

  /// The contacts a person may mean by `text`: the one of this id; else those of exactly this
  /// display name (ignoring case and accents); else those whose id or name begins so. At most 20.
  package func contacts(matching text: String) throws -> [ContactRow] {
    preconditionFailure("being written")
  }

  /// The groups, the standard one first, then own ones by title, then others'.
  package func groups() throws -> [GroupView] { preconditionFailure("being written") }

  /// How the device is.
  package func status() throws -> DeviceStatus { preconditionFailure("being written") }

  /// At most `limit` events after number `sequence`, in order.
  /// - Returns: the events, and the number of the oldest event kept, so that a gap shows.
  package func events(
    after sequence: Int64, limit: Int
  ) throws -> (events: [LocalEvent], oldest: Int64) {
    preconditionFailure("being written")
  }

  /// The unresolved conflicts, oldest first, 1,000 at most.
  package func conflicts() throws -> [ConflictView] { preconditionFailure("being written") }

  /// The edits that were refused, oldest first, 1,000 at most.
  package func parked() throws -> [ParkedView] { preconditionFailure("being written") }

  /// All records of a zone as shown, by name: for checkers and exports. Reads the whole zone.
  package func records(in zone: ZoneID) throws -> [RecordView] {
    preconditionFailure("being written")
  }
}
