import Records
import Testing

@Suite("B2 parts of messages")
struct MessagePartsTests {
  private let zone = ZoneID(owner: AccountID(5), name: ZoneName(6))

  @Test func `a request about a zone names it, and one about a link does not`() {
    let secret = ShareSecret(1)
    let link = LinkForm(digest: [])
    let about: [SharingRequest] = [
      .create(zone, ShareForm(publicPermission: .none, link: link)), .fetch(zone),
      .setPublicPermission(zone, .readOnly), .renewLink(zone, link), .revokeLink(zone),
      .invite(zone, name: "a", .readOnly),
      .setParticipant(zone, AccountID(1), .readOnly, isAdministrator: false),
      .removeParticipant(zone, AccountID(1)), .stop(zone), .leave(zone),
      .answerRequest(zone, AccountID(1), .deny),
    ]
    #expect(about.allSatisfy { $0.zone == zone })
    let linked: [SharingRequest] = [
      .preview(secret), .accept(secret), .requestAccess(secret), .decline(secret),
    ]
    #expect(linked.allSatisfy { $0.zone == nil })
  }

  @Test func `a subscription names its zone unless it covers the database`() {
    let predicate = PredicateText("TRUEPREDICATE")
    func zone(_ kind: SubscriptionForm.Kind) -> ZoneID? {
      SubscriptionForm(id: SubscriptionID(stored: "s"), kind: kind).zone
    }
    #expect(
      zone(.query(type: RecordType(stored: "Contact"), predicate: predicate, zone: self.zone))
        == self.zone)
    #expect(
      zone(.query(type: RecordType(stored: "Contact"), predicate: predicate, zone: nil)) == nil)
    #expect(zone(.zone(self.zone, type: nil)) == self.zone)
    #expect(zone(.database(type: RecordType(stored: "Contact"))) == nil)
  }

  @Test func `a subscription matches every kind of change, of others, until it is deleted`() {
    let form = SubscriptionForm(id: SubscriptionID(stored: "s"), kind: .database(type: nil))
    #expect(form.options == [.creation, .update, .deletion])
    #expect(form.options.rawValue == 7)
    #expect(!form.firesOnce && !form.includesOwnChanges && form.device == nil)
    #expect(form.database == .private)
    #expect(!form.notification.raisesBadge && !form.notification.isContentAvailable)
  }

  @Test func `a name stands in for a display name that is not set`() {
    let account = AccountID(1)
    let participant = Participant(
      account: account, name: "ada", role: .member, permission: .readOnly, status: .accepted)
    let request = AccessRequest(
      account: account, name: "ada", asked: Timestamp(microseconds: 0), standing: .waiting)
    let preview = SharePreview(
      zone: zone, title: "", ownerName: "ada", permission: .none, recordCount: 0,
      isAccepted: false)
    #expect(
      [participant.displayName, request.displayName, preview.ownerDisplayName] == [
        "ada", "ada", "ada",
      ])
    let named = AccessRequest(
      account: account, name: "ada", displayName: "Ada", asked: Timestamp(microseconds: 0),
      standing: .waiting)
    #expect(named.displayName == "Ada" && named.name == "ada")
  }

  @Test func `a page of the directory is about devices only if it has no zones and subscriptions`()
  {
    let entry = DirectoryEntry(
      revision: Revision(1), zone: zone, title: "", role: .owner, isWritable: true,
      incarnation: Incarnation(2), isDeleted: false)
    let state = SubscriptionState(id: SubscriptionID(stored: "s"), form: nil)
    func page(_ entries: [DirectoryEntry], _ states: [SubscriptionState]) -> DirectoryPage {
      DirectoryPage(from: .zero, to: Revision(1), entries: entries, subscriptions: states)
    }
    #expect(page([], []).isAboutDevicesOnly)
    #expect(!page([entry], []).isAboutDevicesOnly)
    #expect(!page([], [state]).isAboutDevicesOnly)
  }

  @Test func `the next chunk begins where one ends, also in a slice of a buffer`() throws {
    let digest = try #require(AssetDigest(bytes: [UInt8](repeating: 1, count: 32)))
    let buffer = [UInt8](repeating: 2, count: 100)
    #expect(AssetPiece(digest: digest, offset: 40, content: buffer[90...]).end == 50)
    #expect(AssetPiece(digest: digest, offset: 40, content: []).end == 40)
    #expect(AssetFetch(zone: zone, digest: digest, offset: 0).byteCount == Limits.assetPieceBytes)
  }

  @Test func `a program prints its name and version`() {
    #expect(ProgramVersion.line(of: "contactsd") == "contactsd \(ProgramVersion.text)")
    let parts = ProgramVersion.text.split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3 && parts.allSatisfy { Int($0) != nil })
  }

  @Test func `what is sent in one frame fits into it`() {
    #expect(Limits.requestBytes + Limits.assetPieceBytes < Limits.frameBytes)
    #expect(Limits.recordBytes < Limits.requestBytes)
    #expect(Limits.subscriptionBytesPerAccount < Limits.frameBytes)
    #expect(Limits.assetPieceBytesMinimum <= Limits.assetPieceBytes)
    #expect(Limits.subscriptionBytes < Limits.subscriptionBytesPerAccount)
    #expect(Limits.zonesPerAccount <= Limits.zonesPerSession)
    #expect(Limits.zonesPerAccount < Limits.zonesNamedPerAccount)
    #expect(Limits.unacknowledgedNotifications < Limits.waitingNotifications)
    #expect(ProtocolVersion.oldest <= ProtocolVersion.newest)
    let (_, overflow) = Limits.numberMaximum.addingReportingOverflow(Limits.numberMaximum - 1)
    #expect(!overflow)
  }
}
