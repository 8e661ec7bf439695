// Samples of query, subscription and notification messages.

import Records

extension Samples {
  static let queries: [QueryForm] = [
    QueryForm(type: RecordType(stored: "Contact"), predicate: PredicateText("TRUEPREDICATE")),
    QueryForm(
      database: .shared, zone: group, type: RecordType(stored: "Contact"),
      predicate: PredicateText(
        "a == %@ AND b IN %@", arguments: [.int64(-1), .list([.string("x"), .string("ö")])]),
      sort: [.init(key: "a"), .init(key: "modificationDate", isDescending: true)],
      desiredKeys: [FieldKey(stored: "a")], limit: 1000, cursor: [1, 2]),
    QueryForm(
      database: .public, type: RecordType(stored: "Post"), predicate: PredicateText(""),
      desiredKeys: []),
  ]

  static let content: NotificationForm = {
    var content = NotificationForm()
    content.title = "{firstName}"
    content.body = ""
    content.raisesBadge = true
    content.sound = "bell"
    content.category = "moved"
    content.desiredKeys = [FieldKey(stored: "city"), FieldKey(stored: "firstName")]
    content.isContentAvailable = true
    content.collapseKey = "k"
    return content
  }()

  static let forms: [SubscriptionForm] = [
    SubscriptionForm(id: SubscriptionID(stored: "all"), kind: .database(type: nil)),
    SubscriptionForm(
      id: SubscriptionID(stored: "é"), device: device, database: .shared,
      kind: .query(
        type: RecordType(stored: "Contact"),
        predicate: PredicateText("city == %@", arguments: [.string("Malmö")]), zone: group),
      options: .update, firesOnce: true, includesOwnChanges: true, notification: content),
    SubscriptionForm(
      id: SubscriptionID(stored: "z"), kind: .zone(group, type: RecordType(stored: "Note")),
      options: [.creation, .deletion]),
  ]

  static let subscriptionStates: [SubscriptionState] = [
    SubscriptionState(id: forms[0].id, form: nil),
    SubscriptionState(
      id: forms[1].id, form: forms[1], failure: RecordsError(.limitExceeded, "Too much work.")),
  ]

  static let notificationPage = NotificationPage(
    notifications: [
      ChangeNotification(
        number: NotificationNumber(Limits.numberMaximum), predecessor: .none, database: .shared,
        record: RecordID(zone: group, name: RecordName(stored: "a")),
        type: RecordType(stored: "Contact"), tag: Revision(9), modified: stamp,
        firings: MatchReason.allCases.enumerated().map { index, reason in
          var shown = content
          shown.desiredKeys = []
          return Firing(
            subscription: forms[index % 3].id, reason: reason,
            content: index == 0 ? NotificationForm() : shown,
            fields: EncodedRecord(index == 1 ? fields : Fields()), isPruned: index == 2)
        })
    ],
    collapsed: [
      CollapsedNotifications(
        subscription: forms[2].id, zones: [ZonePosition(zone: group, token: token)],
        first: NotificationNumber(1), last: NotificationNumber(5), count: 4)
    ], isLevel: true)

  static let subscriptionMessages: [ClientMessage] =
    queries.map(ClientMessage.query) + forms.map(ClientMessage.saveSubscription) + [
      .deleteSubscription(forms[1].id), .subscriptions(after: nil),
      .subscriptions(after: forms[0].id), .followNotifications(.none),
      .acknowledgeNotifications(NotificationNumber(Limits.numberMaximum)),
    ]

  static let administrativeMessages: [ClientMessage] = [
    .administer(.allowUser(1000, account: "Åsa", isAllowed: true)),
    .administer(.addAccount(name: "Åsa", uid: 1000)), .administer(.addAccount(name: "", uid: nil)),
    .administer(.setAccount(name: "ada", isDisabled: true)), .administer(.revokeDevice(device)),
    .administer(.addContainer(name: "photos")), .administer(.confirmClock),
    .administer(.deleteAccount(name: "ada")),
    .administer(.invite(account: "ada", invitation)), .invite(invitation),
    .connections, .device(DeviceRequest(.remove, device)),
    .device(DeviceRequest(.rename("Ådas"), device)),
    .join(
      JoinRequest(
        invitation: InvitationID(7), deviceKeyDigest: digestBytes, proof: digestBytes, isFinal: true
      )),
  ]

  private static let digestBytes = [UInt8](0..<32)
  private static let invitation = InvitationOffer(
    id: InvitationID(7), key: digestBytes, seconds: 86_400)

  static let notificationMessages: [BrokerMessage] = [
    .administered("Done."), .joined(Joined(accountName: "ada", proof: digestBytes)),
    .invited(addresses: ["server:7433", "[::1]:1"], expires: Timestamp(microseconds: 7)),
    .invited(addresses: [], expires: Timestamp(microseconds: 0)), .deviceChanged,
    .connections([]),
    .connections([
      DeviceConnection(DeviceID(9), network: ""),
      DeviceConnection(DeviceID(8), network: "2001:db8:0:1::/64"),
    ]),
    .found(FoundPage(records: [], cursor: nil)),
    .found(
      FoundPage(
        records: [FoundPage.Found(zone: group, change: change("a", tag: 2))], cursor: [0])),
    .subscriptionSaved, .subscriptionDeleted, .subscriptions([], isWhole: true),
    .subscriptions(subscriptionStates, isWhole: false),
    .notifications(NotificationPage(notifications: [], isLevel: false)),
    .notifications(notificationPage),
    .directory(
      DirectoryPage(
        from: .zero, to: Revision(4), entries: [], subscriptions: subscriptionStates)),
  ]
}
