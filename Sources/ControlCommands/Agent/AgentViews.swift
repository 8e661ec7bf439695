// The parts of the agent's JSON about its identity that subcommands print.

/// The identity of the agent.
struct WhoamiView: Decodable, Sendable {
  struct Named: Decodable, Sendable {
    let id: String?
    let name: String
    /// The account's display name.
    let displayName: String?
  }

  let account: Named
  let device: Named
}
