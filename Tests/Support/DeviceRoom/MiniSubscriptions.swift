// The subscriptions of the mini broker. They match any record of the type, regardless of the predicate. Notifications
// are numbered across all devices and stored for each device until it acknowledges them. Beyond a limit they are
// collapsed.

import Records

/// What a mini broker has of subscriptions.
package struct MiniSubscriptions {
  /// What the directory says of each, and since when.
  package private(set) var states:
    [SubscriptionID: (state: SubscriptionState, revision: Revision)] = [:]
  /// What waits for each device.
  package private(set) var waiting: [DeviceID: [ChangeNotification]] = [:]
  package private(set) var folds: [DeviceID: [CollapsedNotifications]] = [:]
  /// What was acknowledged by each device.
  package private(set) var acknowledged: [DeviceID: NotificationNumber] = [:]
  /// The error that rejects the next change of a subscription.
  package var refusal: RecordsError?
  /// The number of notifications that are stored for a device; more are collapsed.
  package var bound = Int.max
  /// Notifications that get lost on the way, by number.
  package var lost: Set<Int64> = []
  /// What is to be said to which device.
  package var posts: [(device: DeviceID, message: BrokerMessage)] = []
  package private(set) var number: Int64 = 0
  private var last: [DeviceID: NotificationNumber] = [:]
  private var following: Set<DeviceID> = []

  /// Saves or deletes; returns whether the directory has something new.
  package mutating func take(_ message: ClientMessage, at revision: Revision) -> BrokerMessage {
    if let refusal {
      self.refusal = nil
      return .error(refusal)
    }
    switch message {
    case .saveSubscription(let form):
      states[form.id] = (SubscriptionState(id: form.id, form: form), revision)
      return .subscriptionSaved
    case .deleteSubscription(let id):
      states[id] = (SubscriptionState(id: id, form: nil), revision)
      return .subscriptionDeleted
    default: return .error(.invalid("The message is not a change of a subscription."))
    }
  }

  package mutating func switchOff(
    _ id: SubscriptionID, because error: RecordsError, at revision: Revision
  ) {
    guard let form = states[id]?.state.form else { return }
    states[id] = (SubscriptionState(id: id, form: form, failure: error), revision)
  }

  /// A later version saves something under this name.
  package mutating func obscure(_ id: SubscriptionID, at revision: Revision) {
    let failure = RecordsError(.incompatibleVersion, "A later version saved it.")
    states[id] = (SubscriptionState(id: id, form: nil, failure: failure), revision)
  }

  package mutating func meet(_ device: DeviceID) {
    waiting[device] = waiting[device] ?? []
    following.remove(device)
  }

  package mutating func follow(from position: NotificationNumber, by device: DeviceID)
    -> BrokerMessage
  {
    following.insert(device)
    acknowledge(position, by: device)
    lost = []
    return .notifications(
      NotificationPage(
        notifications: waiting[device] ?? [], collapsed: folds[device] ?? [], isLevel: true))
  }

  package mutating func acknowledge(_ position: NotificationNumber, by device: DeviceID) {
    acknowledged[device] = position
    waiting[device]?.removeAll { $0.number <= position }
    folds[device]?.removeAll { $0.last <= position }
  }

  /// Tells of a change; returns the subscriptions that are over.
  package mutating func changed(_ change: Change, in zone: ZoneID, wasThere: Bool)
    -> [SubscriptionID]
  {
    let (option, reason): (FiringOptions, MatchReason) =
      change.kind == .deleted
      ? (.deletion, .deleted) : wasThere ? (.update, .updated) : (.creation, .created)
    let fires = states.values.compactMap(\.state.form).filter { form in
      form.options.contains(option) && form.type.map { $0 == change.type } ?? true
    }.sorted { $0.id < $1.id }
    guard !fires.isEmpty else { return [] }
    number += 1
    for device in waiting.keys {
      let mine = fires.filter { form in
        (form.device ?? device) == device
          && (form.includesOwnChanges || change.modified.origin.device != device)
      }
      guard !mine.isEmpty else { continue }
      let notification = ChangeNotification(
        number: NotificationNumber(number), predecessor: last[device] ?? .none,
        database: .private, record: RecordID(zone: zone, name: change.name), type: change.type,
        tag: change.tag, modified: change.modified,
        firings: mine.map { form in
          var content = form.notification
          content.desiredKeys = []
          return Firing(
            subscription: form.id, reason: reason, content: content, fields: change.record,
            isPruned: false)
        })
      last[device] = notification.number
      tell(notification, to: device)
    }
    return fires.filter(\.firesOnce).map(\.id)
  }

  private mutating func tell(_ notification: ChangeNotification, to device: DeviceID) {
    guard waiting[device, default: []].count < bound else { return fold(notification, for: device) }
    waiting[device, default: []].append(notification)
    guard following.contains(device), !lost.contains(notification.number.value) else { return }
    posts.append(
      (device, .notifications(NotificationPage(notifications: [notification], isLevel: true))))
  }

  private mutating func fold(_ notification: ChangeNotification, for device: DeviceID) {
    for folded in waiting[device, default: []] + [notification] {
      for firing in folded.firings {
        let known = folds[device, default: []].firstIndex { $0.subscription == firing.subscription }
        let old = known.map { folds[device, default: []].remove(at: $0) }
        folds[device, default: []].append(
          CollapsedNotifications(
            subscription: firing.subscription, zones: [], first: old?.first ?? folded.number,
            last: folded.number, count: (old?.count ?? 0) + 1))
      }
    }
    waiting[device] = []
  }

  /// Everything it knew of notifications is lost, numbers included.
  package mutating func forgetNotifications() {
    number = 0
    last = [:]
    for device in waiting.keys { waiting[device] = [] }
    folds = [:]
    acknowledged = [:]
  }
}

extension SubscriptionForm {
  fileprivate var type: RecordType? {
    switch kind {
    case .query(let type, _, _): type
    case .zone(_, let type), .database(let type): type
    }
  }
}
