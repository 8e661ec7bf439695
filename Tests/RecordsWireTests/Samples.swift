// Samples of every message, and a seeded generator.

import Records

/// SplitMix64: the same numbers from the same seed, on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

enum Samples {
  static let account = AccountID(0x1111_2222_3333_4444_5555_6666_7777_8888)
  static let device = DeviceID(0xAAAA_BBBB_CCCC_DDDD_EEEE_FFFF_0000_1111)
  static let incarnation = Incarnation(0x0123_4567_89AB_CDEF_0123_4567_89AB_CDEF)
  static let group = ZoneID(owner: account, name: ZoneName(0xF00D))
  static let origin = Origin(account: account, device: device, request: RequestNumber(7))
  static let stamp = Stamp(time: Timestamp(microseconds: 1_795_230_000_123_456), origin: origin)
  static let token = ChangeToken(
    incarnation: incarnation, revision: Revision(41), scanStart: Revision(12))

  /// A kind of value that no version knows: field 15, a varint.
  static let unknownValue: [UInt8] = [0x78, 0x96, 0x01]

  static let fields: Fields = [
    "birthday": .date(Timestamp(microseconds: -1)),
    "blob": .bytes([0, 1, 255]),
    "empty": .string(""),
    "emergency": .boolean(false),
    "future": .unknown(unknownValue),
    "home": .location(Location(latitudeDegrees: 59.33, longitudeDegrees: -18.06)),
    "names": .list([.string("Åsa"), .int64(.min), .double(-0.5), .boolean(true)]),
    "nothing": .list([]),
    "parent": .reference(Reference(record: RecordName(stored: "é"), action: .deleteSelf)),
    "phones": .entries([
      Entry(
        id: EntryID(1), position: Position(stored: "V"),
        fields: ["label": .string("home"), "value": .string("+46 8 123")]),
      Entry(id: EntryID(.max), position: Position(stored: ""), fields: [:]),
    ]),
    "photo": .asset(Asset(digest: Array(repeating: 9, count: 32), sizeBytes: .max)),
    "size": .int64(.max),
  ]

  static func change(
    _ name: String, tag: Int64, kind: Change.Kind = .saved, fields: Fields = fields,
    move: MoveID? = nil
  ) -> Change {
    Change(
      name: RecordName(stored: name), tag: Revision(tag), kind: kind,
      type: RecordType(stored: "Contact"),
      created: stamp, modified: stamp,
      record: kind == .saved ? EncodedRecord(fields) : .empty, move: move)
  }

  static let fullError = RecordsError(
    .requestRateLimited, "Too much.", hint: "Wait.", retryAfterSeconds: 3,
    record: RecordName(stored: "r"), field: "phones", column: 4, reason: "burst")

  static let request = ModifyRequest(
    number: RequestNumber(8), acknowledged: RequestNumber(6),
    groups: [
      OperationGroup(
        zone: .standard,
        operations: [
          .save(
            Operation.Save(
              name: RecordName(stored: "a"), type: RecordType(stored: "Contact"), tag: nil,
              fields: EncodedRecord(fields), removed: ["fax", "pager"])),
          .save(
            Operation.Save(
              name: RecordName(stored: "b"), type: RecordType(stored: "Contact"), policy: .allKeys,
              tag: Revision(0),
              fields: .empty)),
          .delete(Operation.Delete(name: RecordName(stored: "c"), tag: Revision(9))),
          .delete(Operation.Delete(name: RecordName(stored: "d"), tag: nil, isForced: true)),
          .delete(
            Operation.Delete(name: RecordName(stored: "e"), tag: Revision(9), move: MoveID(77))),
        ]),
      OperationGroup(
        zone: group,
        operations: [
          .saveZone(title: "Family"), .deleteZone(), .restoreZone,
          .emptyTrash(through: Revision(7)),
        ]),
      OperationGroup(zone: group, operations: []),
    ])

  static let outcome = ModifyOutcome(
    number: RequestNumber(8),
    groups: [
      [
        .saved(tag: Revision(42)), .deleted(tag: nil), .deleted(tag: Revision(43)),
        .failed(
          RecordsError(.serverRecordChanged, "It changed."), serverRecord: change("b", tag: 40)),
        .failed(fullError, serverRecord: nil),
      ],
      [.zoneSaved, .zoneDeleted, .trashEmptied], [],
    ], time: Timestamp(microseconds: -9))

  /// Cascading deletions.
  static let cascades = ModifyOutcome(
    number: RequestNumber(9),
    groups: [
      [
        .deleted(
          tag: Revision(50),
          cascaded: CascadedRecords(
            count: 7000, names: [RecordName(stored: "c1"), RecordName(stored: "ü")],
            goesOn: true)),
        .deleted(
          tag: Revision(9000), cascaded: CascadedRecords(count: 0, names: [], goesOn: true)),
      ]
    ], time: Timestamp(microseconds: 5))

  static let zoneChanges = ZoneChanges(
    zone: group, incarnation: incarnation, from: Revision(41), to: Revision(46),
    scanStart: Revision(12), lineage: Lineage(),
    changes: [
      change("a", tag: 42), change("b", tag: 44, kind: .deleted),
      change("d", tag: 45, kind: .deleted, move: MoveID(77)),
      change("c", tag: 46, kind: .evicted),
    ])

  static let hello = Hello(
    version: 1, container: "contacts", accountName: "alice", deviceName: "laptop", device: device,
    deviceKey: Array(0..<32), lastNumber: RequestNumber(8), acknowledged: RequestNumber(6),
    directory: Revision(3),
    zones: [
      ZonePosition(zone: .standard, token: token), ZonePosition(zone: group, token: nil),
    ], invocation: .max)

  static let digest = Asset(digest: Array(0..<32), sizeBytes: 1).id

  static let clientMessages: [ClientMessage] =
    [
      .hello(hello),
      .hello(
        Hello(
          version: 9, container: "c", accountName: nil, deviceName: "", device: nil,
          deviceKey: Array(repeating: 0, count: 32), lastNumber: .zero, acknowledged: .zero,
          directory: .zero, zones: [],
          formerDevice: FormerDevice(device, key: Array(repeating: 255, count: 32)))),
      .modify(request),
      .acknowledge(RequestNumber(Limits.numberMaximum)),
      .fetch([
        RecordID(zone: .standard, name: RecordName(stored: "a")),
        RecordID(zone: group, name: RecordName(stored: "b")),
      ]),
      .attach(hello.zones), .detach([.standard, group]), .zones, .checkpoint, .ping,
      .offerAsset(Asset(digest: digest.bytes, sizeBytes: 50 << 20)),
      .assetPiece(AssetPiece(digest: digest, offset: 1 << 20, content: [0, 1, 255])),
      .fetchAsset(AssetFetch(zone: group, digest: digest, offset: 0, byteCount: 1)),
      .wantedAssets(after: nil), .wantedAssets(after: digest),
      .history(RecordID(zone: group, name: RecordName(stored: "b")), below: nil),
      .history(RecordID(zone: .standard, name: RecordName(stored: "a")), below: Revision(7)),
      .trash(.standard, below: nil), .trash(group, below: Revision(Limits.numberMaximum)),
      .cascaded(.standard, by: RequestNumber(7), after: .zero),
      .cascaded(
        group, by: RequestNumber(Limits.numberMaximum), after: Revision(Limits.numberMaximum)),
    ] + subscriptionMessages + administrativeMessages + sharingRequestMessages

  static let brokerMessages: [BrokerMessage] =
    [
      .welcome(
        Welcome(
          version: 1, account: account, accountName: "alice", device: device,
          lastNumber: RequestNumber(8), directory: Revision(4), heartbeatSeconds: 30)),
      .outcome(outcome), .outcome(cascades),
      .cascaded(CascadedPage(items: [], next: Revision(7), goesOn: true)),
      .cascaded(
        CascadedPage(
          items: [CascadedPage.Item(name: RecordName(stored: "a"), tag: Revision(3))], next: nil,
          goesOn: false)),
      .fetched([change("a", tag: 1), nil, change("b", tag: 2, kind: .deleted)]),
      .directory(
        DirectoryPage(
          from: .zero, to: Revision(4),
          entries: DirectoryEntry.Role.allCases.enumerated().map { index, role in
            DirectoryEntry(
              revision: Revision(Int64(index) + 1), zone: index == 0 ? .standard : group,
              title: index == 0 ? "" : "Familj", role: role, isWritable: index != 2,
              incarnation: incarnation, isDeleted: index == 1,
              deletion: index == 1
                ? ZoneDeletion(
                  time: Timestamp(microseconds: -7), recordCount: 30,
                  head: Revision(9), hasDeletedRecords: true) : nil,
              erasedThrough: Revision(Int64(index)), ownerName: index == 0 ? "" : "anna",
              isShared: index != 1, ownerDisplayName: index == 0 ? "" : "Anna A.",
              members: index == 0
                ? [] : [ZoneMember(account: account, name: "b", displayName: "B")],
              requests: index == 0 ? [] : share.requests,
              titleRevision: Revision(Int64(index) * 3), membersRevision: Revision(Int64(index)),
              restorations: index)
          },
          devices: [
            DirectoryDevice(
              id: DeviceID(9), name: "Läptop", seen: Timestamp(microseconds: -5)),
            DirectoryDevice(
              id: DeviceID(8), name: "", seen: Timestamp(microseconds: 5), isRemoved: true),
          ])),
      .history(HistoryPage(states: [], isWhole: true)),
      .history(
        HistoryPage(
          states: zoneChanges.changes.map {
            HistoryPage.State(change: $0, superseded: Timestamp(microseconds: 77))
          }, isWhole: false)),
      .trash(TrashPage(items: [], next: nil)),
      .trash(
        TrashPage(
          items: zoneChanges.changes.map { TrashPage.Item(tombstone: $0, last: $0) },
          next: Revision(12))),
      .changes(zoneChanges),
      .level(
        zone: group, incarnation: incarnation, head: Revision(46), scanStart: Revision(12)),
      .level(
        zone: group, incarnation: incarnation, head: Revision(46), scanStart: Revision(12),
        former: FormerHistory(incarnation: Incarnation(3), keptThrough: Revision(40))),
      .level(
        zone: group, incarnation: incarnation, head: Revision(46), scanStart: Revision(12),
        former: FormerHistory(
          incarnation: Incarnation(3), keptThrough: Revision(40),
          lostNames: [RecordName(stored: "a"), RecordName(stored: "b")],
          withheldNames: [RecordName(stored: "c")])),
      .reset(zone: group, RecordsError(.changeTokenExpired, "Gone.")),
      .checkpoint, .pong, .error(fullError),
      .goodbye(RecordsError(.serviceUnavailable, "The broker stops.")),
      .assetStanding(AssetStanding(digest: digest, isHeld: true, offset: 0)),
      .assetStanding(AssetStanding(digest: digest, isHeld: false, offset: 65536)),
      .assetPiece(AssetPiece(digest: digest, offset: 0, content: Array(repeating: 7, count: 40))),
      .wantedAssets([], isWhole: true),
      .wantedAssets([Asset(digest: digest.bytes, sizeBytes: 50 << 20)], isWhole: false),
      .found(FoundPage(records: [], cursor: [7], incarnation: incarnation)),
    ] + notificationMessages + sharedMessages
}
