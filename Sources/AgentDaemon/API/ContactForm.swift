// A contact as a client sends it. A key this version does not know is refused, so that a mistyped
// one does not look saved; what is only told (times, order) may come back and is passed over.

import Contacts
import Foundation
import Records

/// The body of `POST`, `PUT` and `PATCH` on contacts.
struct ContactForm: Decodable, Sendable {
  /// One phone or e-mail.
  struct Entry: Decodable, Sendable {
    /// The entry it is about; `nil` for a new one.
    let id: EntryID?
    let label: String?
    let value: String?
    /// Whether the entry is to go.
    let isRemoved: Bool

    private enum CodingKeys: String, CodingKey {
      case id, label, value
      case isRemoved = "removed"
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      label = try container.decodeIfPresent(String.self, forKey: .label)
      value = try container.decodeIfPresent(String.self, forKey: .value)
      isRemoved = try container.decodeIfPresent(Bool.self, forKey: .isRemoved) ?? false
      id = try container.decodeIfPresent(String.self, forKey: .id).map { text in
        guard let id = EntryID(text) else {
          throw RecordsError.invalid("“\(text.prefix(40))” is not the id of an entry.", field: "id")
        }
        return id
      }
    }
  }

  /// `nil` where the key is absent; empty where it is `null`.
  let firstName: String?
  let lastName: String?
  let company: String?
  let group: String?
  let phones: [Entry]?
  let emails: [Entry]?

  private static let told: Set = [
    "schema", "id", "sortName", "sectionKey", "sortIndex", "addresses", "emergency", "note",
    "birthday", "photo", "other", "created", "modified", "modifiedBy", "synced",
  ]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONKey.self)
    let read: Set = ["firstName", "lastName", "company", "group", "phones", "emails"]
    for key in container.allKeys where !read.contains(key.stringValue) {
      guard Self.told.contains(key.stringValue) else {
        let shown = key.stringValue.prefix(40)
        throw RecordsError.invalid("A contact has no property “\(shown)”.", field: "\(shown)")
      }
    }
    func text(_ key: JSONKey) throws -> String? {
      guard container.contains(key) else { return nil }
      return try container.decodeIfPresent(String.self, forKey: key) ?? ""
    }
    firstName = try text("firstName")
    lastName = try text("lastName")
    company = try text("company")
    group = try container.decodeIfPresent(String.self, forKey: "group")
    phones = try container.decodeIfPresent([Entry].self, forKey: "phones")
    emails = try container.decodeIfPresent([Entry].self, forKey: "emails")
  }

  /// The form as changes to a contact: what it does not name stays.
  /// - Throws: `invalidArguments` when a new entry has no value.
  func edit() throws(RecordsError) -> ContactEdit {
    ContactEdit(
      firstName: firstName, lastName: lastName, company: company,
      phones: try Self.edits(phones ?? [], field: "phones"),
      emails: try Self.edits(emails ?? [], field: "emails"))
  }

  /// The form as a whole contact: what it does not name is empty.
  func draft() -> ContactDraft {
    func entries(_ list: [Entry]?) -> [ContactDraft.DraftEntry] {
      (list ?? []).filter { !$0.isRemoved }.map {
        ContactDraft.DraftEntry(id: $0.id, label: $0.label ?? "", value: $0.value ?? "")
      }
    }
    return ContactDraft(
      firstName: firstName ?? "", lastName: lastName ?? "", company: company ?? "",
      phones: entries(phones), emails: entries(emails))
  }

  private static func edits(
    _ entries: [Entry], field: String
  ) throws(RecordsError) -> [ContactEdit.EntryEdit] {
    var edits: [ContactEdit.EntryEdit] = []
    for entry in entries {
      switch (entry.id, entry.value) {
      case (.some(let id), _) where entry.isRemoved: edits.append(.remove(id))
      case (.some(let id), _): edits.append(.change(id, label: entry.label, value: entry.value))
      case (.none, .some(let value)):
        edits.append(.add(label: entry.label ?? "", value: value))
      case (.none, .none):
        throw .invalid("A new entry of \(field) needs a value.", field: field)
      }
    }
    return edits
  }
}

/// A key of any name.
struct JSONKey: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringLiteral text: String) { stringValue = text }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}

/// The body of `POST` and `PATCH` on groups.
struct GroupForm: Decodable, Sendable {
  let title: String
}

/// The body of `POST` on a conflict.
struct ResolutionForm: Decodable, Sendable {
  /// `mine`, `theirs` or `both`.
  let keep: String
}

/// The body of `POST /v1/sync`.
struct SyncForm: Decodable, Sendable {
  /// How long to wait; `nil` does not wait.
  let waitSeconds: Double?
  /// `accept` or `refuse` what the guard holds; `nil` leaves it.
  let deletions: String?
}
