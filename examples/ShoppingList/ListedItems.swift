import OfflineClient

extension ShoppingList {
  /// Adds items to a list.
  static func add(
    _ titles: [String], to list: RecordID, in container: OfflineContainer
  ) async throws {
    try await container.write { transaction in
      for title in titles { try transaction.save(newItem(title, in: list)) }
    }
  }

  /// Renames an item.
  static func rename(
    _ old: String, to new: String, in container: OfflineContainer
  ) async throws {
    var item = try item(titled: old, in: container)
    item["title"] = .string(new)
    try await container.save(item)
  }

  /// Returns the list with a title.
  static func list(titled title: String, in container: OfflineContainer) throws -> Record {
    try record("List", titled: title, in: container)
  }

  /// Returns the item with a title, of any list.
  static func item(titled title: String, in container: OfflineContainer) throws -> Record {
    try record("Item", titled: title, in: container)
  }

  private static func record(
    _ type: String, titled title: String, in container: OfflineContainer
  ) throws -> Record {
    let query = Query(recordType: type, predicate: "title == %@", arguments: [.string(title)])
    guard let record = try container.records(matching: query, limit: 1).first else {
      throw CommandError(message: "There is no \(type.lowercased()) “\(title)” on this device.")
    }
    return record
  }

  /// Describes all lists, each followed by its items.
  static func describeLists(in container: OfflineContainer) throws -> [String] {
    let lists = Query(recordType: "List", sortDescriptors: [Query.SortDescriptor(key: "title")])
    return try container.records(matching: lists).flatMap { list in
      let items = try container.records(matching: items(of: list.id))
      return [list["title"]?.string ?? "–"] + items.map { "  \(describe($0))" }
    }
  }

  /// Describes an item in a line.
  static func describe(_ item: Record) -> String {
    let title = item["title"]?.string ?? "–"
    let photo = item["photo"]?.asset.map { " (photo, \($0.byteCount) bytes)" } ?? ""
    return "[\(item["isDone"]?.boolean == true ? "x" : " ")] \(title)\(photo)"
  }
}
