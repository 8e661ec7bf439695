import Records

/// Random messages whose parts are all valid, so that each survives encoding and decoding.
struct RandomMessages {
  var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func flag() -> Bool { Bool.random(using: &generator) }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  mutating func maybe<Part>(_ part: (inout Self) -> Part) -> Part? {
    flag() ? part(&self) : nil
  }

  mutating func some<Part>(_ part: (inout Self) -> Part) -> [Part] {
    (0..<below(4)).map { _ in part(&self) }
  }

  mutating func one<Choice>(of choices: [Choice]) -> Choice { choices[below(choices.count)] }

  // MARK: Ids, names and numbers

  mutating func id<Tag>() -> Identifier<Tag> { Identifier<Tag>.random(using: &generator) }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }

  mutating func text() -> String {
    (0..<below(8)).map { _ in one(of: ["a", "Z", "é", "漢", "🙂", " ", "“"]) }.joined()
  }

  mutating func name() -> RecordName { RecordName(stored: "r" + text()) }

  mutating func type() -> RecordType { RecordType(stored: one(of: ["Contact", "Post", "T_1"])) }

  mutating func count() -> Int64 {
    one(of: [0, 1, 127, 128, Limits.numberMaximum - 1, Limits.numberMaximum])
  }

  mutating func revision() -> Revision { Revision(count()) }

  /// Returns a revision above zero, which stands for no bound.
  mutating func bound() -> Revision { Revision(max(1, count())) }

  mutating func request() -> RequestNumber { RequestNumber(count()) }

  mutating func time() -> Timestamp { Timestamp(microseconds: Int64(bitPattern: generator.next())) }

  mutating func zone() -> ZoneID {
    ZoneID(owner: one(of: [.current, .public, id()]), name: one(of: [.standard, id()]))
  }

  mutating func digest() -> AssetDigest { Asset(digest: bytes(32), sizeBytes: 0).id }

  mutating func stamp() -> Stamp {
    Stamp(time: time(), origin: Origin(account: id(), device: id(), request: request()))
  }

  mutating func token() -> ChangeToken {
    ChangeToken(incarnation: id(), revision: revision(), scanStart: revision())
  }

  mutating func position() -> ZonePosition {
    ZonePosition(zone: zone(), token: maybe { $0.token() })
  }

  mutating func record() -> EncodedRecord { EncodedRecord(randomFields(using: &generator)) }

  mutating func error() -> RecordsError {
    RecordsError(
      one(of: RecordsError.Code.allCases), text(), hint: text(),
      retryAfterSeconds: maybe { $0.one(of: [1, 60, Limits.retryAfterSecondsMaximum]) },
      record: maybe { $0.name() }, field: maybe { "f" + $0.text() },
      column: maybe { 1 + $0.below(99) }, reason: maybe { "r" + $0.text() })
  }

  // MARK: Records

  mutating func change(tag: Revision? = nil) -> Change {
    let kind = one(of: Change.Kind.allCases)
    return Change(
      name: name(), tag: tag ?? revision(), kind: kind, type: type(), created: stamp(),
      modified: stamp(), record: kind == .saved ? record() : .empty, move: maybe { $0.id() },
      former: maybe { $0.formerVersion() })
  }

  mutating func lineage() -> Lineage { Lineage(some { $0.historyRevision() }) }

  mutating func formerVersion() -> FormerVersion {
    FormerVersion(VersionVector(some { $0.historyRevision() }), isExact: flag())
  }

  mutating func historyRevision() -> VersionVector.Entry {
    VersionVector.Entry(incarnation: id(), revision: revision())
  }

  mutating func operation() -> Operation {
    switch below(6) {
    case 0:
      .save(
        Operation.Save(
          name: name(), type: type(), policy: one(of: SavePolicy.allCases),
          tag: maybe { $0.revision() }, fields: record(),
          removed: some { FieldKey(stored: "k\($0.below(99))") },
          former: maybe { $0.formerVersion() }))
    case 1:
      .delete(
        Operation.Delete(
          name: name(), tag: maybe { $0.revision() }, isForced: flag(), move: maybe { $0.id() },
          former: maybe { $0.formerVersion() }))
    case 2: .saveZone(title: text(), former: maybe { $0.revision() })
    case 3:
      .deleteZone(ifUnchangedSince: maybe { $0.token() }, former: formerVersion().versions)
    case 4: .restoreZone
    default: .emptyTrash(through: revision())
    }
  }

  mutating func modify() -> ModifyRequest {
    ModifyRequest(
      number: RequestNumber(max(1, count())), acknowledged: request(),
      groups: some { random in
        OperationGroup(zone: random.zone(), operations: random.some { $0.operation() })
      })
  }

  mutating func result() -> OperationResult {
    switch below(6) {
    case 0: .saved(tag: revision())
    case 1:
      .deleted(
        tag: revision(),
        cascaded: CascadedRecords(count: 3 + below(9), names: some { $0.name() }, goesOn: flag()))
    case 2: .zoneSaved
    case 3: .zoneDeleted
    case 4: .trashEmptied
    default: .failed(error(), serverRecord: maybe { $0.change() })
    }
  }

  mutating func changes() -> ZoneChanges {
    let from = Int64(below(50))
    let tags = (1...5 as ClosedRange<Int64>).filter { _ in flag() }
    let scanStart = maybe { $0.revision() }
    return ZoneChanges(
      zone: zone(), incarnation: id(), from: Revision(from), to: Revision(from + 5),
      scanStart: scanStart, lineage: scanStart == nil ? nil : lineage(),
      changes: tags.map { change(tag: Revision(from + $0)) })
  }

  // MARK: Messages

  mutating func clientMessage() -> ClientMessage {
    switch below(16) {
    case 0:
      .hello(
        Hello(
          version: below(9), container: "c" + text(), accountName: maybe { $0.text() },
          deviceName: text(), device: maybe { $0.id() }, deviceKey: bytes(32),
          lastNumber: request(), acknowledged: request(), directory: revision(),
          zones: some { $0.position() }, invocation: maybe { 1 + UInt64($0.below(9)) },
          formerDevice: maybe { FormerDevice($0.id(), key: $0.bytes(32)) }))
    case 1, 2: .modify(modify())
    case 3: .acknowledge(request())
    case 4: .fetch(some { RecordID(zone: $0.zone(), name: $0.name()) })
    case 5: .attach(some { $0.position() })
    case 6: .detach(some { $0.zone() })
    case 7: .history(RecordID(zone: zone(), name: name()), below: maybe { $0.bound() })
    case 8: .trash(zone(), below: maybe { $0.bound() })
    case 9: .cascaded(zone(), by: request(), after: revision())
    case 10: .account(.look(some { $0.id() }))
    case 11: .wantedAssets(after: maybe { $0.digest() })
    case 12: .share(.preview(ShareSecret(UInt128(generator.next()))))
    case 13: .account(.setDisplayName(text()))
    case 14: .followNotifications(NotificationNumber(count()))
    default: .administer(.addAccount(name: text(), uid: maybe { UInt32($0.below(9)) }))
    }
  }

  mutating func brokerMessage() -> BrokerMessage {
    switch below(14) {
    case 0:
      .outcome(
        ModifyOutcome(
          number: request(), groups: some { random in random.some { $0.result() } },
          time: time()))
    case 1: .fetched(some { random in random.maybe { $0.change() } })
    case 2, 3: .changes(changes())
    case 4:
      .level(
        zone: zone(), incarnation: id(), head: revision(), scanStart: revision(),
        former: maybe { random in
          FormerHistory(
            lineage: random.lineage(), lostNames: Set(random.some { $0.name() }),
            withheldNames: Set(random.some { $0.name() }))
        })
    case 5: .reset(zone: zone(), error())
    case 6: .error(error())
    case 7: .goodbye(error())
    case 8:
      .history(
        HistoryPage(
          states: some { HistoryPage.State(change: $0.change(), superseded: $0.time()) },
          isWhole: flag()))
    case 9:
      .trash(
        TrashPage(
          items: some { TrashPage.Item(tombstone: $0.change(), last: $0.change()) },
          next: maybe { $0.bound() }))
    case 10:
      .cascaded(
        CascadedPage(
          items: some { CascadedPage.Item(name: $0.name(), tag: $0.revision()) },
          next: maybe { $0.bound() }, goesOn: flag()))
    case 11:
      .accounts(
        some {
          AccountProfile(
            account: $0.id(), name: $0.text(), displayName: $0.text(), isDiscoverable: $0.flag())
        }, isWhole: flag())
    case 12:
      .assetStanding(AssetStanding(digest: digest(), isHeld: flag(), offset: below(1 << 20)))
    default:
      .found(
        FoundPage(
          records: some { FoundPage.Found(zone: $0.zone(), change: $0.change()) },
          cursor: maybe { $0.bytes(3) }, incarnation: maybe { $0.id() }, skipped: below(9)))
    }
  }
}
