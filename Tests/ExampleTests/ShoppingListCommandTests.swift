import Foundation
import Processes
import Testing

@Suite("E3 the commands of the shopping list", .timeLimit(.minutes(5)))
struct ShoppingListCommandTests {
  @Test func `the tutorial's commands show the merged list on both devices`() async throws {
    let broker = try await RunningBroker()
    let devices = Commands(broker)
    #expect(try await devices.run("laptop", "create", "Saturday", "Bread", "Milk") == "")
    #expect(try await devices.run("phone", "show") == "Saturday\n  [ ] Bread\n  [ ] Milk\n")
    try await stop(broker)
    let pending = "Saved on this device. Not sent yet: 1.\n"
    #expect(try await devices.run("laptop", "rename", "Milk", "Oat milk") == pending)
    #expect(try await devices.run("phone", "done", "Milk") == pending)
    try await broker.restart()
    let merged = "Saturday\n  [ ] Bread\n  [x] Oat milk\n"
    let unmerged = "Saturday\n  [ ] Bread\n  [ ] Oat milk\n"
    #expect(try await devices.run("laptop", "show") == unmerged)
    #expect(try await devices.run("phone", "show") == merged)
    #expect(try await devices.run("laptop", "show") == merged)
  }

  @Test func `commands resolve a conflict, undo, and watch`() async throws {
    let broker = try await RunningBroker()
    let devices = Commands(broker)
    _ = try await devices.run("laptop", "create", "Saturday", "Milk")
    _ = try await devices.run("phone", "show")
    try await stop(broker)
    _ = try await devices.run("laptop", "rename", "Milk", "Oat milk")
    _ = try await devices.run("phone", "rename", "Milk", "Soy milk")
    try await broker.restart()
    _ = try await devices.run("laptop", "show")
    let conflicts = try await devices.run("phone", "conflicts")
    #expect(conflicts.hasSuffix("here “Soy milk”, elsewhere “Oat milk”\n"))
    _ = try await devices.run("phone", "keep-mine")
    #expect(try await devices.run("laptop", "conflicts") == "")
    let watch = try devices.start("laptop", "watch", "Saturday")
    try await Patience.wait(until: "the first line") { watch.lines == ["[ ] Soy milk"] }
    _ = try await devices.run("phone", "done", "Soy milk")
    try await Patience.wait(until: "the second line") { watch.lines.last == "[x] Soy milk" }
    _ = try await devices.run("phone", "undo")
    try await Patience.wait(until: "the third line") { watch.lines.count == 3 }
    #expect(watch.lines.last == "[ ] Soy milk")
    try await watch.kill()
  }

  @Test func `a mistake is reported in a sentence, and the exit status is not zero`() async throws {
    let broker = try await RunningBroker()
    let devices = Commands(broker)
    #expect(
      try await devices.fail("laptop", "done", "Milk")
        == "shopping-list: There is no item “Milk” on this device.\n")
    #expect(try await devices.fail("laptop", "paint").hasPrefix("shopping-list: usage: "))
    let watch = try devices.start("phone", "create", "Saturday")
    #expect(try await watch.end() == 0)
    #expect(try await devices.fail("laptop", "photo", "Saturday", "/absent").contains("no item"))
  }

  private func stop(_ broker: RunningBroker) async throws {
    broker.program.send(SIGTERM)
    #expect(try await broker.program.end() == 0)
  }
}

/// Runs the program as two devices would.
private struct Commands {
  private let broker: RunningBroker

  init(_ broker: RunningBroker) {
    self.broker = broker
  }

  func start(_ device: String, _ words: String...) throws -> RunningProgram {
    try start(device, words)
  }

  /// Runs a command that succeeds, and returns its output.
  func run(_ device: String, _ words: String...) async throws -> String {
    let program = try start(device, words)
    #expect(try await program.end() == 0, "\(words): \(program.standardError)")
    return program.standardOutput
  }

  /// Runs a command that fails, and returns its message.
  func fail(_ device: String, _ words: String...) async throws -> String {
    let program = try start(device, words)
    #expect(try await program.end() == 1)
    return program.standardError
  }

  private func start(_ device: String, _ words: [String]) throws -> RunningProgram {
    try RunningProgram(
      "shopping-list",
      [broker.directory.file("\(device).sqlite"), broker.socketPath] + words)
  }
}
