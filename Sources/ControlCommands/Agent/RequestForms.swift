// Bodies of requests to the agent. Absent keys leave properties unchanged; see docs/openapi.yaml.

/// A group's title.
struct GroupForm: Encodable, Sendable {
  let title: String
}

/// The value of a conflict to keep.
struct ResolutionForm: Encodable, Sendable {
  let keep: String
}

/// A request to synchronize with the broker.
struct SyncForm: Encodable, Sendable {
  let waitSeconds: Double?
  let deletions: String?
}

/// A setting's value.
struct SettingForm: Encodable, Sendable {
  let value: String
}
