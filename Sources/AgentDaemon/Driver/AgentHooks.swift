import DaemonKit
import DeviceDriver

extension DriverHooks {
  /// Returns the agent's additions to its driver: idempotency keys, and the status line of systemd.
  static func agent(supervisor: Supervisor) -> DriverHooks {
    var hooks = DriverHooks()
    hooks.statusCommand = "contactsctl status"
    hooks.editBegins = { try KeyedRequest.editBegins($0) }
    hooks.phaseChanged = { supervisor.status("\($0)") }
    return hooks
  }
}
