// What a person does with contactsctl on a device, and what must come of it.

import Foundation
import Testing

extension Device {
  /// Runs `contactsctl`, expects success, and returns its output without the last line break.
  @discardableResult
  package func does(_ arguments: String..., at place: SourceLocation = #_sourceLocation)
    async throws -> String
  {
    let result = try await Self.run("contactsctl", ["--agent", socketPath] + arguments)
    #expect(result.status == 0, "\(arguments): \(result.error)", sourceLocation: place)
    return result.output.trimmingCharacters(in: .newlines)
  }

  /// Runs `contactsctl` and expects this exit status and an error that contains these words.
  package func fails(
    _ status: Int32, _ words: String, _ arguments: String...,
    at place: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await Self.run("contactsctl", ["--agent", socketPath] + arguments)
    #expect(result.status == status, "\(arguments): \(result.error)", sourceLocation: place)
    #expect(result.error.contains(words), "\(result.error)", sourceLocation: place)
  }

  /// Waits until the device shows the only contact with this first name. Returns its id here: the owner of a
  /// group and its participants see different ids.
  package func id(of firstName: String) async throws -> String {
    try await Patience.wait(for: "\(firstName) on \(name)") {
      try await requests.contacts().first { $0.firstName == firstName }?.id
    }
  }

  /// Returns the titles of its groups, in order.
  package func groups() async throws -> [String] {
    try await control("group", "list").rows.map { $0[1] }
  }

  /// Waits until it has, or no longer has, a group with this title.
  package func has(_ title: String, _ isThere: Bool = true) async throws {
    try await Patience.wait(until: "\(title) on \(name): \(isThere)") {
      try await groups().contains(title) == isThere
    }
  }

  /// Waits until the output of a command contains these words.
  package func prints(_ words: String, _ arguments: String...) async throws {
    try await Patience.wait(until: "“\(words)” of \(arguments) on \(name)") {
      try await Self.run("contactsctl", ["--agent", socketPath] + arguments).output
        .contains(words)
    }
  }

  /// Whether any file of its state contains this text.
  package func stores(_ text: String) throws -> Bool {
    let state = URL(filePath: directory.file("state"))
    let files = FileManager.default.enumerator(at: state, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      let bytes = try? Data(contentsOf: file)
      if bytes?.firstRange(of: Data(text.utf8)) != nil { return true }
    }
    return false
  }
}
