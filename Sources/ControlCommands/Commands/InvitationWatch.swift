import AgentAPI

/// Waits for the device that uses an invitation.
struct InvitationWatch {
  private static let pollInterval = Duration.seconds(1)

  private let agent: AgentClient
  /// The ids of the devices before the invitation was made.
  private let known: Set<String>

  /// Notes the account's devices. Call it before the invitation is made.
  init(_ agent: AgentClient) async throws(ControlFailure) {
    self.agent = agent
    known = Set(try await Self.devices(agent).devices.map(\.id))
  }

  /// Waits until a device has joined, or for the given time. Returns a sentence about it.
  func outcome(within limit: Duration) async -> String {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
      // An agent that is being restarted answers again.
      if let view = try? await Self.devices(agent),
        let device = view.devices.first(where: { !known.contains($0.id) })
      {
        return "“\(device.name)” has joined. "
          + "To remove it: contactsctl devices rm \(view.shortID(of: device))"
      }
      try? await Task.sleep(for: Self.pollInterval)
    }
    return "The invitation has expired. No device has joined."
  }

  private static func devices(_ agent: AgentClient) async throws(ControlFailure) -> DevicesView {
    try await agent.get(.devices).decoded(as: DevicesView.self)
  }
}
