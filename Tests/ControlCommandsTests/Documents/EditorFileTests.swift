// The editor and its temporary file.

import Foundation
import Glibc
import PredicateWorld
import Processes
import Testing

@testable import ControlCommands

@Suite("A4 the editor and its file")
struct EditorFileTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var environment: [String: String] { ["TMPDIR": directory.path, "PATH": "/usr/bin:/bin"] }

  /// Runs `script` as the editor of a file with `text`. Returns the text afterwards.
  private func edit(_ text: String, _ script: String) async throws -> String? {
    try directory.write(Array(script.utf8), to: "editor")
    let editor = try EditorProgram(
      environment: environment.merging(["EDITOR": "sh \(directory.file("editor"))"]) { $1 },
      mayAsk: false)
    let file = try EditorFile(environment: environment)
    defer { file.remove() }
    try file.write(text)
    try await editor.edit(file)
    return try file.read()
  }

  @Test func `a file is its owner's alone, and is named for the editor`() throws {
    let file = try EditorFile(environment: environment)
    defer { file.remove() }
    #expect(file.path.hasPrefix(directory.path) && file.path.hasSuffix(".yaml"))
    var found = stat()
    #expect(stat(file.path, &found) == 0 && found.st_mode & 0o777 == 0o600)
    let other = try EditorFile(environment: environment)
    defer { other.remove() }
    #expect(other.path != file.path)
  }

  @Test func `what is written is read, also after something longer`() throws {
    let file = try EditorFile(environment: environment)
    for seed in 0..<50 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text = random.hostile(upTo: 30)
      try file.write(text)
      #expect(try file.read() == text, "seed \(seed)")
    }
    file.remove()
    #expect(try file.read() == nil)
    #expect(throws: ControlFailure.self) { try file.write("gone") }
  }

  @Test func `a directory without room for it is named`() {
    let error = #expect(throws: ControlFailure.self) {
      try EditorFile(environment: ["TMPDIR": directory.file("none")])
    }
    #expect(error?.exitCode == .cannotCreate)
    #expect(error?.message.contains(directory.file("none")) == true)
  }

  @Test func `the editor's text is the new text, and its failure discards it`() async throws {
    #expect(try await edit("a\n", "printf b >>\"$1\"") == "a\nb")
    #expect(try await edit("a\n", "true") == "a\n")
    #expect(try await edit("a\n", "echo b >\"$1\"; exit 1") == "")
    #expect(try await edit("a\n", "rm \"$1\"") == nil)
  }

  @Test func `an editor that cannot be started, or is killed, is an error of its own`() async throws
  {
    let missing = await #expect(throws: ControlFailure.self) {
      try await edit("a", "exit 127")
    }
    #expect(missing?.code == "editorNotFound" && missing?.exitCode == .configuration)
    let file = try EditorFile(environment: environment)
    defer { file.remove() }
    let editor = try EditorProgram(
      environment: environment.merging(["EDITOR": "kill -KILL $$ #"]) { $1 }, mayAsk: false)
    let killed = await #expect(throws: ControlFailure.self) { try await editor.edit(file) }
    #expect(killed?.code == "editorFailed" && killed?.hint.contains(file.path) == true)
  }

  @Test func `VISUAL is preferred to EDITOR, and without a terminal one of them is needed`()
    async throws
  {
    try directory.write(Array("echo visual >\"$1\"".utf8), to: "visual")
    try directory.write(Array("echo editor >\"$1\"".utf8), to: "editor")
    var variables = environment
    let error = #expect(throws: ControlFailure.self) {
      try EditorProgram(environment: variables, mayAsk: false)
    }
    #expect(error?.exitCode == .usage)
    for (name, text) in [("EDITOR", "editor\n"), ("VISUAL", "visual\n")] {
      variables[name] = "sh \(directory.file(name.lowercased()))"
      let file = try EditorFile(environment: environment)
      defer { file.remove() }
      try await EditorProgram(environment: variables, mayAsk: false).edit(file)
      #expect(try file.read() == text)
    }
    variables["VISUAL"] = ""
    #expect(throws: Never.self) { try EditorProgram(environment: variables, mayAsk: false) }
  }
}
