import Foundation

/// The code that a page of the documentation shows.
package struct ShownProgram {
  /// The Swift blocks of the page, in their order.
  package let blocks: [String]
  private let root: URL

  /// Reads a page.
  /// - Parameter page: Its path from the top of the package.
  package init(page: String) throws {
    // Tests/Support/Processes/ShownProgram.swift
    var root = URL(filePath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    self.root = root
    let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    blocks = text.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }

  /// Returns the lines of `blocks` that are in none of the compiled files, regardless of their indentation.
  /// - Parameter files: Their paths from the top of the package.
  package func linesMissing(in files: [String], of blocks: [String]) throws -> Set<String> {
    let compiled = try files.map {
      Self.lines(try String(contentsOf: root.appending(path: $0), encoding: .utf8))
    }
    return blocks.map(Self.lines).reduce(into: Set()) { $0.formUnion($1) }
      .subtracting(compiled.joined())
  }

  private static func lines(_ text: String) -> Set<String> {
    Set(text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
  }
}
