import Foundation
import OfflineClient

/// The command line: `offline-timeline FILE SOCKET ACCOUNT SUBCOMMAND …`. Each file is a device of the account.
@main
struct OfflineTimelineOutput {
  static let usage = """
    usage: offline-timeline FILE SOCKET ACCOUNT list | post PHOTO CAPTION | comment POST TEXT
           offline-timeline FILE SOCKET ACCOUNT photo POST FILE | delete POST | rejected
    """

  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      guard words.count >= 4 else { throw CommandError(message: usage) }
      let container = try await OfflineTimeline.open(
        file: words[0], broker: try BrokerAddress(words[1]), account: words[2],
        device: URL(filePath: words[0]).deletingPathExtension().lastPathComponent)
      try await run(words[3], Array(words.dropFirst(4)), in: container)
    } catch {
      FileHandle.standardError.write(Data("offline-timeline: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Runs a subcommand after the device has received what is new, and sends what it changed. Without a connection it
  /// runs on what is on this device, and a later run sends the changes.
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
    case ("list", 0): for line in try OfflineTimeline.describe(container) { print(line) }
    case ("post", 2):
      guard let photo = FileManager.default.contents(atPath: words[0]) else {
        throw CommandError(message: "Cannot read the file “\(words[0])”.")
      }
      let post = try await OfflineTimeline.post(Array(photo), caption: words[1], in: container)
      print(post.id.recordName)
    case ("comment", 2):
      let post = try post(words[0], in: container)
      _ = try await OfflineTimeline.comment(words[1], on: post.id, in: container)
    case ("photo", 2):
      let post = try post(words[0], in: container)
      let photo = try await OfflineTimeline.photo(of: post.id, in: container)
      try Data(photo ?? []).write(to: URL(filePath: words[1]))
    case ("delete", 1):
      try await OfflineTimeline.delete(try post(words[0], in: container).id, in: container)
    case ("rejected", 0):
      for edit in try container.rejectedEdits() { print("\(edit.title): \(edit.message)") }
    default: throw CommandError(message: usage)
    }
  }

  private static func post(_ name: String, in container: OfflineContainer) throws -> Record {
    guard let post = try container.record(for: RecordID(recordName: name), in: .public) else {
      throw CommandError(message: "There is no post “\(name)” on this device.")
    }
    return post
  }
}
