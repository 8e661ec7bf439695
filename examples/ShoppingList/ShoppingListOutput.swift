import Foundation
import OfflineClient

/// The command line: `shopping-list FILE SOCKET SUBCOMMAND …`. Each file is a device of the account.
@main
struct ShoppingListOutput {
  static let usage = """
    usage: shopping-list FILE SOCKET create TITLE ITEM… | show | add LIST ITEM… | delete LIST
           shopping-list FILE SOCKET rename OLD NEW | done ITEM | photo ITEM FILE
           shopping-list FILE SOCKET conflicts | keep-mine | undo | watch LIST | status
    """

  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      guard words.count >= 3 else { throw CommandError(message: usage) }
      let container = try await ShoppingList.open(
        file: words[0], broker: try BrokerAddress(words[1]),
        device: URL(filePath: words[0]).deletingPathExtension().lastPathComponent)
      try await run(words[2], Array(words.dropFirst(3)), in: container)
    } catch {
      FileHandle.standardError.write(Data("shopping-list: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Runs a subcommand on what the broker has, and sends what it changed. Without a connection it runs on what is
  /// on this device, and a later run sends the changes.
  static func run(_ name: String, _ words: [String], in container: OfflineContainer) async throws {
    do {
      let isConnected = try await container.synchronize(waitSeconds: 3)
      try await perform(name, words, in: container)
      if isConnected { _ = try await container.synchronize(waitSeconds: 30) }
      let pendingCount = try container.status().pendingEditCount
      if pendingCount > 0 { print("Saved on this device. Not sent yet: \(pendingCount).") }
    } catch {
      try? await container.close()
      throw error
    }
    try await container.close()
  }

  static func perform(
    _ name: String, _ words: [String], in container: OfflineContainer
  ) async throws {
    switch (name, words.count) {
    case ("create", 1...):
      _ = try await ShoppingList.createList(
        words[0], items: Array(words.dropFirst()), in: container)
    case ("add", 2...):
      let list = try ShoppingList.list(titled: words[0], in: container)
      try await ShoppingList.add(Array(words.dropFirst()), to: list.id, in: container)
    case ("delete", 1):
      let list = try ShoppingList.list(titled: words[0], in: container)
      try await ShoppingList.deleteList(list.id, in: container)
    case ("rename", 2): try await ShoppingList.rename(words[0], to: words[1], in: container)
    case ("done", 1):
      let item = try ShoppingList.item(titled: words[0], in: container)
      try await ShoppingList.finish(item.id, in: container)
    case ("photo", 2):
      let item = try ShoppingList.item(titled: words[0], in: container)
      try await ShoppingList.setPhoto(content(of: words[1]), of: item.id, in: container)
    case ("keep-mine", 0): try await ShoppingList.keepMine(in: container)
    case ("undo", 0): print(try await ShoppingList.undo(in: container))
    default: try await printAnswer(name, words, in: container)
    }
  }

  private static func content(of file: String) throws -> [UInt8] {
    guard let content = FileManager.default.contents(atPath: file) else {
      throw CommandError(message: "Cannot read the file “\(file)”.")
    }
    return Array(content)
  }

  /// Performs the subcommands that change nothing.
  static func printAnswer(
    _ name: String, _ words: [String], in container: OfflineContainer
  ) async throws {
    switch (name, words.count) {
    case ("show", 0): for line in try ShoppingList.describeLists(in: container) { print(line) }
    case ("conflicts", 0):
      for line in try ShoppingList.describeConflicts(in: container) { print(line) }
    case ("watch", 1):
      let list = try ShoppingList.list(titled: words[0], in: container)
      try await ShoppingList.watch(list.id, in: container) { items in
        print(items.map(ShoppingList.describe).joined(separator: ", "))
        fflush(nil)
      }
    case ("status", 0): print(describe(try container.status()))
    default: throw CommandError(message: usage)
    }
  }

  static func describe(_ status: OfflineStatus) -> String {
    """
    connection: \(status.connection)
    account: \(status.accountName ?? "–")
    not sent: \(status.pendingEditCount)
    conflicts: \(status.conflictCount)
    rejected: \(status.rejectedEditCount)
    last failure: \(status.connectionError?.message ?? "–")
    """
  }
}
