import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("commands of subscriptions with real processes")
  struct HookTests {
    @Test func `a command runs for each notification, in order, and no text of it is executed`()
      async throws
    {
      let world = try await World()
      let file = world.phone.directory.file("news")
      let script =
        "read line; echo \"$CONTACTS_SEQ $CONTACTS_REASON $CONTACTS_NAME ${#line}\" >> '\(file)'"
      let made = try await world.phone.control(
        "subscribe", "--id", "log", "--type", "Contact", "--on", "created,deleted", "--run", script)
      #expect(made.status == 0)
      try await world.phone.settles()
      let id = try await world.laptop.requests.add(first: "$(touch \(file).x); `id`")
      _ = try await world.laptop.requests.add(first: "Bo")
      #expect(try await world.laptop.control("rm", id).status == 0)
      let lines = try await world.phone.lines(of: file, count: 3)
      #expect(
        lines.map { $0.split(separator: " ").dropLast().joined(separator: " ") } == [
          "1 created $(touch \(file).x); `id`", "2 created Bo",
          "3 deleted $(touch \(file).x); `id`",
        ])
      #expect(lines.allSatisfy { Int($0.split(separator: " ").last ?? "") ?? 0 > 100 })
      #expect(!FileManager.default.fileExists(atPath: "\(file).x"))
      try await world.laptop.subscriptions(are: ["log"])
      let there = try await world.laptop.control("subscriptions", "log", "--json")
      #expect(there.output.contains(#""run":null"#))
    }

    @Test func `a command that a kill interrupted runs again, and none is omitted`() async throws {
      let world = try await World()
      let file = world.phone.directory.file("news")
      let script = "sleep 0.1; echo $CONTACTS_SEQ >> '\(file)'"
      _ = try await world.phone.control(
        "subscribe", "--id", "log", "--type", "Contact", "--on", "created", "--run", script)
      try await world.phone.settles()
      for round in 0..<kills {
        for number in 0..<3 {
          _ = try await world.laptop.requests.add(first: "N\(round)x\(number)")
        }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...300)))
        try await world.phone.kill()
        try await world.phone.restart()
      }
      let count = kills * 3
      try await Patience.wait(until: "all to have run") {
        Set(world.phone.linesNow(of: file)).count == count
      }
      let lines = world.phone.linesNow(of: file).compactMap { Int($0) }
      #expect(lines == lines.sorted() && Set(lines) == Set(1...count))
    }
  }
}

extension Device {
  fileprivate func linesNow(of file: String) -> [String] {
    let text = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  /// Waits until a file has this number of lines and returns them.
  fileprivate func lines(of file: String, count: Int) async throws -> [String] {
    try await Patience.wait(for: "\(count) lines") {
      let lines = linesNow(of: file)
      return lines.count >= count ? lines : nil
    }
  }
}
