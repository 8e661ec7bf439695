// The results of a modify call, and how its operations are packed into requests that fit the limits.

import Records

/// The results of `Database.modify(saving:deleting:policy:atomically:)`, by record.
public struct ModifyResults: Sendable {
  /// The result of each save: the record with its new change tag, or an error. CloudKit: `saveResults`.
  public internal(set) var saved: [RecordID: Result<Record, RecordsError>] = [:]
  /// The result of each deletion: the records deleted with it, or an error. CloudKit: `deleteResults`.
  public internal(set) var deleted: [RecordID: Result<CascadingDeletion, RecordsError>] = [:]

  /// The errors, by record. In an atomic zone, the operation that caused the failure has its own error, and
  /// the other operations have `batchRequestFailed`.
  public var failures: [RecordID: RecordsError] {
    var failures: [RecordID: RecordsError] = [:]
    for (id, result) in saved { if case .failure(let error) = result { failures[id] = error } }
    for (id, result) in deleted { if case .failure(let error) = result { failures[id] = error } }
    return failures
  }

  /// Throws an error unless all operations succeeded.
  /// - Throws: The operation's error if there was only one operation. Otherwise `partialFailure`, with the
  ///   number of failed operations in its message.
  public func get() throws(RecordsError) {
    let failures = failures
    guard let first = failures.values.first else { return }
    let count = saved.count + deleted.count
    if count == 1 { throw first }
    throw RecordsError(
      .partialFailure, "\(failures.count) of \(count) operations failed.",
      hint: "See `failures` for the error of each.")
  }

  mutating func record(
    _ answer: OperationResult, of item: RequestPacker.Item, number: RequestNumber
  ) {
    switch item {
    case .save(let record):
      if let error = Database.failure(answer, zone: record.id.zoneID) {
        saved[record.id] = .failure(error)
      } else if case .saved(let tag) = answer {
        saved[record.id] = .success(record.saved(tag: tag))
      }
    case .delete(let id):
      if let error = Database.failure(answer, zone: id.zoneID) {
        deleted[id] = .failure(error)
      } else if case .deleted(_, let cascaded) = answer {
        deleted[id] = .success(CascadingDeletion(cascaded, zone: id.zoneID, number: number))
      }
    }
  }
}

/// Packs operations into groups, and groups into requests within the limits.
struct RequestPacker {
  /// The record that an operation concerns.
  enum Item {
    case save(Record)
    case delete(RecordID)
  }

  /// A group of operations in one zone, and the record that each concerns.
  struct Group {
    var zone: Records.ZoneID
    var items: [Item]
    var operations: [Operation]

    var group: OperationGroup { OperationGroup(zone: zone, operations: operations) }
    var byteCount: Int { operations.reduce(64) { $0 + $1.byteCountAtMost } }
  }

  private let isAtomic: Bool
  private var groups: [Group] = []

  init(isAtomic: Bool) {
    self.isAtomic = isAtomic
  }

  mutating func add(_ item: Item, _ operation: Operation, to zone: Records.ZoneID) {
    if isAtomic, let index = groups.firstIndex(where: { $0.zone == zone }) {
      groups[index].items.append(item)
      groups[index].operations.append(operation)
    } else {
      groups.append(Group(zone: zone, items: [item], operations: [operation]))
    }
  }

  /// Returns the groups of each request.
  /// - Throws: `limitExceeded` if one group is too large for a request.
  func requests() throws(RecordsError) -> [[Group]] {
    var requests: [[Group]] = []
    var (operations, bytes) = (0, 0)
    for group in groups {
      try check(group)
      let isFull =
        operations + group.operations.count > Limits.operationsPerRequest
        || bytes + group.byteCount > Limits.requestBytes - Self.reserveBytes
      if requests.isEmpty || isFull {
        requests.append([])
        (operations, bytes) = (0, 0)
      }
      requests[requests.count - 1].append(group)
      operations += group.operations.count
      bytes += group.byteCount
    }
    return requests
  }

  private func check(_ group: Group) throws(RecordsError) {
    guard group.operations.count <= Limits.operationsPerRequest else {
      throw .limit(
        "Operations that take effect together", limit: Limits.operationsPerRequest,
        actual: group.operations.count)
    }
    guard group.byteCount <= Limits.requestBytes - Self.reserveBytes else {
      throw .limit("Bytes of a request", limit: Limits.requestBytes, actual: group.byteCount)
    }
  }

  /// Room for the request's own fields.
  private static let reserveBytes = 1024
}

extension Operation {
  /// An upper bound of the operation's size on the wire.
  fileprivate var byteCountAtMost: Int {
    switch self {
    case .save(let save):
      64 + save.name.text.utf8.count + save.type.text.utf8.count + save.fields.bytes.count
        + save.removed.reduce(0) { $0 + $1.text.utf8.count + 4 }
    case .delete(let delete): 64 + delete.name.text.utf8.count
    case .saveZone(let title, _): 64 + title.utf8.count
    case .deleteZone(_, let former): 64 + former.entries.count * 32
    case .restoreZone, .emptyTrash: 64
    }
  }
}
