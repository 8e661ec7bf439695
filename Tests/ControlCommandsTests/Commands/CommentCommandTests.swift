import ArgumentParser
import Testing

@testable import ControlCommands

@Suite("A2, T1 comments on the command line")
struct CommentCommandTests {
  private func parsed(_ line: [String]) async throws -> any ParsableCommand {
    let placed = GlobalFlagPlacement.placing(line)
    try WordCheck.check(placed)
    return try await Contactsctl.asyncParseAsRoot(placed)
  }

  @Test(
    arguments: [
      ["comment", "ID", "Where", "is", "that?"], ["comment", "add", "ID", "Where", "is", "that?"],
      ["comment", "--json", "new", "ID", "Where", "is", "that?"],
    ])
  func `a comment is added with and without the word add`(line: [String]) async throws {
    let command = try #require(try await parsed(line) as? CommentCommand.Add)
    #expect(command.post == "ID" && command.text == ["Where", "is", "that?"])
    #expect(command.global.json == line.contains("--json"))
  }

  @Test func `the text of a comment may be the name of a subcommand`() async throws {
    let command = try #require(try await parsed(["comment", "ID", "edit"]) as? CommentCommand.Add)
    #expect(command.post == "ID" && command.text == ["edit"])
  }

  @Test func `a comment and a caption are edited with the words that follow the id`() async throws {
    let comment = try #require(
      try await parsed(["comment", "edit", "ID", "Over", "there"]) as? CommentCommand.Edit)
    #expect(comment.comment == "ID" && comment.text == ["Over", "there"])
    let post = try #require(
      try await parsed(["post", "edit", "ID", "Over", "there"]) as? PostCommand.Edit)
    #expect(post.post == "ID" && post.caption == ["Over", "there"])
    for line in [["comment", "edit", "ID"], ["post", "edit", "ID"], ["post", "edit"]] {
      await #expect(throws: (any Error).self) { try await parsed(line) }
    }
  }
}
