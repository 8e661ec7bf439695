// What tests look at behind the store's back.

import GRDB

@testable import DeviceStore

extension DeviceDatabase {
  /// A numeric pragma of the writer.
  func setting(_ name: String) throws -> Int? {
    try writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA \(name)") }
  }

  /// Copies everything, as a copied state directory would be.
  func copy(to other: DeviceDatabase) throws {
    try writer.backup(to: other.writer)
  }
}
