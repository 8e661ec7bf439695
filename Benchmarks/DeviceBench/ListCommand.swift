// P11: contactsctl list, the whole process, its output thrown away.

import Foundation

/// Runs the command again and again.
struct ListCommand {
  let agent: String
  let control: String
  let state: String

  /// Measures.
  func measure() throws {
    let running = try AgentProcess(agent, state: state)
    defer { running.stop() }
    for (name, flags) in [("list", []), ("list_json", ["--json"]), ("help", ["help"])] {
      var seconds: [Double] = []
      for _ in 0..<40 { seconds.append(try run(flags, running.socket)) }
      reportPercentiles("contactsctl_\(name)", seconds: seconds)
    }
  }

  private func run(_ flags: [String], _ socket: String) throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: control)
    process.arguments = flags == ["help"] ? flags : ["--agent", socket, "list"] + flags
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/null")
    let start = monotonicSeconds()
    try process.run()
    process.waitUntilExit()
    let seconds = monotonicSeconds() - start
    guard process.terminationStatus == 0 else { throw BenchFailure("contactsctl failed.") }
    return seconds
  }
}
