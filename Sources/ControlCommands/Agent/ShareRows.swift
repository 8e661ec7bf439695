// The agent's responses about shares, as subcommands print them.

import AgentAPI
import Records

extension ParticipantItem {
  /// Returns the columns of a list.
  func row(in style: Printer.Style) -> [String] {
    let news = upToDate.map { $0 ? "up to date" : "catching up" } ?? ""
    let person = PersonName.shown(displayName, account: name, in: style)
    return [person, role, SharePermissionWord.shown(permission), status, news]
  }
}

extension AccessRequestItem {
  /// Returns the columns of a list.
  func row(in style: Printer.Style) -> [String] {
    [PersonName.shown(displayName, account: name, in: style), standing, asked.description]
  }
}

extension ShareView {
  /// Returns the sentence after an invitation of this account.
  func outcome(ofInviting name: String, as wanted: String?) -> String {
    guard let known = participants.first(where: { $0.name == name }), known.status == "accepted"
    else { return "Invited \(name) to “\(title)”." }
    let permission = SharePermissionWord.shown(known.permission)
    let sentence = "\(name) already takes part in “\(title)”, with the permission “\(permission)”"
    guard let wanted, wanted != known.permission else { return "\(sentence)." }
    let flag = SharePermissionWord.shown(wanted)
    return "\(sentence), which an invitation does not change. "
      + "To change it: contactsctl participants GROUP set \(name) --\(flag)"
  }
}

extension PreviewView {
  /// The preview in one line.
  var sentence: String {
    let count = Quantity.text(contacts, "contact")
    let access = permission == "readWrite" ? "read and write" : "read-only"
    return "“\(title)”, a group of \(ownerDisplayName): \(count), \(access)."
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
