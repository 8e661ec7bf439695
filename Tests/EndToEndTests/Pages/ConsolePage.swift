// A page with console blocks. The test runs the commands and compares their output with the page. A command
// begins with `$ ` and continues in lines with `> `; the lines below it are its output. Ids, times and
// temporary files differ from run to run and are not compared, nor are blanks, because a page shows tabs as
// columns.

import Foundation

/// A page with console blocks.
struct ConsolePage {
  /// One command of a page.
  struct Command {
    /// Its line number, from 1.
    let line: Int
    /// The command line.
    let text: String
    /// The output on the page.
    let output: [String]
  }

  /// The commands, in order.
  let commands: [Command]

  /// Reads a page.
  init(_ text: String) {
    var commands: [Command] = []
    var isInside = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        commands.append(Command(line: index + 1, text: String(line.dropFirst(2)), output: []))
      } else if isInside, let last = commands.popLast() {
        let isMore = line.hasPrefix("> ") && last.output.isEmpty
        commands.append(
          Command(
            line: last.line, text: isMore ? "\(last.text)\n\(line.dropFirst(2))" : last.text,
            output: isMore ? [] : last.output + [String(line)]))
      }
    }
    self.commands = commands
  }

  /// A bash script that runs all commands in one shell and marks where each begins. It ends the processes
  /// that are still running.
  var script: String {
    var script = "trap 'kill $(jobs -p) 2> /dev/null' EXIT\n"
    for (index, command) in commands.enumerated() {
      script += "printf '\\001%d\\n' \(index)\n{ \(command.text)\n} 2>&1\n"
    }
    return script
  }

  /// Returns the output of each command, from the output of the script.
  func outputs(in text: String) -> [[String]] {
    text.split(separator: "\u{1}", omittingEmptySubsequences: true).map { part in
      let lines = part.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      return (lines.last == "" ? lines.dropLast() : lines).map(String.init)
    }
  }

  /// Returns a line without what differs from run to run.
  static func comparable(_ line: String) -> String {
    line
      .replacing(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, with: "ID")
      // NB: a point between two letters is no end of a word.
      .replacing(/[0-9a-f]{32}\.[0-9a-f]{32}/, with: "ID.ID")
      .replacing(/\b[0-9a-f]{32}\b/, with: "ID")
      .replacing(/\b[a-z2-7]{16}\b/, with: "ID")
      .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "TIME")
      .replacing(/contacts:\/\/join\/[\w\-]{22}/, with: "LINK")
      .replacing(/\bundo \d+/, with: "undo N")
      .replacing(/\/\S*\/contact-\w{6}\.yaml/, with: "FILE")
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
