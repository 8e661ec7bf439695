import Records

/// The stored records and the declared indexes of a database, as a query reads them. The broker and a device
/// have different tables; `QueryScan` computes the same pages from both.
package protocol QuerySource {
  /// Calls `visit` with the records of a type in a zone that the caller may see, in the order of their names,
  /// until it returns `false`. Skips the names before `name`, if given.
  func visit(
    _ type: RecordType, in zone: QueriedZone, from name: RecordName?,
    visit: (Change) throws -> Bool
  ) throws

  /// Calls `visit` with the records in a range of an index that the caller may see, in key order, until it
  /// returns `false`. Skips the names before `name`, if given.
  func visit(
    _ range: KeyRanges.Range, of index: StoredIndex, in zone: QueriedZone, from name: RecordName?,
    isDescending: Bool, visit: (Change, IndexKey) throws -> Bool
  ) throws

  /// Returns the number of rows in some ranges of an index, counted up to `maximum`.
  func count(
    of ranges: KeyRanges, in index: StoredIndex, zone: QueriedZone, maximum: Int
  ) throws -> Int
}

/// A zone that a query reads.
package struct QueriedZone: Hashable, Sendable {
  /// The number of its row in the database.
  package let key: Int64
  /// The zone.
  package let id: ZoneID

  package init(key: Int64, id: ZoneID) {
    self.key = key
    self.id = id
  }
}

/// A declared index that a database has.
package struct StoredIndex: Hashable, Sendable {
  /// The number of its row in the database.
  package let key: Int64
  /// The type and the field.
  package let declared: DeclaredIndex

  package init(key: Int64, declared: DeclaredIndex) {
    self.key = key
    self.declared = declared
  }

  /// Returns the key of a record in this index; `nil` if the index does not have the record.
  package func indexKey(of record: Change) -> IndexKey? {
    guard record.kind == .saved, record.type == declared.type else { return nil }
    return IndexKey(of: declared.path, in: record)
  }
}
