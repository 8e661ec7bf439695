// The agent's responses about shares, as subcommands print them.

import AgentAPI
import Records

extension ParticipantItem {
  /// The columns of a list.
  var row: [String] {
    let news = upToDate.map { $0 ? "up to date" : "catching up" } ?? ""
    return [name, role, SharePermissionWord.shown(permission), status, news]
  }
}

extension AccessRequestItem {
  /// The columns of a list.
  var row: [String] { [name, standing, asked.description] }
}

extension PreviewView {
  /// The owner's name for people.
  var ownerShown: String { ownerDisplayName ?? owner }

  /// The preview in one line.
  var sentence: String {
    let count = Quantity.text(contacts, "contact")
    let access = permission == "readWrite" ? "read and write" : "read-only"
    return "“\(title)”, a group of \(ownerShown): \(count), \(access)."
  }
}

/// Names of permissions: the agent's in JSON, shorter ones for people.
enum SharePermissionWord {
  /// Returns the name for people.
  static func shown(_ word: String) -> String {
    switch word {
    case "readOnly": "read"
    case "readWrite": "write"
    default: word
    }
  }
}
