// Python programs that read and write cards and calendars with other libraries than ours.

import Foundation

/// A Python program with the libraries that `make card-tools` installs.
package struct CardTool {
  private let script: String

  /// The program `script`, next to the test file `testFile`.
  package init(_ script: String, nextTo testFile: String) {
    self.script =
      URL(filePath: testFile).deletingLastPathComponent().appending(path: script)
      .standardizedFileURL.path
  }

  /// Runs the program, and returns what it prints.
  /// - Throws: `Failure` if the libraries are missing or the program fails.
  package func run(_ arguments: String...) async throws -> String {
    // Tests/Support/Processes/CardTool.swift
    let packages = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../.build/card-tools").standardizedFileURL.path
    guard FileManager.default.fileExists(atPath: packages + "/vobject") else {
      throw Failure(text: "The Python library vobject is missing; “make card-tools” installs it.")
    }
    let program = try RunningProgram(
      "/usr/bin/python3", ["-B", script] + arguments,
      environment: ["PYTHONPATH": packages, "PYTHONUTF8": "1"])
    guard try await program.end() == 0 else { throw Failure(text: program.standardError) }
    return program.standardOutput
  }

  /// Why there is no output.
  package struct Failure: Error, CustomStringConvertible {
    /// What is missing, or what the program printed.
    let text: String

    package var description: String { text }
  }
}
