import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("C, A, V, K, Z, T and D commands of the pages")
  struct AddressBookPageTests {
    static let pages = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "docs")

    @Test(arguments: [
      ("address-book.md", 40), ("subscriptions.md", 20), ("sharing.md", 60), ("timeline.md", 40),
      ("web.md", 8), ("carddav.md", 20),
    ])
    func `every command of a page prints what the page shows`(
      name: String, least: Int
    ) async throws {
      let url = Self.pages.appending(path: name)
      let page = ConsolePage(try String(contentsOf: url, encoding: .utf8))
      #expect(page.commands.count > least)
      let directory = try TemporaryDirectory()
      for name in ["run", "home"] { try directory.write([], to: "\(name)/.keep") }
      try directory.write(Array(page.script.utf8), to: "home/page.sh")
      let built = URL(filePath: RunningProgram.path(of: "contactsctl")).deletingLastPathComponent()
      let shell = try RunningProgram(
        "/bin/bash", ["-c", "cd \"$HOME\" && exec bash page.sh"],
        environment: [
          "PATH": "\(built.path):/usr/bin:/bin", "HOME": directory.file("home"),
          "XDG_RUNTIME_DIR": directory.file("run"), "XDG_STATE_HOME": directory.file("state"),
          "LANG": "C.UTF-8",
        ])
      _ = try await shell.end(within: .seconds(240))
      let outputs = page.outputs(in: shell.standardOutput)
      #expect(outputs.count == page.commands.count, "\(shell.standardError)")
      for (command, output) in zip(page.commands, outputs) {
        let expected = command.output.map(ConsolePage.comparable)
        let printed = output.map(ConsolePage.comparable)
        #expect(
          printed == expected,
          "docs/\(name):\(command.line): \(command.text)\n\(output.joined(separator: "\n"))"
        )
      }
    }

    @Test func `commands of a page are parsed with their continuations and outputs`() {
      let page = ConsolePage(
        "Text\n```console\n$ a \\\n> b\none\ntwo\n\n$ c\n```\n$ no\n```swift\n$ no\n```\n")
      #expect(page.commands.map(\.text) == ["a \\\nb", "c"])
      #expect(page.commands.map(\.line) == [3, 8])
      #expect(page.commands[0].output == ["one", "two", ""])
    }

    @Test func `text that differs from run to run is not compared`() {
      let line = ConsolePage.comparable(
        "id\t01a1fd03-0f97-766f-8eda-3a366f278a75  cbf0eb0d5ca83ee5c0e528b3a1bff6bd at "
          + "2026-11-21T07:29:58.697323Z in /tmp/x/contact-x6JtZ7.yaml")
      #expect(line == "id ID ID at TIME in FILE")
    }
  }
}
