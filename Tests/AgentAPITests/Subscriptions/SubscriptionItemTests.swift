import Foundation
import Records
import Testing

@testable import AgentAPI

@Suite("K4 subscriptions as JSON")
struct SubscriptionItemTests {
  private static let whole = SubscriptionItem(
    id: "acme", type: "Contact", predicate: "company == %@",
    arguments: [.text("Acme"), .whole(1), .number(1.5), .flag(true)], group: "g",
    database: "private", on: ["created"], once: true, thisDevice: true, device: "laptop",
    echo: true, title: "t", alert: "a", badge: true, silent: false, sound: "s", category: "c",
    collapseKey: "k", keys: ["company"], command: "cat", state: "refused",
    error: SubscriptionError(
      code: "invalidArguments", message: "No.", hint: "Yes.", field: "where", column: 3))
  private static let wholeText =
    #"{"id":"acme","type":"Contact","where":"company == %@","arguments":["Acme",1,1.5,true],"#
    + #""group":"g","database":"private","on":["created"],"once":true,"thisDevice":true,"#
    + #""device":"laptop","echo":true,"title":"t","alert":"a","badge":true,"silent":false,"#
    + #""sound":"s","category":"c","collapseKey":"k","keys":["company"],"run":"cat","#
    + #""state":"refused","error":{"code":"invalidArguments","message":"No.","hint":"Yes.","#
    + #""field":"where","column":3}}"#

  @Test func `a subscription has all keys, with nulls for what it lacks`() throws {
    try expectCoding(Self.whole, as: Self.wholeText)
    try expectCoding(
      SubscriptionsView(subscriptions: [
        SubscriptionItem(id: "s", database: "shared", state: "saving")
      ]),
      as: #"{"schema":1,"subscriptions":[{"id":"s","type":null,"where":null,"arguments":[],"#
        + #""group":null,"database":"shared","on":[],"once":false,"thisDevice":false,"#
        + #""device":null,"echo":false,"title":null,"alert":null,"badge":false,"silent":false,"#
        + #""sound":null,"category":null,"collapseKey":null,"keys":[],"run":null,"#
        + #""state":"saving","error":null}]}"#)
  }

  @Test func `a response can be sent back as a request`() throws {
    let form = try decoded(
      SubscribeForm.self, OrderedJSON.bytes(of: SingleView(Self.whole)))
    #expect(form.id == "acme" && form.type == "Contact" && form.predicate == "company == %@")
    #expect(form.arguments == Self.whole.arguments && form.group == "g")
    #expect(form.database == "private" && form.on == ["created"] && form.once == true)
    #expect(form.thisDevice == true && form.echo == true && form.keys == ["company"])
    #expect(form.title == "t" && form.alert == "a" && form.badge == true && form.silent == false)
    #expect(form.sound == "s" && form.category == "c" && form.collapseKey == "k")
    #expect(form.command == "cat")
  }

  @Test func `an unknown key is rejected by its name`() throws {
    let error = #expect(throws: RecordsError.self) {
      try decoded(SubscribeForm.self, #"{"wher":"a == 1"}"#.utf8)
    }
    #expect(error?.code == .invalidArguments && error?.field == "wher")
  }

  @Test func `a request has only the keys that are set, and each is read again`() throws {
    try expectBody(SubscribeForm(), as: "{}")
    let form = try decoded(SubscribeForm.self, Self.wholeText.utf8)
    let encoder = JSONEncoder()
    #expect(try decoded(SubscribeForm.self, encoder.encode(form)) == form)
    let object = try JSONSerialization.jsonObject(with: encoder.encode(form))
    let keys = Set((object as? [String: Any] ?? [:]).keys)
    let all = Set(SubscriptionItem.CodingKeys.allCases.map(\.rawValue))
    #expect(keys == all.subtracting(["device", "state", "error"]))
  }
}
