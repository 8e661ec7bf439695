// A page of the documentation as a shell reads it: the commands in its code blocks by section, and the commands
// in its tables.

import Foundation

/// A page in docs/.
struct CommandPage {
  private let sections: [String: String]

  /// Reads the page `name`.
  init(_ name: String) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let page = tests.deletingLastPathComponent().appending(path: "docs/\(name)")
    let parts = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n## ")
    sections = Dictionary(
      uniqueKeysWithValues: parts.dropFirst().map { part in
        let title = part.prefix { $0 != "\n" }
        return (String(title), String(part.dropFirst(title.count)))
      })
  }

  /// Returns the commands in a section's code blocks, one a line, with continued lines joined.
  func commands(of section: String) -> [String] {
    blocks(of: section).flatMap(\.self)
  }

  /// Returns the lines of each of a section's code blocks, with continued lines joined.
  func blocks(of section: String) -> [[String]] {
    let parts = (sections[section] ?? "").components(separatedBy: "\n```")
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map { _, block in
      block.replacingOccurrences(of: "\\\n", with: "").split(separator: "\n").map(String.init)
    }
  }

  /// Returns the commands that a section mentions inline.
  func inlineCommands(in section: String) -> [String] {
    let text = sections[section] ?? ""
    return text.matches(of: /`((?:contacts-broker|journalctl|systemctl|curl) [^`]+)`/)
      .map { String($0.1) }
  }
}
