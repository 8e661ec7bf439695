import BrokerClient
import DeviceDriver
import DeviceStore
import Records
import SyncCore

/// Two edits of one field, or an edit and a deletion, that could not both take effect. The value of one device was
/// stored, and the other is kept here until a user decides. CloudKit has no equivalent; there the program merges.
public struct Conflict: Hashable, Sendable, Identifiable {
  /// What the two devices did.
  public enum Kind: Hashable, Sendable {
    /// Both set the field.
    case values
    /// One changed the record, the other deleted it. The record stayed.
    case deletion
  }

  /// Which value stays.
  public enum Resolution: Hashable, Sendable, CaseIterable {
    /// The value that was set on this device.
    case mine
    /// The value that was set on the other device.
    case theirs
    /// Both, where the field can hold both.
    case both
  }

  /// The conflict's own id.
  public let id: RecordID
  /// The record.
  public let recordID: RecordID
  /// The record's type.
  public let recordType: String
  /// The title of the record; empty if its type has none.
  public let title: String
  /// What the two devices did.
  public let kind: Kind
  /// The field; `nil` for a conflict of the whole record.
  public let field: String?
  /// The value that was set on this device; `nil` if the field was removed.
  public let mine: Value?
  /// The value that was set on the other device; `nil` if the field was removed.
  public let theirs: Value?
  /// Whether the record now has the value of this device.
  public let isMineStored: Bool

  init(_ view: ConflictView) {
    id = RecordID(view.id)
    recordID = RecordID(view.record)
    recordType = view.recordType.text
    title = view.title
    kind = view.kind == .values ? .values : .deletion
    field = view.field?.text
    isMineStored = view.mine == .winning
    let (stored, other) = (view.winning.map(Value.init), view.losing.map(Value.init))
    mine = isMineStored ? stored : other
    theirs = isMineStored ? other : stored
  }
}

extension OfflineContainer {
  /// Returns the unresolved conflicts, oldest first, 1,000 at most.
  public func conflicts() throws(RecordsError) -> [Conflict] {
    try reading { try $0.conflicts().map(Conflict.init) }
  }

  /// Resolves a conflict on all devices of the account. It can be undone.
  /// - Throws: `unknownItem` if the conflict is resolved already or its record is not here; `invalidArguments` for
  ///   `both`, if the field cannot hold both values.
  public func resolve(
    _ conflict: Conflict, keeping resolution: Conflict.Resolution
  ) async throws(RecordsError) {
    let choice: ConflictChoice =
      switch resolution {
      case .mine: .mine
      case .theirs: .theirs
      case .both: .both
      }
    try checkIsOpen()
    try await RecordsError.converting {
      let id = try conflict.id.stored(in: .private)
      try await driver.edit {
        ((), try $0.resolve(conflict: id, choice: choice, now: $1).actions)
      }
    }
  }
}
