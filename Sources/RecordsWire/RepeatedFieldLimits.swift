// An empty list element takes two bytes in a frame and can take a hundred in memory. Before a
// device's frame is decoded into messages, its repeated fields are therefore counted in the encoded
// bytes. Rejecting a frame therefore takes no more memory than the frame itself.

import Records

/// The limits of repeated fields in client frames.
enum RepeatedFieldLimits {
  private struct Bound {
    /// The field numbers that lead to the repeated field (see records.proto).
    let path: [Int]
    let limit: Int
    let what: String
  }

  private static let bounds = [
    Bound(path: [2, 10], limit: Limits.zonesPerSession, what: "Zones of a connection"),
    Bound(path: [3, 3], limit: Limits.operationsPerRequest, what: "Groups of a request"),
    Bound(path: [3, 3, 2], limit: Limits.operationsPerRequest, what: "Operations of a request"),
    Bound(path: [5, 1], limit: Limits.idsPerFetch, what: "Records of a fetch"),
    Bound(path: [6, 1], limit: Limits.zonesPerSession, what: "Zones of a connection"),
    Bound(path: [7, 1], limit: Limits.zonesPerSession, what: "Zones of a connection"),
    Bound(path: [20, 5], limit: Limits.valuesPerList, what: "Arguments of a predicate"),
    Bound(
      path: [20, 5, 10, 1], limit: Limits.valuesPerList, what: "Values in a predicate's lists"),
    Bound(
      path: [20, 5, 11, 1], limit: Limits.valuesPerList, what: "Entries in a predicate's values"),
    Bound(path: [20, 6], limit: Limits.fieldsPerRecord, what: "Sort keys of a query"),
    Bound(path: [20, 7, 1], limit: Limits.fieldsPerRecord, what: "Desired keys"),
    Bound(path: [30, 1, 4, 3], limit: Limits.valuesPerList, what: "Arguments of a predicate"),
    Bound(
      path: [30, 1, 4, 3, 10, 1], limit: Limits.valuesPerList,
      what: "Values in a predicate's lists"),
    Bound(
      path: [30, 1, 4, 3, 11, 1], limit: Limits.valuesPerList,
      what: "Entries in a predicate's values"),
    Bound(path: [30, 1, 12, 6], limit: Limits.fieldsPerRecord, what: "Desired keys"),
    Bound(path: [81, 4, 1], limit: Limits.accountsPerPage, what: "Accounts of a request"),
  ]

  private static let requestBounds = [
    Bound(path: [3], limit: Limits.operationsPerRequest, what: "Groups of a request"),
    Bound(path: [3, 2], limit: Limits.operationsPerRequest, what: "Operations of a request"),
  ]

  /// Counts the repeated fields of a `ClientFrame`.
  /// - Throws: `limitExceeded` if a count exceeds its limit.
  static func check(_ payload: [UInt8]) throws(RecordsError) {
    try check(payload[...], bounds)
  }

  /// Counts the repeated fields of a `Modify`.
  /// - Throws: `limitExceeded` if a count exceeds its limit.
  static func checkRequest(_ encoded: ArraySlice<UInt8>) throws(RecordsError) {
    try check(encoded, requestBounds)
  }

  private static func check(
    _ bytes: ArraySlice<UInt8>, _ bounds: [Bound]
  ) throws(RecordsError) {
    for bound in bounds {
      try checkCount(try count(bytes, bound.path[...]), of: bound.what, limit: bound.limit)
    }
  }

  private static func count(
    _ bytes: ArraySlice<UInt8>, _ path: ArraySlice<Int>
  ) throws(RecordsError) -> Int {
    var count = 0
    var reader = ByteReader(bytes)
    while let field = try reader.next() {
      guard field.number == path.first, case .bytes(let inner) = field.payload else { continue }
      count += path.count == 1 ? 1 : try self.count(inner, path.dropFirst())
    }
    return count
  }
}
