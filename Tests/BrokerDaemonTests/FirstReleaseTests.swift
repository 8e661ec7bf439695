// Devices of the first release talk to this broker. FirstRelease/ has the schema of that release, without its
// comments, and the frames that a device sent, serialized with it.

import Foundation
import Processes
import Records
import RecordsWire
import Testing

@Suite("C11 a device of the first release", .timeLimit(.minutes(2)))
struct FirstReleaseTests {
  /// The frames that have no answer of their own, by number: attach, follow, acknowledge, detach.
  private static let unanswered: Set<UInt64> = [4, 9, 12, 19]

  @Test func `the broker answers each of its frames as it did then`() async throws {
    let broker = try await RunningBroker()
    let client = try WireClient(broker)
    let answers = try await send(frames(), over: client)
    #expect(
      answers.mapValues(kind) == [
        1: "welcome", 2: "outcome", 3: "fetched", 5: "checkpoint", 6: "found",
        7: "subscriptionSaved", 8: "subscriptions", 10: "outcome", 11: "outcome", 13: "history",
        14: "trash", 15: "directory", 16: "subscriptionDeleted", 17: "shared", 18: "accounts",
        20: "pong",
      ])
    for expected in ["directory", "changes", "level", "notifications"] {
      _ = try await client.first(expected) {
        $0.replyTo == 0 && kind($0.message) == expected ? true : nil
      }
    }
    #expect(outcome(answers[2]) == [[.saved(tag: Revision(1))]])
    guard case .fetched(let changes)? = answers[3] else { return }
    let fields = try changes.first??.record.fields()
    #expect(fields?["city"] == .string("Umeå"))
    #expect(outcome(answers[10]) == [[.saved(tag: Revision(2))], [.zoneSaved]])
    guard case .deleted? = outcome(answers[11])?.first?.first else {
      Issue.record("\(answers)")
      return
    }
    client.close()
  }

  @Test func `the schema has every field of the first release, with its number and type`() throws {
    let then = try Schema(file("Tests/BrokerDaemonTests/FirstRelease/records.proto"))
    let now = try Schema(file("Sources/RecordsWire/records.proto"))
    #expect(then.fields.count > 300)
    #expect(then.fields.subtracting(now.fields).isEmpty)
  }

  /// Sends each frame after the answer to the one before, as a device does. Returns the answers.
  private func send(
    _ frames: [[UInt8]], over client: WireClient
  ) async throws -> [UInt64: BrokerMessage] {
    var answers: [UInt64: BrokerMessage] = [:]
    for (number, frame) in zip(UInt64(1)..., frames) {
      try await client.send(frame)
      guard !Self.unanswered.contains(number) else { continue }
      answers[number] = try await client.answer(to: number)
    }
    return answers
  }

  private func kind(_ message: BrokerMessage) -> String {
    String(String(describing: message).prefix { $0 != "(" })
  }

  private func outcome(_ message: BrokerMessage?) -> [[OperationResult]]? {
    guard case .outcome(let outcome)? = message else { return nil }
    return outcome.groups
  }

  /// The bytes of each frame, its length included.
  private func frames() throws -> [[UInt8]] {
    let text = try String(
      contentsOfFile: file("Tests/BrokerDaemonTests/FirstRelease/frames.txt"), encoding: .utf8)
    return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let digits = try line.utf8.map { try #require(Character(UnicodeScalar($0)).hexDigitValue) }
      return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      }
    }
  }

  private func file(_ path: String) -> String {
    // Tests/BrokerDaemonTests/FirstReleaseTests.swift
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return root.appending(path: path).path
  }
}

/// The fields of a protobuf schema.
private struct Schema {
  /// A line for each field: message, label and type, name, number.
  private(set) var fields: Set<String> = []

  init(_ path: String) throws {
    var scopes: [String] = []
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      let code = line.prefix { $0 != "/" }.trimmingCharacters(in: .whitespaces)
      if code.hasSuffix("{") { scopes.append(String(code.dropLast(2))) }
      if code.hasSuffix("}"), !code.contains("{") { scopes.removeLast() }
      guard code.hasSuffix(";"), code.contains(" = "), let message = scopes.first else { continue }
      fields.insert("\(message): \(code)")
    }
  }
}
