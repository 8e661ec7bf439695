import ArgumentParser
import Testing

@testable import ControlCommands

@Suite("A2 the parser of a subcommand alone")
struct LeafParserTests {
  /// The command lines that the tests of the whole parser read, and some that only it can read.
  private static let lines = [
    ["list"], ["ls", "--json"], ["list", "-n", "3", "--sort", "first", "ada", "b", "-q"],
    ["list", "--fields=id,name", "--no-color", "--agent", "/a"], ["list", "--", "-q", "--json"],
    ["find", "a", "b", "--device", "x"], ["search", "a", "-n", "1", "--plain"],
    ["add", "--first", "A", "--phone", "home=1", "--phone", "2", "--no-emergency", "--json"],
    ["edit", "ID", "--first", "", "--rm-phone", "E", "--set-address", "E=city=A"],
    ["rm", "A", "B", "-v", "-q"], ["rm", "-qv", "A"], ["sync", "--wait=5"], ["sync"],
    ["group", "rename", "G", "T", "--json"], ["group", "list"], ["conflicts", "show", "ID"],
    ["conflicts", "resolve", "ID", "--mine", "--quiet"], ["post", "ls", "-n", "2"],
    ["config", "set", "sort", "first"], ["watch", "--since", "7", "--json"], ["states"],
    ["subscribe", "--type", "T", "--where", "a == 1", "--on", "created"], ["whoami"],
    ["import", "-n", "a.vcf", "-", "--on-duplicate", "new"], ["export", "-o", "x.csv"],
  ]

  @Test(arguments: lines)
  func `it reads a command line as the whole parser does`(line: [String]) async throws {
    let alone = await LeafParser.parse(line)
    let whole = try await Contactsctl.asyncParseAsRoot(line)
    #expect(alone.map { String(reflecting: $0) } == String(reflecting: whole))
  }

  @Test(
    arguments: [
      [], ["help"], ["help", "list"], ["list", "--help"], ["list", "-h"], ["--version"],
      ["list", "-n", "--help"], ["list", "ada", "--help"], ["list", "--help-hidden"],
      ["list", "--version"], ["lst"], ["list", "--bogus"], ["list", "-n", "x"],
      ["list", "-n", "-1"],
      ["group"], ["group", "--help"], ["group", "rn"], ["show"], ["list", "--json", "--plain"],
      ["list", "--generate-completion-script", "bash"], ["--json"], ["---completion", "list"],
    ])
  func `what is no valid subcommand is left to the whole parser`(line: [String]) async {
    #expect(await LeafParser.parse(line) == nil)
  }
}
