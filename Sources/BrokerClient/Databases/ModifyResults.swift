// What came of several saves and deletions: each by itself, and all together.

import Records

/// What came of a modify, record by record.
public struct ModifyResults: Sendable {
  /// The saves: the record with its new tag, or why not. CloudKit: `saveResults`.
  public internal(set) var saved: [RecordID: Result<Record, RecordError>] = [:]
  /// The deletions, each with what it took along. CloudKit: `deleteResults`.
  public internal(set) var deleted: [RecordID: Result<Cascade, RecordError>] = [:]

  /// The errors, by record; `batchRequestFailed` where another of the same group is to blame.
  public var failures: [RecordID: RecordError] {
    var failures: [RecordID: RecordError] = [:]
    for (id, result) in saved { if case .failure(let error) = result { failures[id] = error } }
    for (id, result) in deleted { if case .failure(let error) = result { failures[id] = error } }
    return failures
  }

  /// The overall result: returns where everything was done.
  /// - Throws: the error where there was one operation; else `partialFailure`, with how many.
  public func get() throws(RecordError) {
    let failures = failures
    guard let first = failures.values.first else { return }
    let count = saved.count + deleted.count
    if count == 1 { throw first }
    throw RecordError(
      .partialFailure, "\(failures.count) of \(count) operations failed.",
      hint: "`failures` says which, and why.")
  }

  mutating func enter(
    _ answer: OperationResult, of item: ModifyPacking.Item, number: RequestNumber
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
        deleted[id] = .success(Cascade(cascaded, zone: id.zoneID, number: number))
      }
    }
  }
}

/// Sorts operations into groups and requests that fit.
struct ModifyPacking {
  /// What an operation is about.
  enum Item {
    case save(Record)
    case delete(RecordID)
  }

  /// A group and what its operations are about.
  struct Packed {
    var zone: Records.ZoneID
    var items: [Item]
    var operations: [Operation]

    var group: OperationGroup { OperationGroup(zone: zone, operations: operations) }
    var byteCount: Int { operations.reduce(64) { $0 + $1.byteCountAtMost } }
  }

  private let isAtomic: Bool
  private var groups: [Packed] = []

  init(isAtomic: Bool) {
    self.isAtomic = isAtomic
  }

  mutating func add(_ item: Item, _ operation: Operation, to zone: Records.ZoneID) {
    if isAtomic, let index = groups.firstIndex(where: { $0.zone == zone }) {
      groups[index].items.append(item)
      groups[index].operations.append(operation)
    } else {
      groups.append(Packed(zone: zone, items: [item], operations: [operation]))
    }
  }

  /// The requests: one where atomic, else as many as are needed.
  /// - Throws: `limitExceeded`, for a group that fits no request.
  func requests() throws(RecordError) -> [[Packed]] {
    var requests: [[Packed]] = []
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

  private func check(_ group: Packed) throws(RecordError) {
    guard group.operations.count <= Limits.operationsPerRequest else {
      throw RecordError(
        .limit(
          "Operations of an atomic group", limit: Limits.operationsPerRequest,
          actual: group.operations.count))
    }
    guard group.byteCount <= Limits.requestBytes - Self.reserveBytes else {
      throw RecordError(
        .limit("Bytes of a request", limit: Limits.requestBytes, actual: group.byteCount))
    }
  }

  /// For what stands around the groups.
  private static let reserveBytes = 1024
}

extension Operation {
  /// No fewer bytes than it takes on the wire.
  fileprivate var byteCountAtMost: Int {
    switch self {
    case .save(let save):
      64 + save.name.text.utf8.count + save.type.text.utf8.count + save.fields.bytes.count
        + save.removed.reduce(0) { $0 + $1.text.utf8.count + 4 }
    case .delete(let delete): 64 + delete.name.text.utf8.count
    case .saveZone(let title): 64 + title.utf8.count
    case .deleteZone, .emptyTrash: 64
    }
  }
}
