import Records

/// Waits for several devices to show the same contacts.
package enum Agreement {
  /// Waits until all `devices` are live, have no pending edits and show the same contacts.
  /// - Returns: the contacts that they show.
  package static func wait(among devices: [AgentRequests]) async throws -> [ContactRow] {
    try await Patience.wait(for: "the devices to agree") {
      guard let first = devices.first, let contacts = try? await first.contacts() else {
        return nil
      }
      for device in devices {
        guard try await isQuiet(device), try await device.contacts() == contacts else {
          return nil
        }
      }
      // NB: checked again, because a change may have arrived while the other devices were checked.
      for device in devices where try await !isQuiet(device) { return nil }
      return contacts
    }
  }

  private static func isQuiet(_ device: AgentRequests) async throws -> Bool {
    guard let status = try? await device.status() else { return false }
    return status.state == "live" && status.waitingEdits == 0
  }
}
