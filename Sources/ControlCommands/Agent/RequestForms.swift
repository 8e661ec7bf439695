// What the agent is sent. Absent keys leave things as they are; see docs/openapi.yaml.

/// A new contact, or changes to one.
struct ContactForm: Encodable, Sendable {
  struct Entry: Encodable, Sendable {
    var id: String?
    var label: String?
    var value: String?
    var removed: Bool?
  }

  var firstName: String?
  var lastName: String?
  var company: String?
  var group: String?
  var phones: [Entry]?
  var emails: [Entry]?
}

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
