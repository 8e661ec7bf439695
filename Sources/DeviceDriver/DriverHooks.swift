import DeviceStore
import Records
import SyncCore

/// What a program adds to the work of its driver. All functions run on the driver's executor and must not block.
package struct DriverHooks: Sendable {
  /// Called at the beginning of each edit, in the task of the caller. An error prevents the edit.
  package var editBegins: @Sendable (Replica) throws -> Void = { _ in }
  /// Called when the device has another phase.
  package var phaseChanged: @Sendable (Phase) -> Void = { _ in }
  /// The command that shows the status of the device, for the hints of errors; `nil` if there is none.
  package var statusCommand: String?

  /// Hooks that do nothing.
  package init() {}
}
