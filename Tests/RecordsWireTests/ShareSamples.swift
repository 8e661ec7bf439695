// Samples of share and account messages.

import Records

extension Samples {
  static let link = LinkForm(digest: Array(0..<32), expires: stamp.time, uses: 3)

  static let secret = ShareSecret(0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF)

  static let sharingRequests: [SharingRequest] =
    [
      .create(group, ShareForm(publicPermission: .readOnly, link: link)),
      .create(
        .standard,
        ShareForm(publicPermission: .none, link: LinkForm(digest: Array(repeating: 0, count: 32)))),
      .fetch(group), .renewLink(group, link), .revokeLink(group), .stop(group), .leave(group),
      .invite(group, name: "bøb", .readWrite),
      .setParticipant(group, account, .readOnly, isAdministrator: true),
      .setParticipant(group, account, .readWrite, isAdministrator: false),
      .removeParticipant(group, account), .preview(secret), .accept(secret),
      .requestAccess(ShareSecret(0)), .decline(secret),
      .answerRequest(group, account, .approve(.readWrite)), .answerRequest(group, account, .deny),
      .answerRequest(group, account, .block),
    ] + SharePermission.allCases.map { .setPublicPermission(group, $0) }

  static let accountRequests: [AccountRequest] = [
    .me, .setDisplayName("Åsa Öberg"), .setDisplayName(""), .setDiscoverable(true),
    .setDiscoverable(false), .look([]), .look([account, AccountID(1)]), .find(name: "bob"),
    .discoverable(after: ""), .discoverable(after: "bob"),
  ]

  static let share = Share(
    zone: group, title: "Familj", publicPermission: .readWrite,
    link: ShareLink(digest: Array(0..<32), standing: .expired, expires: stamp.time, usesLeft: 0),
    participants: DirectoryEntry.Role.allCases.flatMap { role in
      Participant.Status.allCases.map { status in
        Participant(
          account: account, name: "anna", displayName: "Anna A.", role: role,
          permission: .readWrite, status: status,
          isLevel: status == .accepted ? role == .owner : nil)
      }
    },
    requests: AccessRequest.Standing.allCases.map {
      AccessRequest(
        account: AccountID(7), name: "eve", displayName: "Éve", asked: stamp.time, standing: $0)
    })

  static let shareAnswers: [ShareAnswer] =
    [
      .share(share), .done,
      .share(
        Share(
          zone: group, title: "", publicPermission: .none, link: nil, participants: [],
          requests: [])),
      .preview(
        SharePreview(
          zone: group, title: "Familj", ownerName: "anna", ownerDisplayName: "Anna A.",
          permission: .readOnly,
          recordCount: 1200, isAccepted: false)),
    ]
    + ShareLink.Standing.allCases.map { standing in
      .share(
        Share(
          zone: group, title: "Familj", publicPermission: .none,
          link: ShareLink(
            digest: Array(0..<32), standing: standing, expires: nil, usesLeft: nil),
          participants: []))
    }

  static let sharingRequestMessages: [ClientMessage] =
    sharingRequests.map { .share($0) } + accountRequests.map { .account($0) }

  static let sharedMessages: [BrokerMessage] =
    shareAnswers.map { .shared($0) } + [
      .accounts([], isWhole: true),
      .accounts(
        [
          AccountProfile(
            account: account, name: "anna", displayName: "Anna A.", isDiscoverable: true)
        ], isWhole: false),
    ]
}
