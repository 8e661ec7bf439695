import Measuring

/// Measures contactsctl as a whole process, with its output discarded (P11).
struct ListCommand {
  let agent: String
  let control: String
  let state: String
  /// What the measured values are named after.
  let name: String

  /// Measures `list`, `list --json` and `help`, 40 times each.
  func measure() throws {
    let running = try AgentProcess(agent, state: state)
    defer { running.stop() }
    let list = ["--agent", running.socket, "list"]
    for (what, arguments) in [("list", list), ("list_json", list + ["--json"]), ("help", ["help"])]
    {
      let process = ControlProcess(control)
      let seconds = try (0..<40).map { _ in try process.run(arguments) }
      Measurement.reportPercentiles("\(name)_\(what)", seconds: seconds, in: .milliseconds)
    }
  }
}
