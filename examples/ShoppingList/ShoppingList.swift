import OfflineClient

/// The tutorial's program: shopping lists that are on every device of a person, with and without a network.
enum ShoppingList {
  /// Opens the lists in `file`.
  static func open(
    file: String, broker: BrokerAddress?, device: String
  ) async throws -> OfflineContainer {
    var configuration = OfflineConfiguration(
      name: "shopping-list", file: file, broker: broker, deviceName: device)
    configuration.indexes = ["Item.list"]
    configuration.titleFields = ["List": "title", "Item": "title"]
    return try await OfflineContainer.open(configuration)
  }

  /// Creates a list with items.
  static func createList(
    _ title: String, items: [String], in container: OfflineContainer
  ) async throws -> Record {
    try await container.write { transaction in
      let list = try transaction.save(Record(recordType: "List", fields: ["title": .string(title)]))
      for item in items { try transaction.save(newItem(item, in: list.id)) }
      return list
    }
  }

  /// Describes an item that is still to buy. It is deleted together with its list.
  static func newItem(_ title: String, in list: RecordID) -> Record {
    let reference = Reference(recordName: list.recordName, action: .deleteSelf)
    return Record(
      recordType: "Item",
      fields: ["title": .string(title), "isDone": false, "list": .reference(reference)])
  }

  /// Deletes a list and its items.
  static func deleteList(_ list: RecordID, in container: OfflineContainer) async throws {
    try await container.write { transaction in
      for item in try transaction.records(matching: items(of: list)) {
        try transaction.deleteRecord(withID: item.id)
      }
      try transaction.deleteRecord(withID: list)
    }
  }

  /// Marks an item as bought.
  static func finish(_ id: RecordID, in container: OfflineContainer) async throws {
    guard var item = try container.record(for: id) else { return }
    item["isDone"] = true
    try await container.save(item)
  }

  /// The query for the items of a list: those still to buy first, then by title.
  static func items(of list: RecordID) -> Query {
    Query(
      recordType: "Item", predicate: "list == %@",
      arguments: [.reference(Reference(recordName: list.recordName))],
      sortDescriptors: [
        Query.SortDescriptor(key: "isDone"), Query.SortDescriptor(key: "title"),
      ])
  }

  /// Reports the items of a list each time that they change.
  static func watch(
    _ list: RecordID, in container: OfflineContainer, report: @Sendable ([Record]) -> Void
  ) async throws {
    for try await items in try container.observe(items(of: list)) { report(items) }
  }

  /// Gives an item a photo.
  static func setPhoto(
    _ content: [UInt8], of id: RecordID, in container: OfflineContainer
  ) async throws {
    guard var item = try container.record(for: id) else { return }
    item["photo"] = .asset(try await container.addAsset(content))
    try await container.save(item)
  }

  /// Returns the photo of an item; `nil` if it has none.
  static func photo(of id: RecordID, in container: OfflineContainer) async throws -> [UInt8]? {
    guard let asset = try container.record(for: id)?["photo"]?.asset else { return nil }
    return try await container.content(of: asset)
  }

  /// Describes each conflict in a line.
  static func describeConflicts(in container: OfflineContainer) throws -> [String] {
    try container.conflicts().map { conflict in
      let values = [conflict.mine, conflict.theirs].map { $0?.string ?? "–" }
      return "\(conflict.title): here “\(values[0])”, elsewhere “\(values[1])”"
    }
  }

  /// Keeps the values of this device in all conflicts.
  static func keepMine(in container: OfflineContainer) async throws {
    for conflict in try container.conflicts() {
      try await container.resolve(conflict, keeping: .mine)
    }
  }

  /// Undoes the last change of this device, and describes what happened.
  static func undo(in container: OfflineContainer) async throws -> String {
    let result = try await container.undo()
    return result.restoredCount > 0
      ? "Undone: “\(result.undone.title)”."
      : "Nothing undone: “\(result.undone.title)” was changed since."
  }
}
