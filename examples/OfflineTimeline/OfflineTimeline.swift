import Foundation
import OfflineClient

/// A photo timeline of all accounts of a broker. Every account sees every post; each device has a copy.
enum OfflineTimeline {
  /// Opens the timeline in `file` for an account; `nil` for the account that the broker knows this user by.
  static func open(
    file: String, broker: BrokerAddress?, account: String?, device: String
  ) async throws -> OfflineContainer {
    var configuration = OfflineConfiguration(
      name: "offline-timeline", file: file, broker: broker, deviceName: device)
    configuration.accountName = account
    configuration.publicTypes = ["Post", "Comment"]
    configuration.indexes = ["Comment.post"]
    configuration.titleFields = ["Post": "caption", "Comment": "text"]
    return try await OfflineContainer.open(configuration)
  }

  // MARK: Writing

  /// Posts a photo with a caption.
  ///
  /// `creationDate` becomes the time at which the broker receives the post, perhaps days later. The post has a date
  /// of its own, so that it keeps its place in the timeline.
  static func post(
    _ photo: [UInt8], caption: String, in container: OfflineContainer
  ) async throws -> Record {
    let asset = try await container.addAsset(photo)
    return try await container.save(
      Record(
        recordType: "Post",
        fields: ["caption": .string(caption), "photo": .asset(asset), "date": .date(Date())]),
      in: .public)
  }

  /// Adds a comment to a post, which is deleted together with the post.
  static func comment(
    _ text: String, on post: RecordID, in container: OfflineContainer
  ) async throws -> Record {
    let reference = Reference(recordName: post.recordName, action: .deleteSelf)
    return try await container.save(
      Record(
        recordType: "Comment",
        fields: ["text": .string(text), "post": .reference(reference), "date": .date(Date())]),
      in: .public)
  }

  /// Deletes a post and its comments. Only its author can.
  static func delete(_ post: RecordID, in container: OfflineContainer) async throws {
    try await container.deleteRecord(withID: post, in: .public)
  }

  // MARK: Reading

  /// Returns the newest posts, newest first.
  static func posts(in container: OfflineContainer) throws -> [Record] {
    try container.records(
      matching: Query(
        recordType: "Post",
        sortDescriptors: [Query.SortDescriptor(key: "date", ascending: false)]),
      in: .public)
  }

  /// Returns the comments on a post, oldest first.
  static func comments(on post: RecordID, in container: OfflineContainer) throws -> [Record] {
    let reference = Reference(recordName: post.recordName)
    return try container.records(
      matching: Query(
        recordType: "Comment", predicate: "post == %@", arguments: [.reference(reference)],
        sortDescriptors: [Query.SortDescriptor(key: "date")]),
      in: .public)
  }

  /// Returns the photo of a post; `nil` if the post is not here. A large photo is downloaded first.
  static func photo(of post: RecordID, in container: OfflineContainer) async throws -> [UInt8]? {
    guard let asset = try container.record(for: post, in: .public)?["photo"]?.asset else {
      return nil
    }
    return try await container.content(of: asset, in: .public)
  }

  /// Describes the timeline: each post, followed by its comments.
  static func describe(_ container: OfflineContainer) throws -> [String] {
    try posts(in: container).flatMap { post in
      let comments = try comments(on: post.id, in: container)
      return ["\(post.id.recordName)  \(post["caption"]?.string ?? "–")"]
        + comments.map { "  \($0["text"]?.string ?? "–")" }
    }
  }
}
