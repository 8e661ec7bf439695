// Collects groups of operations for one request, in order, up to the limits of the protocol. A full request
// needs fewer round trips and makes a larger group commit at the broker. A group is never split, because a
// user's action is applied completely or not at all.

import Records

/// The groups of operations for one request.
package struct RequestBatch: Sendable {
  /// The result of offering a group.
  package enum Verdict: Hashable, Sendable {
    /// The group was added.
    case taken
    /// The group does not fit any more. The request is complete, and the group belongs to the next one.
    case full
    /// The group exceeds the limits of a request.
    case tooLarge
  }

  /// The groups in the request.
  package private(set) var groups: [OperationGroup] = []
  private var operationCount = 0
  private var bytes = 0
  private let bytesMaximum: Int

  /// Creates an empty batch that holds up to `bytesMaximum` bytes.
  package init(bytesMaximum: Int) {
    self.bytesMaximum = bytesMaximum
  }

  /// Adds a group if it fits.
  package mutating func offer(_ group: OperationGroup) -> Verdict {
    let size = Self.bytes(of: group)
    guard group.operations.count <= Limits.operationsPerRequest, size <= bytesMaximum else {
      return .tooLarge
    }
    guard operationCount + group.operations.count <= Limits.operationsPerRequest,
      bytes + size <= bytesMaximum
    else { return .full }
    groups.append(group)
    operationCount += group.operations.count
    bytes += size
    return .taken
  }

  /// An upper bound for the encoded size of a group.
  package static func bytes(of group: OperationGroup) -> Int {
    group.operations.reduce(64) { $0 + bytes(of: $1) }
  }

  private static func bytes(of operation: Operation) -> Int {
    switch operation {
    case .save(let save):
      save.fields.bytes.count + save.name.text.utf8.count + save.type.text.utf8.count
        + save.removed.reduce(64) { $0 + $1.text.utf8.count + 4 }
    case .delete(let delete): delete.name.text.utf8.count + 64
    case .saveZone(let title, _): title.utf8.count + 64
    case .deleteZone(_, let former): former.entries.count * 32 + 64
    case .restoreZone, .emptyTrash: 64
    }
  }
}
