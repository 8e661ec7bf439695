import Foundation
import Measuring

/// Measures contactsctl as a whole process, with its output discarded (P11).
struct ListCommand {
  let agent: String
  let control: String
  let state: String

  /// Measures `list`, `list --json` and `help`, 40 times each.
  func measure() throws {
    let running = try AgentProcess(agent, state: state)
    defer { running.stop() }
    for (name, flags) in [("list", []), ("list_json", ["--json"]), ("help", ["help"])] {
      var seconds: [Double] = []
      for _ in 0..<40 { seconds.append(try run(flags, running.socket)) }
      Measurement.reportPercentiles("contactsctl_\(name)", seconds: seconds, in: .milliseconds)
    }
  }

  // NB: Foundation's Process notices the end of a process only every 50 ms, when its run loop checks.
  private func run(_ flags: [String], _ socket: String) throws -> Double {
    let arguments =
      [control] + (flags == ["help"] ? flags : ["--agent", socket, "list"] + flags)
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
    let words = arguments.map { strdup($0) }
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    var status: Int32 = 0
    let start = Measurement.monotonicSeconds()
    let started = posix_spawn(
      &process, control, &files, nil, words + [UnsafeMutablePointer<CChar>?.none], environ)
    guard started == 0, waitpid(process, &status, 0) == process, status == 0 else {
      throw BenchFailure("contactsctl failed.")
    }
    return Measurement.monotonicSeconds() - start
  }
}
