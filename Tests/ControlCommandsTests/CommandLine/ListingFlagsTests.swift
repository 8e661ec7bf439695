import ArgumentParser
import Testing

@testable import ControlCommands

@Suite("lists of changed contacts")
struct ListingFlagsTests {
  @Test func `a terminal lists up to ten contacts, and more with -v`() throws {
    let flags = try ListingFlags.parse([])
    #expect(flags.includes(10, in: .terminal))
    #expect(!flags.includes(11, in: .terminal))
    for flag in ["-v", "--verbose"] {
      #expect(try ListingFlags.parse([flag]).includes(20_000, in: .terminal))
    }
  }

  @Test func `scripts always get the list`() throws {
    #expect(try ListingFlags.parse([]).includes(20_000, in: .plain))
  }
}
