// A contact as JSON in the shape of the agent's API, for moving a whole address book: pictures are included
// in base-64. Members that another program omitted are absent.

import Contacts
import Records

/// Conversion between contacts and JSON.
package enum ContactNode {
  /// Returns `contact` as JSON.
  /// - Parameters:
  ///   - group: The title of its group; empty for the default group.
  ///   - modified: When the contact was last changed.
  ///   - bytes: Returns the bytes of a picture or sound; `nil` if they are unavailable.
  package static func node(
    _ contact: Contact, group: String = "", modified: Timestamp? = nil,
    bytes: (ContactMedia) -> [UInt8]?
  ) -> JSONNode {
    let draft = ContactDraft(contact)
    var members = [member("id", .string(contact.id.text))]
    if !group.isEmpty { members.append(member(groupTitle, .string(group))) }
    if let modified { members.append(member("modified", .string(modified.description))) }
    for text in ContactText.allCases where !draft[text].isEmpty {
      members.append(member(text.rawValue, .string(draft[text])))
    }
    for list in ContactList.allCases {
      let entries = draft[list].filter { list != .other || !CardRevision.isRevision($0[.name]) }
      guard !entries.isEmpty else { continue }
      members.append(
        member(list.rawValue, .array(entries.map { node($0, in: list, bytes) })))
    }
    if !draft.departments.isEmpty {
      members.append(member("departments", strings(draft.departments)))
    }
    if !draft.categories.isEmpty { members.append(member("categories", strings(draft.categories))) }
    if draft.isEmergency { members.append(member("emergency", .boolean(true))) }
    if let photo = draft.photo, let content = bytes(photo.media) {
      members.append(
        member(
          "photo",
          .object([
            member("mediaType", .string(photo.mediaType)),
            member("data", .string(Base64.encode(content))),
          ])))
    }
    return .object(members)
  }

  /// Returns the contact in `node`; `nil` if it is not one.
  static func contact(_ node: JSONNode, line: Int) -> ImportedContact? {
    guard case .object(let members) = node else { return nil }
    var reader = ContactNodeReader(line: line, metadata: metadata)
    for member in members { reader.read(member) }
    var (draft, findings) = (reader.draft, reader.findings)
    if case .inline(let bytes) = draft.photo?.media, let oddity = CardMedia.oddity(of: bytes) {
      findings.append(CardFinding(line: line, property: "photo", outcome: .kept, oddity))
    }
    if draft == ContactDraft() {
      findings.append(
        CardFinding(line: line, outcome: .failed, "The item is empty."))
    }
    // An agent identifies a contact that was created there by its record.
    if draft[.uid].isEmpty { draft[.uid] = node["id"]?.text ?? "" }
    var content = Fingerprint()
    var bytes: [UInt8] = []
    JSONNode.object(members.filter { $0.key != groupTitle }).write(to: &bytes)
    content.add(bytes)
    var contact = ImportedContact(
      line: line, draft: draft, content: content,
      findings: Array(findings.prefix(CardLimits.findingsPerCard)))
    contact.groupTitle = node[groupTitle]?.text?.trimmingBlanks() ?? ""
    return contact
  }

  /// Members that describe a contact without being part of it.
  private static let metadata: Set = [
    "schema", "id", "sortName", "sectionKey", "sortIndex", "group", groupTitle, "created",
    "modified", "modifiedBy", "synced",
  ]

  /// The member for the title of the group. In the agent's API `group` is an id, which other accounts do not have.
  private static let groupTitle = "groupTitle"

  private static func node(
    _ entry: ContactDraft.DraftEntry, in list: ContactList, _ bytes: (ContactMedia) -> [UInt8]?
  ) -> JSONNode {
    var members = list.properties.filter { !entry[$0].isEmpty }.map { property in
      switch property {
      case .kinds:
        member("kinds", strings(entry[property].split(separator: ",").map { String($0) }))
      case .preference: member("preference", .number(entry[property]))
      default: member(property.rawValue, .string(entry[property]))
      }
    }
    if let content = entry.content.flatMap(bytes) {
      members.append(
        member("content", .object([member("data", .string(Base64.encode(content)))])))
    }
    return .object(members)
  }

  private static func strings(_ texts: [String]) -> JSONNode {
    .array(texts.map { .string($0) })
  }

  private static func member(_ key: String, _ value: JSONNode) -> JSONNode.Member {
    JSONNode.Member(key: key, value: value)
  }
}
