// Global flags may be anywhere on the command line, and mean the same everywhere.

import ArgumentParser
import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("A2 placement of global flags")
struct GlobalFlagPlacementTests {
  private static let groups = [
    ["--json"], ["--no-color"], ["--no-input"], ["-q"], ["--quiet"], ["--agent", "/a"],
    ["--agent=/b"],
  ]
  private static let rest = ["--sort", "first", "-n", "3", "--by", "group"]

  /// A command line with global flags at random places, and the same flags in order.
  private struct RandomLine {
    var line: [String] = []
    var flags: [String] = []

    init(seed: UInt64, rest: [String], tail: [String]) {
      var random = SeededGenerator(seed: seed)
      let chosen = GlobalFlagPlacementTests.groups.filter { _ in random.percent(40) }
      // An option stays with its value, so flags are put between groups only.
      var groups =
        [["list"]] + stride(from: 0, to: rest.count, by: 2).map { [rest[$0], rest[$0 + 1]] }
      var places: [Int] = []
      for _ in chosen { places.append(random.below(groups.count + 1)) }
      places.sort()
      for (flag, place) in zip(chosen, places).reversed() { groups.insert(flag, at: place) }
      line = groups.flatMap(\.self) + tail
      flags = chosen.flatMap(\.self)
    }
  }

  @Test func `the flags come last, in their order, and the words before them in theirs`() {
    for seed in 0..<300 {
      let random = RandomLine(seed: UInt64(seed), rest: Self.rest, tail: [])
      #expect(
        GlobalFlagPlacement.placing(random.line) == ["list"] + Self.rest + random.flags,
        "seed \(seed): \(random.line)")
    }
  }

  @Test func `placing twice is placing once`() {
    for seed in 0..<300 {
      let line = RandomLine(seed: UInt64(seed), rest: Self.rest, tail: ["--", "--json", "-q"]).line
      let placed = GlobalFlagPlacement.placing(line)
      #expect(GlobalFlagPlacement.placing(placed) == placed, "seed \(seed): \(line)")
      #expect(placed.suffix(3) == ["--", "--json", "-q"], "seed \(seed): \(placed)")
      #expect(placed.sorted() == line.sorted(), "seed \(seed): \(line)")
    }
  }

  @Test func `the parsed subcommand is the same wherever the flags are`() throws {
    for seed in 0..<60 {
      let random = RandomLine(seed: UInt64(seed), rest: Self.rest, tail: [])
      let paths = random.flags.filter { $0.hasPrefix("--agent") }
      guard paths.count < 2 else { continue }
      let command = try Contactsctl.parseAsRoot(GlobalFlagPlacement.placing(random.line))
      let list = try #require(command as? ListCommand, "seed \(seed)")
      #expect(list.global.json == random.flags.contains("--json"), "seed \(seed)")
      #expect(list.global.noColor == random.flags.contains("--no-color"), "seed \(seed)")
      #expect(list.global.noInput == random.flags.contains("--no-input"), "seed \(seed)")
      let isQuiet = random.flags.contains("-q") || random.flags.contains("--quiet")
      #expect(list.global.quiet == isQuiet, "seed \(seed)")
      #expect((list.global.agent != nil) == !paths.isEmpty, "seed \(seed)")
      #expect(list.sort == .first && list.count == 3 && list.by == .group, "seed \(seed)")
    }
  }

  @Test(arguments: [
    [], ["--json"], ["--agent", "x"], ["--version"], ["-q", "--help"], ["--", "list"],
    ["--agent"], ["--device"],
  ])
  func `a line without a subcommand stays as it is`(line: [String]) {
    #expect(GlobalFlagPlacement.placing(line) == line)
  }

  @Test func `an option at the end without its value moves nothing else, and is refused later`() {
    #expect(GlobalFlagPlacement.placing(["list", "--agent"]) == ["list", "--agent"])
    #expect(throws: (any Error).self) {
      try Contactsctl.parseAsRoot(GlobalFlagPlacement.placing(["list", "--agent"]))
    }
    #expect(GlobalFlagPlacement.placing(["--agent", "list"]) == ["--agent", "list"])
  }
}
