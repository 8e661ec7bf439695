// Every store: references. The parent of a delete-self reference must exist. Deleting it deletes all records
// that refer to it, at once for readers and in steps on disk.

import BrokerCore
import BrokerStore
import Predicates
import Records
import Testing

/// A delete-self reference to a record.
func going(with name: String) -> Value {
  .reference(Reference(record: RecordName(stored: name), action: .deleteSelf))
}

/// Saves a record with delete-self references to others.
func attach(_ name: String, to parents: [String], tag: Int64? = nil) -> Operation {
  save(name, tag: tag, ["post": .list(parents.map(going)), "text": .string(name)])
}

extension StoreClient {
  /// Performs operations on the standard zone, in one group. Returns their results.
  mutating func results(_ operations: [Operation]) throws -> [OperationResult] {
    try modify(operations).0.groups[0]
  }

  /// Returns the visible records of the standard zone, which its feed, a fetch and a query must agree on.
  func seen(among names: [String]) throws -> Set<String> {
    var fed: Set<String> = []
    var after: Int64 = 0
    while true {
      let page = try page(after: after, scanStart: .max)
      fed.formUnion(page.changes.map(\.name.text))
      guard page.to.value > after else { break }
      after = page.to.value
    }
    let ids = names.map { RecordID(zone: zone, name: RecordName(stored: $0)) }
    var fetched: [Change] = []
    for start in stride(from: 0, to: ids.count, by: 400) {
      fetched += try store.fetch(
        Array(ids[start..<min(start + 400, ids.count)]), of: identity
      ).compactMap(\.self)
    }
    let query = try RecordQuery(
      QueryForm(
        zone: zone, type: RecordType(stored: "Contact"), predicate: PredicateText("TRUEPREDICATE"),
        sort: [], desiredKeys: nil, limit: 0))
    var queried: Set<String> = []
    var cursor: QueryCursor?
    repeat {
      let page = try store.query(
        query, from: cursor, of: identity, clock: QueryClock(now: time(5)) { false })
      queried.formUnion(page.records.map(\.change.name.text))
      cursor = try page.cursor.map { try QueryCursor(bytes: $0, of: query) }
    } while cursor != nil
    #expect(fed == queried)
    #expect(fed == Set(fetched.filter { $0.kind == .saved }.map(\.name.text)))
    return fed
  }

  /// Runs one step of pending cascades. Returns its changes and whether there is more.
  mutating func completeCascades(at now: Timestamp = time(7)) throws -> ([Change], isMore: Bool) {
    let effects = try committer.report(of: .cascades, at: now).effects
    return (effects.zones.flatMap(\.changes), effects.jobs.contains(.cascades))
  }

  /// Returns the names of all records that a request deleted, page by page.
  func cascaded(by number: Int64) throws -> (names: [String], goesOn: Bool) {
    var names: [String] = []
    var after: Revision? = .zero
    var goesOn = false
    while let from = after {
      let page = try store.cascaded(
        .standard, by: RequestNumber(number), after: from, of: identity)
      #expect(page.items.count <= BrokerLimits.pageRows)
      names += page.items.map(\.name.text)
      (after, goesOn) = (page.next, page.goesOn)
    }
    return (names, goesOn)
  }
}

extension OperationResult {
  var refusal: RecordsError? { if case .failed(let error, _) = self { error } else { nil } }
}

@Suite("T1, I3 references contract")
struct ReferenceContract {
  // MARK: Saving

  @Test(arguments: StoreKind.allCases)
  func `a parent must exist in the same zone and not be deleted`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    let early = try client.results([attach("comment", to: ["post"])])[0].refusal
    #expect(early?.code == .referenceViolation && early?.reason == "parentMissing")
    #expect(early?.field == "post" && early?.record?.text == "comment")
    _ = try client.results([save("post")])
    #expect(try client.results([attach("comment", to: ["post"])])[0].refusal == nil)
    _ = try client.results([delete("post", tag: 1)])
    let late = try client.results([attach("comment 2", to: ["post"])])[0].refusal
    #expect(late?.code == .referenceViolation && late?.reason == "parentDeleted")
    let other = ZoneID(owner: client.identity.account, name: ZoneName(9))
    _ = try client.results([save("elsewhere")])
    let crossing = try client.modify(
      [.saveZone(title: "x"), attach("comment", to: ["elsewhere"])], in: other)
    #expect(crossing.0[1].refusal?.reason == "parentMissing")
    #expect(try client.seen(among: ["post", "comment", "elsewhere"]) == ["elsewhere"])
  }

  @Test(arguments: StoreKind.allCases)
  func `within a group a child may precede its parent, but not across groups`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    let request = client.nextRequest([
      OperationGroup(zone: .standard, operations: [attach("early", to: ["late"])]),
      OperationGroup(
        zone: .standard, operations: [attach("comment", to: ["late"]), save("late")]),
      OperationGroup(zone: .standard, operations: [attach("next", to: ["late"])]),
    ])
    let (outcome, _) = try StoreClient.outcome(client.committer.perform([request], at: time(2))[0])
    #expect(outcome.groups[0][0].refusal?.code == .referenceViolation)
    #expect(outcome.groups[1].compactMap(\.refusal).isEmpty)
    #expect(outcome.groups[2].compactMap(\.refusal).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `a reference without delete-self may dangle and does not cascade`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    let loose = Value.reference(Reference(record: RecordName(stored: "post"), action: .none))
    #expect(try client.results([save("a", ["see": loose])])[0].refusal == nil)
    _ = try client.results([save("post")])
    let (outcome, _) = try client.modify([delete("post", tag: 2)])
    #expect(outcome.groups == [[.deleted(tag: Revision(3))]])
    #expect(try client.seen(among: ["a", "post"]) == ["a"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a record has at most the allowed number of parents`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    let posts = (0...Limits.parentsPerRecord).map { "p\($0)" }
    _ = try client.results(posts.map { save($0) })
    let most = Array(posts.prefix(Limits.parentsPerRecord))
    #expect(try client.results([attach("few", to: most)])[0].refusal == nil)
    #expect(try client.results([attach("many", to: posts)])[0].refusal?.code == .limitExceeded)
  }

  // MARK: Deleting

  @Test(arguments: StoreKind.allCases)
  func `deleting a record deletes its descendants, attributed to the deleter`(
    kind: StoreKind
  ) throws {
    let store = try kind.make()
    var ada = try StoreClient(store)
    var bob = try StoreClient(store, account: "bob", key: [2])
    let zone = ZoneID(owner: ada.identity.account, name: ZoneName(7))
    _ = try ada.modify([.saveZone(title: "Timeline"), save("post"), save("other")], in: zone)
    let link = LinkForm(digest: SharedWorld.secret.bytes + SharedWorld.secret.bytes)
    try ada.shared(.create(zone, ShareForm(publicPermission: .readWrite, link: link)))
    _ = try bob.share(.accept(SharedWorld.secret)).answer.get()
    _ = try bob.modify(
      [attach("c1", to: ["post"]), attach("c2", to: ["post", "other"])], in: zone)
    _ = try bob.modify([attach("answer", to: ["c1"]), attach("kept", to: ["other"])], in: zone)
    let (results, effects) = try ada.modify([delete("post", tag: 1)], in: zone)
    let names = ["c1", "c2", "answer"].map { RecordName(stored: $0) }
    #expect(
      results == [
        .deleted(
          tag: Revision(7),
          cascaded: CascadedRecords(count: 3, names: names, goesOn: false))
      ])
    let changes = try #require(effects.zones.first).changes
    #expect(changes.map(\.name.text) == ["post", "c1", "c2", "answer"])
    #expect(changes.map(\.tag.value) == [7, 8, 9, 10])
    #expect(changes.allSatisfy { $0.kind == .deleted })
    #expect(changes.allSatisfy { $0.modified.origin.account == ada.identity.account })
    #expect(changes[1].created.origin.account == bob.identity.account)
    #expect(effects.zones.first?.zone.head == Revision(10))
    let trash = try store.trash(zone, below: nil, of: bob.identity)
    #expect(trash.items.map(\.last.name.text) == ["answer", "c2", "c1", "post"])
  }

  @Test(arguments: StoreKind.allCases)
  func `cycles and self-references are deleted completely`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    #expect(try client.results([attach("self", to: ["self"])])[0].refusal == nil)
    let ring = [attach("a", to: ["c"]), attach("b", to: ["a"]), attach("c", to: ["b"])]
    #expect(try client.results(ring).compactMap(\.refusal).isEmpty)
    let (one, _) = try client.modify([delete("self", tag: 1)])
    #expect(one.groups == [[.deleted(tag: Revision(5))]])
    guard case .deleted(_, let cascaded) = try client.results([delete("b", tag: 3)])[0] else {
      throw RecordsError(.internalError, "It was not deleted.")
    }
    #expect(cascaded.names.map(\.text) == ["c", "a"])
    #expect(try client.seen(among: ["self", "a", "b", "c"]).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `only the references of a record's current version cascade`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.results([save("p"), save("q"), attach("c", to: ["p"])])
    // Moved to another post while its old one is deleted, in either order.
    _ = try client.results([delete("p", tag: 1), attach("c", to: ["q"], tag: 3)])
    #expect(try client.seen(among: ["p", "q", "c"]) == ["q", "c"])
    _ = try client.results([save("c", tag: 5, ["post": .list([])])])
    _ = try client.results([delete("q", tag: 2)])
    #expect(try client.seen(among: ["p", "q", "c"]) == ["c"])
    let again = try client.results([save("p"), attach("d", to: ["p"])])
    #expect(again.compactMap(\.refusal).isEmpty)
    _ = try client.results([delete("c", tag: 6)])
    #expect(try client.seen(among: ["p", "q", "c", "d"]) == ["p", "d"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a group that deletes a parent cannot save its child`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.results([save("p"), attach("c", to: ["p"]), attach("d", to: ["c"])])
    let kept = try client.results([
      delete("p", tag: 1), save("c", tag: 2, ["text": .string("edited")]),
    ])
    #expect(kept[1].refusal?.reason == "parentDeleted")
    #expect(kept[0].refusal?.code == .batchRequestFailed)
    // The cascade deletes a grandchild, regardless of operations on it in the group.
    _ = try client.results([
      delete("p", tag: 1), save("d", tag: 3, ["text": .string("edited")]),
    ])
    #expect(try client.seen(among: ["p", "c", "d"]).isEmpty)
    _ = try client.results([save("p"), attach("c", to: ["p"])])
    let recreated = try client.results([
      .delete(Operation.Delete(name: RecordName(stored: "p"), tag: nil, isForced: true)),
      save("p"), attach("new", to: ["p"]),
    ])
    #expect(recreated.compactMap(\.refusal).isEmpty)
    #expect(try client.seen(among: ["p", "c", "new"]) == ["p", "new"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a repeated deletion has its first outcome, with the names of cascaded records`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.results([save("p"), attach("c", to: ["p"])])
    let request = client.nextRequest([
      OperationGroup(zone: .standard, operations: [delete("p", tag: 1)])
    ])
    let first = try StoreClient.outcome(client.committer.perform([request], at: time(3))[0]).0
    let second = try StoreClient.outcome(client.committer.perform([request], at: time(4))[0]).0
    #expect(first == second)
    guard case .deleted(_, let cascaded) = first.groups[0][0] else {
      throw RecordsError(.internalError, "\(first)")
    }
    #expect(cascaded.names.map(\.text) == ["c"])
  }

  @Test(arguments: StoreKind.allCases)
  func `subscriptions are notified about each cascaded deletion`(kind: StoreKind) throws {
    let store = try kind.make()
    var client = try StoreClient(store)
    var phone = try StoreClient(store, key: [2])
    let start = try phone.follow()
    let form = query("text == 'c1'", options: .deletion)
    #expect(try phone.subscribe(form) == nil)
    _ = try client.results([save("p"), attach("c1", to: ["p"]), attach("c2", to: ["p"])])
    _ = try client.results([delete("p", tag: 1)])
    let told = try phone.told(behind: start).notifications
    #expect(told.map(\.record.name.text) == ["c1"])
    #expect(told.first?.firings.map(\.reason) == [.deleted])
  }

  @Test(arguments: StoreKind.allCases)
  func `the asset of a cascaded record is deleted with its earlier version`(kind: StoreKind) throws
  {
    let store = try kind.make()
    var client = try StoreClient(store)
    let photo = Asset(digest: Array(repeating: 1, count: 32), sizeBytes: 1000)
    try store.transact {
      try $0.registerAsset(photo, UploadID(photo.id, of: client.identity), at: time(1))
    }
    _ = try client.results([
      save("p"), save("c", ["post": going(with: "p"), "photo": .asset(photo)]),
    ])
    _ = try client.results([delete("p", tag: 1)])
    _ = try store.transact {
      try $0.expireHistory(AgeCutoff(before: time(90_000_000)), rowsMaximum: 100)
    }
    let day: Int64 = 86_400
    let gone = try stride(from: 10, through: 2 * day, by: 600).flatMap { second in
      try store.transact {
        try $0.collectAssets(graceSeconds: day, at: time(second), rowsMaximum: 10).digests
      }
    }
    #expect(gone == [photo.id])
    let zone = ZoneID(owner: client.identity.account, name: ZoneName(7))
    _ = try client.modify(
      [.saveZone(title: "x"), save("p"), attach("c", to: ["p"])], in: zone)
    _ = try client.modify([.deleteZone(), .emptyTrash(through: Revision(100))], in: zone)
    let rows = try store.transact {
      try $0.expireTombstones(AgeCutoff(before: time(0)), rowsMaximum: 100)
    }
    #expect(rows == 3, "two records, and what says that one goes with the other")
  }
}
