import Testing

@testable import AgentAPI

@Suite("paths of the agent")
struct AgentPathTests {
  /// The paths that name no single item.
  private static let lists: [AgentPath] = [
    .status, .check, .sync, .settings, .permissions, .devices, .whoami, .signIn, .signOut,
    .invitation, .deviceInvitation, .accounts, .contacts, .sections, .duplicates, .contactImport,
    .contactExport, .trash, .actions, .undo, .refused, .conflicts, .groups, .sharePreview,
    .shareAcceptance, .shareRequest, .shareRefusal, .events, .allEvents, .subscriptions,
    .notifications, .notificationEvents, .seenNotifications, .posts, .comments, .timeline,
    .timelineSync, .webOpen, .cardDAV, .appPasswords, .drafts,
  ]
  /// The patterns of the paths of items, each with the path of the item “x”.
  private static let items: [(pattern: AgentPath, path: AgentPath)] = [
    (.setting(), .setting("x")), (.permission(), .permission("x")), (.device(), .device("x")),
    (.contact(), .contact("x")), (.photo(), .photo(ofContact: "x")),
    (.merge(), .merge(intoContact: "x")), (.history(), .history(ofContact: "x")),
    (.restore(), .restore(fromTrash: "x")), (.refusedEdit(), .refusedEdit("x")),
    (.conflict(), .conflict("x")), (.group(), .group("x")),
    (.restoredGroup(), .restoredGroup("x")),
    (.contacts(), .contacts(ofGroup: "x")), (.share(), .share(ofGroup: "x")),
    (.link(), .link(ofGroup: "x")), (.leave(), .leave(group: "x")),
    (.participants(), .participants(ofGroup: "x")),
    (.participant(), .participant("y", ofGroup: "x")), (.requests(), .requests(forGroup: "x")),
    (.request(), .request(of: "y", forGroup: "x")), (.subscription(), .subscription("x")),
    (.post(), .post("x")), (.postPhoto(), .postPhoto("x")), (.postComments(), .postComments("x")),
    (.follow(), .follow(post: "x")), (.comment(), .comment("x")),
    (.appPassword(), .appPassword("x")), (.draft(), .draft("x")),
  ]

  @Test func `the pattern of a route has a placeholder where a client's path has an id`() {
    #expect(AgentPath.contacts.pattern == "/v1/contacts")
    #expect(AgentPath.photo().pattern == "/v1/contacts/:id/photo")
    #expect(AgentPath.photo(ofContact: "a").segments == ["contacts", "a", "photo"])
    #expect(AgentPath("contacts") == .contacts)
    for (pattern, path) in Self.items {
      let filled = pattern.segments.map { $0 == ":id" ? "x" : $0 == ":name" ? "y" : $0 }
      #expect(path.segments == filled)
      #expect(pattern.segments.count { $0 == AgentPath.anyID } == 1, "\(pattern.pattern)")
    }
  }

  @Test func `no two paths have the same pattern, and each has an operation`() {
    let patterns = Self.lists.map(\.pattern) + Self.items.map(\.pattern.pattern)
    #expect(Set(patterns).count == patterns.count)
    #expect(Set(patterns) == Set(Operation.all.map(\.path.pattern)))
  }

  @Test func `a path has only lower-case words and the two placeholders`() {
    for path in Self.lists + Self.items.map(\.pattern) {
      for segment in path.segments where ![AgentPath.anyID, AgentPath.anyName].contains(segment) {
        #expect(!segment.isEmpty && segment.allSatisfy { ("a"..."z").contains($0) }, "\(segment)")
      }
    }
  }
}
