// What tests look at behind the store's back.

import GRDB

@testable import DeviceStore

extension DeviceDatabase {
  /// A numeric pragma of the writer.
  func setting(_ name: String) throws -> Int? {
    try writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA \(name)") }
  }

  /// Leaves no more room on the disk.
  func fill() throws {
    try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
  }

  /// Copies everything, as a copied state directory would be.
  func copy(to other: DeviceDatabase) throws {
    try writer.backup(to: other.writer)
  }
}
