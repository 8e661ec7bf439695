// What the agent is sent. Absent keys leave things as they are; see docs/openapi.yaml.

/// A group's title.
struct GroupForm: Encodable, Sendable {
  let title: String
}

/// Which value of a conflict stays.
struct ResolutionForm: Encodable, Sendable {
  let keep: String
}

/// A wish to be in step with the broker.
struct SyncForm: Encodable, Sendable {
  let waitSeconds: Double?
  let deletions: String?
}

/// A setting's value.
struct SettingForm: Encodable, Sendable {
  let value: String
}
