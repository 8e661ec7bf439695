// Which subscriptions are valid, and how notifications are filled.

import Predicates
import Records
import Testing

@testable import Matching

@Suite("B1, K4 subscriptions")
struct CompiledSubscriptionTests {
  private let contact = RecordType(stored: "Contact")

  private func subscription(
    _ predicate: String = "city == 'x'", database: DatabaseScope = .private, zone: ZoneID? = nil,
    options: FiringOptions = .all, notification: NotificationTemplates = NotificationTemplates()
  ) throws -> CompiledSubscription {
    try CompiledSubscription(
      id: SubscriptionID("s"), database: database,
      kind: .query(type: contact, predicate: Predicate(predicate), zone: zone), options: options,
      notification: notification)
  }

  @Test func `a query covers a zone or a database of its owner`() throws {
    let account = AccountID(7)
    #expect(try subscription().scope(for: account) == .privateDatabase(account))
    #expect(try subscription(database: .shared).scope(for: account) == .sharedDatabase(account))
    #expect(try subscription(database: .public).scope(for: account) == .publicDatabase)
    let zone = try subscription(zone: .standard).scope(for: account)
    #expect(zone == .zone(ZoneID(owner: account, name: .standard)))
  }

  @Test func `a zone or a database can be subscribed to as a whole or by type`() throws {
    let whole = try CompiledSubscription(id: SubscriptionID("z"), kind: .zone(.standard, type: nil))
    #expect(whole.predicate == .constant(true) && whole.type == nil)
    let typed = try CompiledSubscription(id: SubscriptionID("d"), kind: .database(type: contact))
    #expect(
      typed.type == contact && typed.scope(for: AccountID(1)) == .privateDatabase(AccountID(1)))
  }

  @Test func `now(), no option, and zones of the public database are rejected`() throws {
    #expect(throws: RecordsError.self) { try subscription("born < now()") }
    #expect(throws: RecordsError.self) { try subscription(options: []) }
    #expect(throws: RecordsError.self) { try subscription(database: .public, zone: .standard) }
    #expect(throws: RecordsError.self) {
      try CompiledSubscription(
        id: SubscriptionID("x"), database: .public, kind: .database(type: nil))
    }
    for id in ["", "_x", String(repeating: "x", count: 256)] {
      #expect(throws: RecordsError.self) { try SubscriptionID(id) }
    }
  }

  @Test func `a form is parsed, and an error names field and column`() throws {
    func form(_ predicate: String, title: String? = nil) throws -> SubscriptionForm {
      var notification = NotificationForm()
      notification.title = title
      return SubscriptionForm(
        id: try SubscriptionID("s"), device: DeviceID(3),
        kind: .query(type: contact, predicate: PredicateText(predicate), zone: nil),
        firesOnce: true, notification: notification)
    }
    let read = try CompiledSubscription(form("city == 'x'", title: "{city}"))
    #expect(read.owner == .device(DeviceID(3)) && read.firesOnce)
    #expect(read.predicate == (try Predicate("city == 'x'")))
    #expect(read.notification.title?.source == "{city}")
    let wrong = #expect(throws: RecordsError.self) {
      try CompiledSubscription(form("city === 'x'"))
    }
    #expect(wrong?.field == "predicate" && wrong?.column != nil)
    let open = #expect(throws: RecordsError.self) {
      try CompiledSubscription(form("city == 'x'", title: "in {city"))
    }
    #expect(open?.field == "title" && open?.column == 4)
  }

  @Test func `texts beyond their limits are rejected with the field`() throws {
    // Very long, because it was once parsed to its end before its length was checked.
    var form = NotificationForm()
    form.body = String(repeating: "x", count: 4 << 20)
    let body = #expect(throws: RecordsError.self) {
      try CompiledSubscription(
        SubscriptionForm(
          id: SubscriptionID(stored: "s"), kind: .database(type: nil), notification: form))
    }
    #expect(body?.field == "body" && body?.code == .limitExceeded)
    var content = NotificationTemplates()
    content.collapseKey = String(repeating: "x", count: 65)
    let key = #expect(throws: RecordsError.self) { try subscription(notification: content) }
    #expect(key?.field == "collapseKey")
  }

  @Test func `a template is filled with fields, whose braces have no meaning`() throws {
    let template = try NotificationTemplate("{{{name}}} is {age} in {city}{gone}: {ok}")
    let fields: Fields = [
      "name": .string("{age}"), "age": .int64(30), "city": .string("Umeå"), "ok": .boolean(true),
    ]
    #expect(template.filled(with: fields) == "{{age}} is 30 in Umeå: yes")
    #expect(template.keys.map(\.text) == ["name", "age", "city", "gone", "ok"])
  }

  @Test(arguments: [("a {", 3), ("{b", 1), ("x{1}", 2), ("å{}", 2), ("{a b}", 1)])
  func `an invalid placeholder is rejected with its column`(source: String, column: Int) {
    let error = #expect(throws: RecordsError.self) { try NotificationTemplate(source) }
    #expect(error?.column == column)
  }

  @Test func `a filled text is truncated at a character`() throws {
    let template = try NotificationTemplate("{name}")
    let filled = template.filled(with: ["name": .string(String(repeating: "é", count: 3000))])
    #expect(filled.utf8.count == 4096)
    let many = try NotificationTemplate(String(repeating: "{name}", count: 100))
    let name = Value.string(String(repeating: "é", count: 1 << 19))
    #expect(many.filled(with: ["name": name]) == filled)
  }
}
