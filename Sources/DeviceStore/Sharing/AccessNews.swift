// The notification that an account requests access to a group. No subscription causes it, but users receive it as any
// other notification: in the list, in the stream, and on the desktop if that is permitted.

import Records

/// A new request for access.
struct AccessNews {
  /// The group.
  let zone: ZoneID
  /// The title of the group.
  let title: String
  /// The request.
  let request: AccessRequest

  /// The record type in the notification. No record has it.
  static let type = RecordType(stored: "AccessRequest")

  /// The text of the notification.
  var sentence: String { "\(request.displayName) asks for access to “\(title)”" }
}

extension SubscriptionID {
  /// The subscription id in notifications of access requests. Ids of users' subscriptions do not begin like this.
  package static let accessRequests = SubscriptionID(stored: "_access-requests")
}
