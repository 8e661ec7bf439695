// Every share request in every role, and the error for each fault of a link.

import BrokerCore
import Records
import Testing

/// The relation of the requesting account to the share.
enum Standpoint: String, CaseIterable, CustomTestStringConvertible {
  case owner, administrator, member, reader, invited, removed, left, stranger

  var testDescription: String { rawValue }
}

/// A request and its outcome for each standpoint, in their order: `.` succeeds, `p` permissionFailure, `z`
/// zoneNotFound, `i` invalidArguments.
struct RuleRow: CustomTestStringConvertible {
  let testDescription: String
  let request: SharingRequest
  let outcomes: String

  init(_ name: String, _ request: SharingRequest, _ outcomes: String) {
    (testDescription, self.request, self.outcomes) = (name, request, outcomes)
  }
}

/// A shared zone of ada's. Bob's relation to it varies; other accounts participate.
struct ShareWorld {
  static let zoneID = ZoneID(owner: ada, name: ZoneName(7))
  static let secret = ShareSecret(1)
  static let form = LinkForm(digest: Array(repeating: 9, count: 32))
  static let bystander = AccountID(0xC)
  static let deputy = AccountID(0xE)
  static let asker = AccountID(0xF)

  var publicPermission: SharePermission? = SharePermission.none
  var link = StoredLink(
    key: 1, digest: Array(repeating: 1, count: 32), expires: nil, usesLeft: nil, isRevoked: false)
  var bob: StoredParticipation?
  var bobAsked: AccessRequest.Standing?
  var crowd = 0
  var isDeleted = false
  var invited: StoredAccount?
  var isDigestTaken = false

  static func account(_ id: AccountID) -> StoredAccount {
    StoredAccount(key: StoreKey(id.value), id: id, name: "account \(id.value)", isDisabled: false)
  }

  static func participation(
    _ role: DirectoryEntry.Role = .member, _ permission: SharePermission = .readWrite,
    _ status: Participant.Status = .accepted
  ) -> StoredParticipation {
    StoredParticipation(role: role, permission: permission, status: status)
  }

  static func of(_ standpoint: Standpoint) -> ShareWorld {
    var world = ShareWorld()
    switch standpoint {
    case .owner, .stranger: break
    case .administrator: world.bob = participation(.administrator)
    case .member: world.bob = participation()
    case .reader: world.bob = participation(.member, .readOnly)
    case .invited: world.bob = participation(.member, .readOnly, .invited)
    case .removed: world.bob = participation(.member, .readWrite, .removed)
    case .left: world.bob = participation(.member, .readWrite, .left)
    }
    return world
  }

  func plan(_ request: SharingRequest, by account: AccountID = BrokerCoreTests.bob) throws
    -> SharePlan
  {
    var stored = StoredZone(
      key: 5, id: Self.zoneID, title: "Family", incarnation: Incarnation(7), head: .zero,
      expiredThrough: .zero, isDeleted: isDeleted)
    stored.title = "Family"
    func row(_ account: AccountID, _ participation: StoredParticipation) -> StoredParticipant {
      StoredParticipant(
        account: Self.account(account), participation: participation, changed: now)
    }
    var participants = [
      row(Self.bystander, Self.participation()),
      row(Self.deputy, Self.participation(.administrator)),
    ]
    if let bob { participants.append(row(BrokerCoreTests.bob, bob)) }
    for index in 0..<crowd {
      participants.append(row(AccountID(1000 + UInt128(index)), Self.participation()))
    }
    var requests = [
      StoredAccessRequest(account: Self.account(Self.asker), asked: now, standing: .waiting)
    ]
    if let bobAsked {
      requests.append(
        StoredAccessRequest(
          account: Self.account(BrokerCoreTests.bob), asked: now, standing: bobAsked))
    }
    let identity = SessionIdentity(
      container: 1, account: account, accountKey: StoreKey(account.value), device: DeviceID(1),
      deviceKey: 1)
    let share = StoredShare(
      zone: stored, owner: Self.account(ada), publicPermission: publicPermission,
      participants: participants, requests: requests, link: link)
    return try SharePlanner(
      of: identity, at: now,
      gathered: ShareRows(
        share: share, shown: request.secret == nil ? nil : link, invited: invited,
        isDigestTaken: isDigestTaken)
    ).plan(request)
  }

  func refusal(_ request: SharingRequest, by account: AccountID = BrokerCoreTests.bob)
    -> RecordsError?
  {
    do {
      _ = try plan(request, by: account)
      return nil
    } catch {
      return error as? RecordsError
    }
  }
}

@Suite("Z2, Z3, Z4, Z6 rights in a share")
struct SharePlannerTests {
  static let zone = ShareWorld.zoneID
  static let rules = [
    RuleRow(
      "create", .create(zone, ShareForm(publicPermission: .none, link: ShareWorld.form)),
      "..ppzzzz"),
    RuleRow("fetch", .fetch(zone), "....zzzz"),
    RuleRow("setPublicPermission", .setPublicPermission(zone, .readOnly), "..ppzzzz"),
    RuleRow("renewLink", .renewLink(zone, ShareWorld.form), "..ppzzzz"),
    RuleRow("revokeLink", .revokeLink(zone), "..ppzzzz"),
    RuleRow("invite", .invite(zone, name: "account 12", .readOnly), "..ppzzzz"),
    RuleRow(
      "invite an administrator", .invite(zone, name: "account 14", .readOnly), ".pppzzzz"),
    RuleRow(
      "setParticipant",
      .setParticipant(zone, ShareWorld.bystander, .readOnly, isAdministrator: false), "..ppzzzz"),
    RuleRow(
      "make an administrator",
      .setParticipant(zone, ShareWorld.bystander, .readOnly, isAdministrator: true), ".pppzzzz"),
    RuleRow(
      "change an administrator",
      .setParticipant(zone, ShareWorld.deputy, .readOnly, isAdministrator: true), ".pppzzzz"),
    RuleRow(
      "change the owner", .setParticipant(zone, ada, .readOnly, isAdministrator: false),
      "ppppzzzz"),
    RuleRow("removeParticipant", .removeParticipant(zone, ShareWorld.bystander), "..ppzzzz"),
    RuleRow(
      "remove an administrator", .removeParticipant(zone, ShareWorld.deputy), ".pppzzzz"),
    RuleRow("remove the owner", .removeParticipant(zone, ada), "ppppzzzz"),
    RuleRow("remove oneself", .removeParticipant(zone, bob), ".ippzzzz"),
    RuleRow("remove an unknown account", .removeParticipant(zone, AccountID(0xDEAD)), "..ppzzzz"),
    RuleRow("stop", .stop(zone), ".pppzzzz"),
    RuleRow("leave", .leave(zone), "i...z..z"),
    RuleRow("preview", .preview(ShareWorld.secret), "i....ppp"),
    RuleRow("accept", .accept(ShareWorld.secret), "i....ppp"),
    RuleRow("requestAccess", .requestAccess(ShareWorld.secret), "i......."),
    RuleRow("decline", .decline(ShareWorld.secret), "iiii...p"),
    RuleRow(
      "approve", .answerRequest(zone, ShareWorld.asker, .approve(.readOnly)), "..ppzzzz"),
    RuleRow("deny", .answerRequest(zone, ShareWorld.asker, .deny), "..ppzzzz"),
    RuleRow("block", .answerRequest(zone, ShareWorld.asker, .block), "..ppzzzz"),
  ]

  @Test(arguments: rules)
  func `each role may do exactly what its row says`(rule: RuleRow) {
    let codes: [Character: RecordsError.Code] = [
      "p": .permissionFailure, "z": .zoneNotFound, "i": .invalidArguments,
    ]
    for (standpoint, outcome) in zip(Standpoint.allCases, rule.outcomes) {
      let account = standpoint == .owner ? ada : bob
      let refusal = ShareWorld.of(standpoint).refusal(rule.request, by: account)
      #expect(
        refusal?.code == codes[outcome],
        "\(rule.testDescription) by \(standpoint): \(String(describing: refusal))")
    }
  }

  @Test(arguments: rules)
  func `an account without access cannot learn whether a zone exists`(rule: RuleRow) throws {
    guard rule.request.secret == nil else { return }
    let identity = SessionIdentity(
      container: 1, account: bob, accountKey: 11, device: DeviceID(1), deviceKey: 1)
    let planner = SharePlanner(of: identity, at: now, gathered: ShareRows(share: nil))
    let nowhere = #expect(throws: RecordsError.self) { _ = try planner.plan(rule.request) }
    #expect(nowhere == ShareWorld().refusal(rule.request))
  }

  // MARK: Links

  @Test func `each fault of a link has its own reason and message`() {
    var worlds: [String: ShareWorld] = [:]
    func with(_ link: StoredLink) -> ShareWorld {
      var world = ShareWorld()
      (world.publicPermission, world.link) = (.readOnly, link)
      return world
    }
    func link(expires: Timestamp? = nil, usesLeft: Int? = nil, isRevoked: Bool = false)
      -> StoredLink
    {
      StoredLink(
        key: 1, digest: [1], expires: expires, usesLeft: usesLeft, isRevoked: isRevoked)
    }
    worlds["expired"] = with(link(expires: now))
    worlds["usedUp"] = with(link(usesLeft: 0))
    worlds["revoked"] = with(link(expires: now, usesLeft: 0, isRevoked: true))
    var sentences: Set<String> = []
    for (reason, world) in worlds {
      for request in [SharingRequest.preview(ShareWorld.secret), .accept(ShareWorld.secret)] {
        let refusal = world.refusal(request)
        #expect(refusal?.reason == reason)
        #expect(refusal?.code == .invalidArguments)
        sentences.insert(refusal?.message ?? "")
      }
    }
    let own = with(link()).refusal(.accept(ShareWorld.secret), by: ada)
    #expect(own?.reason == "ownShare")
    let planner = SharePlanner(of: identity, at: now, gathered: ShareRows(share: nil))
    let unknown = #expect(throws: RecordsError.self) {
      _ = try planner.plan(.accept(ShareWorld.secret))
    }
    #expect(unknown?.reason == "unknownLink")
    sentences.formUnion([own?.message ?? "", unknown?.message ?? ""])
    #expect(sentences.count == 5)
    #expect(with(link(expires: now.adding(seconds: 1))).refusal(.accept(ShareWorld.secret)) == nil)
  }

  @Test func `a link to a deleted or no longer shared zone is revoked`() {
    var world = ShareWorld()
    world.isDeleted = true
    #expect(world.refusal(.accept(ShareWorld.secret))?.reason == "revoked")
    var ended = ShareWorld()
    ended.publicPermission = nil
    #expect(ended.refusal(.accept(ShareWorld.secret))?.reason == "revoked")
    #expect(ended.refusal(.requestAccess(ShareWorld.secret))?.reason == "revoked")
  }

  @Test func `anyone with the link joins with the public permission, and uses it once`() throws {
    var world = ShareWorld()
    world.publicPermission = .readWrite
    world.link = StoredLink(key: 4, digest: [1], expires: nil, usesLeft: 2, isRevoked: false)
    let plan = try world.plan(.accept(ShareWorld.secret))
    #expect(
      plan.writes == [.useLink(4), .setParticipant(11, ShareWorld.participation())])
    #expect(plan.answer == .preview(.readWrite, isAccepted: true))
    world.bob = ShareWorld.participation()
    #expect(try world.plan(.accept(ShareWorld.secret)).writes == [])
    world.link = StoredLink(key: 4, digest: [1], expires: now, usesLeft: 0, isRevoked: true)
    #expect(
      try world.plan(.accept(ShareWorld.secret)).answer == .preview(.readWrite, isAccepted: true))
  }

  @Test func `an invited account joins with its own permission, even without a public one`()
    throws
  {
    var world = ShareWorld.of(.invited)
    world.bob = ShareWorld.participation(.administrator, .readOnly, .invited)
    let plan = try world.plan(.accept(ShareWorld.secret))
    #expect(
      plan.writes == [.setParticipant(11, ShareWorld.participation(.administrator, .readOnly))])
    world.link = StoredLink(key: 4, digest: [1], expires: nil, usesLeft: 0, isRevoked: false)
    #expect(world.refusal(.accept(ShareWorld.secret))?.reason == "usedUp")
  }

  @Test func `administrators can write, whatever permission was requested or stored`() throws {
    let written = ShareWorld.participation(.administrator, .readWrite)
    let plan = try ShareWorld().plan(
      .setParticipant(
        ShareWorld.zoneID, ShareWorld.bystander, .readOnly, isAdministrator: true), by: ada)
    #expect(plan.writes == [.setParticipant(12, written)])
    let stored = ShareWorld.participation(.administrator, .readOnly)
    #expect(Access(of: bob, owner: ada, as: stored).allowsWriting)
  }

  @Test func `a removed or blocked account cannot join by the public link, one that left can`() {
    for (standpoint, reason) in [(Standpoint.removed, "removed"), (.left, nil)] {
      var world = ShareWorld.of(standpoint)
      world.publicPermission = .readWrite
      #expect(world.refusal(.accept(ShareWorld.secret))?.reason == reason)
    }
    var blocked = ShareWorld()
    (blocked.publicPermission, blocked.bobAsked) = (.readWrite, .blocked)
    #expect(blocked.refusal(.accept(ShareWorld.secret))?.reason == "notInvited")
  }

  @Test func `a removed account learns that it was removed, and not whether it is blocked`() {
    var world = ShareWorld.of(.removed)
    world.publicPermission = .readOnly
    let removed = world.refusal(.accept(ShareWorld.secret))
    #expect(removed?.message == "The account was removed from this zone.")
    world.bobAsked = .blocked
    #expect(world.refusal(.preview(ShareWorld.secret)) == removed)
    var stranger = ShareWorld()
    stranger.publicPermission = SharePermission.none
    let uninvited = stranger.refusal(.accept(ShareWorld.secret))
    #expect(uninvited?.message == "Only invited accounts can use this link.")
  }

  // MARK: Participants

  @Test func `participants beyond the limit are refused, however they join`() {
    var world = ShareWorld()
    (world.publicPermission, world.crowd) = (.readOnly, Limits.participantsPerShare - 2)
    world.invited = ShareWorld.account(AccountID(0xD0))
    let zone = Self.zone
    for request in [
      SharingRequest.accept(ShareWorld.secret), .invite(zone, name: "guest", .readOnly),
      .answerRequest(zone, ShareWorld.asker, .approve(.readOnly)),
    ] {
      let account = request.secret == nil ? ada : bob
      #expect(world.refusal(request, by: account)?.code == .tooManyParticipants)
    }
    world.bob = ShareWorld.participation(.member, .readOnly, .invited)
    world.crowd -= 1
    #expect(world.refusal(.accept(ShareWorld.secret)) == nil, "an invitation holds a place")
  }

  @Test func `an account that cannot be found cannot be invited`() throws {
    let world = ShareWorld()
    let request = SharingRequest.invite(Self.zone, name: "unknown", .readOnly)
    #expect(world.refusal(request, by: ada)?.reason == "noSuchAccount")
    #expect(
      world.refusal(.invite(Self.zone, name: "account 10", .readOnly), by: ada)?.code
        == .invalidArguments)
    var found = world
    (found.invited, found.bobAsked) = (ShareWorld.account(bob), .blocked)
    #expect(
      try found.plan(request, by: ada).writes == [
        .setParticipant(11, ShareWorld.participation(.member, .readOnly, .invited)),
        .removeRequest(11),
      ])
  }

  @Test func `repeated requests change nothing`() throws {
    let world = ShareWorld()
    let zone = Self.zone
    let same = LinkForm(digest: world.link.digest)
    for request in [
      SharingRequest.create(zone, ShareForm(publicPermission: .readWrite, link: same)),
      .setPublicPermission(zone, .none), .renewLink(zone, same),
      .invite(zone, name: "account 12", .readWrite),
      .invite(zone, name: "account 12", .readOnly),
      .setParticipant(zone, ShareWorld.deputy, .readWrite, isAdministrator: true),
      .removeParticipant(zone, AccountID(0xDEAD)),
    ] {
      #expect(try world.plan(request, by: ada).writes == [], "\(request)")
    }
    var ended = world
    ended.publicPermission = nil
    #expect(try ended.plan(.stop(zone), by: ada).writes == [])
  }

  @Test func `a link digest cannot be used twice`() {
    var world = ShareWorld()
    world.isDigestTaken = true
    #expect(
      world.refusal(.renewLink(Self.zone, ShareWorld.form), by: ada)?.field == "digest")
    world.publicPermission = nil
    let form = ShareForm(publicPermission: .none, link: ShareWorld.form)
    #expect(world.refusal(.create(Self.zone, form), by: ada)?.field == "digest")
  }

  @Test func `an account that declined can be invited again or join by a public link`()
    throws
  {
    let request = SharingRequest.decline(ShareWorld.secret)
    var world = ShareWorld.of(.invited)
    let left = ShareWorld.participation(.member, .readOnly, .left)
    #expect(try world.plan(request).writes == [.setParticipant(11, left)])
    #expect(try world.plan(request).answer == .done)
    world.link = StoredLink(key: 1, digest: [1], expires: now, usesLeft: 0, isRevoked: true)
    #expect(
      try world.plan(request).writes == [.setParticipant(11, left)], "also by an invalid link")
    world.bob = left
    #expect(try world.plan(request).writes == [])
    #expect(ShareWorld.of(.member).refusal(request)?.reason == "accepted")
    #expect(ShareWorld().refusal(request)?.reason == "noInvitation")
  }

  // MARK: Access requests

  @Test func `a denied account may ask for access again, a blocked one learns nothing`()
    throws
  {
    let request = SharingRequest.requestAccess(ShareWorld.secret)
    for (asked, writes) in [
      (nil, [ShareWrite.setRequest(11, .waiting)]), (.denied, [.setRequest(11, .waiting)]),
      (.waiting, []), (.blocked, []),
    ] as [(AccessRequest.Standing?, [ShareWrite])] {
      var world = ShareWorld()
      world.bobAsked = asked
      let plan = try world.plan(request)
      #expect(plan.writes == writes)
      #expect(plan.answer == .done)
    }
  }

  @Test func `approving adds a participant at once, blocking removes it`() throws {
    var world = ShareWorld()
    world.bobAsked = .denied
    let zone = Self.zone
    #expect(
      try world.plan(.answerRequest(zone, bob, .approve(.readOnly)), by: ada).writes == [
        .setParticipant(11, ShareWorld.participation(.member, .readOnly)), .removeRequest(11),
      ])
    world.bob = ShareWorld.participation()
    #expect(
      try world.plan(.answerRequest(zone, bob, .block), by: ada).writes == [
        .setRequest(11, .blocked),
        .setParticipant(11, ShareWorld.participation(.member, .readWrite, .removed)),
      ])
    #expect(
      world.refusal(.answerRequest(zone, AccountID(77), .deny), by: ada)?.reason == "noRequest")
  }

  @Test func `a repeated approval succeeds, another decision about no request does not`() throws {
    var world = ShareWorld()
    world.bob = ShareWorld.participation(.member, .readOnly)
    let repeated = try world.plan(
      .answerRequest(Self.zone, bob, .approve(.readOnly)), by: ada)
    #expect(repeated.writes == [] && repeated.answer == .share)
    for decision in [AccessDecision.approve(.readWrite), .deny, .block] {
      let error = world.refusal(.answerRequest(Self.zone, bob, decision), by: ada)
      #expect(error?.reason == "noRequest")
    }
    world.bob = ShareWorld.participation(.member, .readOnly, .left)
    let left = world.refusal(.answerRequest(Self.zone, bob, .approve(.readOnly)), by: ada)
    #expect(left?.reason == "noRequest", "The account has left since.")
  }

  @Test func `the default zone cannot be shared`() {
    let zone = StoredZone(
      key: 1, id: ZoneID(owner: ada, name: .standard), title: "", incarnation: Incarnation(1),
      head: .zero, expiredThrough: .zero, isDeleted: false)
    let share = StoredShare(
      zone: zone, owner: ShareWorld.account(ada), publicPermission: nil)
    let planner = SharePlanner(of: identity, at: now, gathered: ShareRows(share: share))
    let form = ShareForm(publicPermission: .none, link: ShareWorld.form)
    let error = #expect(throws: RecordsError.self) {
      _ = try planner.plan(.create(zone.id, form))
    }
    #expect(error?.code == .invalidArguments)
  }

  @Test func `a revoked device is refused`() {
    let planner = SharePlanner(
      of: identity, at: now, gathered: ShareRows(isRevoked: true, share: nil))
    let error = #expect(throws: RecordsError.self) { _ = try planner.plan(.fetch(Self.zone)) }
    #expect(error?.code == .notAuthenticated)
  }
}
