// Compares the keys of declared indexes with the records. The two are stored in different places of the file: where
// they differ, one of them was damaged.

import DeviceStore
import Foundation
import GRDB
import Predicates
import Records
import SQLiteFile

extension RecordIndex {
  /// Returns which records differ from the complete indexes, a sentence each, for `ApplicationRules.checks`. Reads
  /// everything: some tenths of a second for ten thousand records.
  package static func findings(_ db: Database) throws -> [String] {
    guard try db.tableExists("record_index") else { return [] }
    return try IndexKeyTable(db: db).findings()
  }
}

extension IndexKeyTable {
  fileprivate func findings() throws -> [String] {
    var findings: [String] = []
    for index in try complete() where findings.count < DeviceReader.findingsMaximum {
      var present = 0
      try ShownRecords(db).visitRows(after: 0, rowsMaximum: .max) { row, shown in
        guard let shown, let key = index.indexKey(of: shown.record) else { return }
        present += 1
        guard try key != self.key(of: row, in: index) else { return }
        guard findings.count < DeviceReader.findingsMaximum else { return }
        findings.append("The record “\(shown.record.name)” differs from \(index.declared).")
      }
      let stored = try db.number(
        "SELECT count(*) FROM record_key WHERE record_index = ?", [index.key])
      if stored != present {
        findings.append("\(index.declared) has \(stored) keys for \(present) records.")
      }
    }
    return findings
  }

  private func key(of record: Int64, in index: StoredIndex) throws -> IndexKey? {
    try db.row(
      "SELECT value FROM record_key WHERE record = ? AND record_index = ?", [record, index.key]
    ).map { IndexKey(stored: [UInt8]($0["value"] as Data)) }
  }
}
