// Somebody asks for access to a group: news that no subscription asked for, and that reaches people the
// way all notifications do – in the list, in the stream, on the desktop where that is permitted.

import Records

/// Somebody who asks for access since a moment ago.
struct AccessNews {
  /// The group.
  let zone: ZoneID
  /// What it is called.
  let title: String
  /// Who asks.
  let request: AccessRequest

  /// The type that the news carries where a notification has a record's; no record has it.
  static let type = RecordType(stored: "AccessRequest")

  /// What people read.
  var sentence: String { "\(request.displayName) asks for access to “\(title)”" }
}

extension SubscriptionID {
  /// Stands where a notification names its subscription. Ids that people give do not begin so.
  package static let accessRequests = SubscriptionID(stored: "_access-requests")
}
