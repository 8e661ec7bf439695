@testable import AgentAPI

/// Keys that older agents do not send, so that clients decode them as optional. The present agent always sends a value.
enum OlderAgents {
  /// Returns the keys of a type that only an older agent leaves out.
  static func missingKeys(of type: any Decodable.Type) -> [String] {
    switch type {
    case is CheckView.Type: ["lostFiles"]
    case is WhoamiView.Account.Type: ["discoverability", "status"]
    case is GroupItem.Type, is SingleView<GroupItem>.Type:
      ["owner", "ownerDisplayName", "shared", "contacts"]
    case is ContactItem.Type, is SingleView<ContactItem>.Type: ["version"]
    case is ConflictItem.Type, is SingleView<ConflictItem>.Type, is ResolvedView.Type:
      ["mineBy", "theirsBy", "shown"]
    case is StatusView.Type:
      [
        "syncing", "contacts", "drafts", "badge", "lastEvent", "accountStatus", "accountSentence",
        "device",
        "version", "edits", "brokerAnswer",
      ]
    case is InvitationView.Type: ["expires", "seconds"]
    case is PreviewView.Type: ["ownerDisplayName"]
    case is PostItem.Type, is SinglePostView.Type, is CommentItem.Type,
      is SingleView<CommentItem>.Type:
      ["authorName"]
    case is ResetView.Type: ["missedThrough", "reason"]
    case is ErrorView.Content.Type: ["hint"]
    default: []
    }
  }
}
