// How much goes into one request: groups in order, each whole, up to the bounds of the protocol. A
// full request means fewer round trips and a fuller group commit; a group is never split, because a
// person's action happens all or not at all.

import Records

/// A request being filled.
package struct RequestPacking: Sendable {
  /// What became of a group that was offered.
  package enum Verdict: Hashable, Sendable {
    /// It is in the request.
    case taken
    /// There is no room; the request goes as it is and the group waits for the next one.
    case full
    /// It fits in no request.
    case tooLarge
  }

  /// The groups taken so far.
  package private(set) var groups: [OperationGroup] = []
  private var operationCount = 0
  private var bytes = 0
  private let bytesMost: Int

  /// An empty request that takes up to `bytesMost` bytes.
  package init(bytesMost: Int) {
    self.bytesMost = bytesMost
  }

  /// Offers a group.
  package mutating func offer(_ group: OperationGroup) -> Verdict {
    let size = Self.bytes(of: group)
    guard group.operations.count <= Limits.operationsPerRequest, size <= bytesMost else {
      return .tooLarge
    }
    guard operationCount + group.operations.count <= Limits.operationsPerRequest,
      bytes + size <= bytesMost
    else { return .full }
    groups.append(group)
    operationCount += group.operations.count
    bytes += size
    return .taken
  }

  /// A bound for a group's encoded size.
  package static func bytes(of group: OperationGroup) -> Int {
    group.operations.reduce(64) { $0 + bytes(of: $1) }
  }

  private static func bytes(of operation: Operation) -> Int {
    switch operation {
    case .save(let save):
      save.fields.bytes.count + save.name.text.utf8.count + save.type.text.utf8.count
        + save.removed.reduce(64) { $0 + $1.text.utf8.count + 4 }
    case .delete(let delete): delete.name.text.utf8.count + 64
    case .saveZone(let title): title.utf8.count + 64
    case .deleteZone, .emptyTrash: 64
    }
  }
}
