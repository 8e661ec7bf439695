import Records
import Testing

@testable import AgentAPI

@Suite("K4, B2 notifications and permissions as JSON")
struct NotificationItemTests {
  private static let time = Timestamp(microseconds: 9)
  private static let content =
    #""title":"t","alert":null,"badge":true,"silent":false,"sound":null,"category":null,"#
    + #""collapseKey":null,"time":"\#(time)","seen":false}"#

  private static func item(_ reason: String, id: String?, count: Int64 = 1) -> NotificationItem {
    var item = NotificationItem(
      seq: 4, subscription: "s", reason: reason, id: id, count: count, badge: true, time: time)
    item.title = "t"
    return item
  }

  @Test func `a change has a value for each of its keys, also for empty ones`() throws {
    var item = Self.item("created", id: "r")
    item.type = "Contact"
    item.name = ""
    item.group = "g"
    item.database = "private"
    item.by = AuthorView(account: "ada", device: "laptop")
    item.local = false
    item.changed = Self.time
    item.fields = FieldTexts([
      FieldTexts.Field(key: "company", text: "Acme"), FieldTexts.Field(key: "note", text: ""),
    ])
    item.pruned = false
    try expectCoding(
      item,
      as: #"{"seq":4,"subscription":"s","reason":"created","id":"r","count":1,"type":"Contact","#
        + #""name":"","group":"g","database":"private","#
        + #""by":{"account":"ada","device":"laptop"},"local":false,"changed":"\#(Self.time)","#
        + #""fields":{"company":"Acme","note":""},"pruned":false,"# + Self.content)
    item.fields = FieldTexts([])
    let bytes = try OrderedJSON.bytes(of: item)
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""fields":{},"#))
    #expect(try decoded(NotificationItem.self, bytes) == item)
  }

  @Test func `an author has ids for programs and, where these differ, names for people`() throws {
    try expectCoding(
      AuthorView(account: "a1", name: "someone", device: "d1", deviceName: "another device"),
      as: #"{"account":"a1","name":"someone","device":"d1","deviceName":"another device"}"#)
    try expectCoding(
      AuthorView(account: "ada", device: "laptop"), as: #"{"account":"ada","device":"laptop"}"#)
  }

  @Test func `collapsed changes have a number and no record`() throws {
    try expectCoding(
      Self.item("collapsed", id: nil, count: 12),
      as: #"{"seq":4,"subscription":"s","reason":"collapsed","id":null,"count":12,"#
        + Self.content)
  }

  @Test func `a request for access has an account and a group`() throws {
    var item = Self.item("requested", id: "b0b")
    item.type = "AccessRequest"
    item.name = "Bob"
    item.group = "g"
    try expectCoding(
      item,
      as: #"{"seq":4,"subscription":"s","reason":"requested","id":"b0b","count":1,"#
        + #""type":"AccessRequest","name":"Bob","group":"g","# + Self.content)
  }

  @Test func `a page has the numbers of the whole list`() throws {
    try expectCoding(
      NotificationsView(notifications: [], oldest: 1, last: 4, badge: 2),
      as: #"{"schema":1,"notifications":[],"oldest":1,"last":4,"badge":2}"#)
    #expect(NotificationsView.listKey == "notifications")
    try expectCoding(SeenView(badge: 0), as: #"{"schema":1,"badge":0}"#)
    try expectBody(SeenForm(through: 4), as: #"{"through":4}"#)
    try expectBody(SeenForm(), as: "{}")
  }

  @Test func `permissions have an id and a state`() throws {
    try expectCoding(
      PermissionsView(permissions: [PermissionItem(id: "notifications", state: "ask")]),
      as: #"{"schema":1,"permissions":[{"id":"notifications","state":"ask"}]}"#)
    try expectBody(PermissionForm(state: "deny"), as: #"{"state":"deny"}"#)
  }
}
