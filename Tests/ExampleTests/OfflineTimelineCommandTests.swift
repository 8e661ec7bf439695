import Foundation
import Processes
import Testing

@Suite("the commands of the offline timeline", .timeLimit(.minutes(5)))
struct OfflineTimelineCommandTests {
  @Test func `a photo that one account posts is listed, commented and saved by another`()
    async throws
  {
    let broker = try await RunningBroker()
    let photo = [UInt8]("a photo of a waterfall".utf8)
    try broker.directory.write(photo, to: "falls.jpg")
    let path = broker.directory.file("falls.jpg")
    let post = try await run(broker, "laptop", "alice", "post", path, "Falls").dropLast()
    #expect(try await run(broker, "phone", "bob", "list") == "\(post)  Falls\n")
    _ = try await run(broker, "phone", "bob", "comment", String(post), "Loud")
    let copy = broker.directory.file("copy.jpg")
    _ = try await run(broker, "phone", "bob", "photo", String(post), copy)
    #expect(broker.directory.bytes(of: "copy.jpg") == photo)
    #expect(try await run(broker, "laptop", "alice", "list") == "\(post)  Falls\n  Loud\n")
    _ = try await run(broker, "laptop", "alice", "delete", String(post))
    #expect(try await run(broker, "phone", "bob", "list") == "")
  }

  private func run(
    _ broker: RunningBroker, _ device: String, _ account: String, _ words: String...
  ) async throws -> String {
    let file = broker.directory.file("\(device).sqlite")
    let program = try RunningProgram(
      "offline-timeline", [file, broker.socketPath, account] + words)
    #expect(try await program.end() == 0, "\(words): \(program.standardError)")
    return program.standardOutput
  }
}
