// A contact as a text for an editor: YAML with some explanations. Common fields are always present, others
// only if they are not empty. ContactDocument reads the text and ignores comments.

import AgentAPI
import Contacts

/// Writes a contact for an editor.
struct ContactTemplate {
  /// The contact from the agent; an empty object for a new one.
  let contact: FormValue

  private static let names: [ContactText] = [
    .namePrefix, .firstName, .middleName, .lastName, .nameSuffix, .nickname, .company, .title,
  ]
  private static let usualLists: [ContactList] = [.phones, .emails, .addresses, .urls]
  /// Properties of an entry that are always present; others, mostly from cards, are shown if they are not
  /// empty.
  private static let alwaysOfEntry: [ContactList: [EntryText]] = [
    .addresses: [.label, .street1, .street2, .city, .state, .zipcode, .country]
  ]

  /// The text.
  var text: String {
    var writer = TemplateWriter()
    writer.comment(
      "Only lines that begin with “#” are ignored. To save the contact, save the text and quit")
    writer.comment("the editor. To cancel, change nothing or delete the text.")
    for property in Self.names { write(property, to: &writer) }
    for list in Self.usualLists { write(list, to: &writer) }
    let isEmergency = contact[.emergency] == .flag(true)
    writer.line(ContactItem.Key.emergency.name, isEmergency ? "yes" : "no")
    write(.birthday, to: &writer)
    writeWords(.categories, to: &writer)
    writer.comment(
      "For a note of several lines, write “|” after “note:” and indent the lines below.")
    write(.note, to: &writer)
    for property in ContactText.allCases where !isUsual(property) && says(property.rawValue) {
      write(property, to: &writer)
    }
    if says(ContactItem.Key.departments.name) { writeWords(.departments, to: &writer) }
    for list in ContactList.allCases
    where !Self.usualLists.contains(list) && list != .other && says(list.rawValue) {
      write(list, to: &writer)
    }
    let kept = contact[.other]?.items.compactMap { $0[.propertyName]?.text } ?? []
    if !kept.isEmpty {
      writer.comment("Kept unchanged: \(kept.joined(separator: ", ")).")
    }
    return writer.text
  }

  private func isUsual(_ property: ContactText) -> Bool {
    Self.names.contains(property) || property == .birthday || property == .note
      || property == .uid
  }

  private func says(_ name: String) -> Bool { contact[name].map { !$0.isEmpty } ?? false }

  private func write(_ property: ContactText, to writer: inout TemplateWriter) {
    writer.line(property.rawValue, contact[property.rawValue]?.text ?? "")
  }

  private func writeWords(_ key: ContactItem.Key, to writer: inout TemplateWriter) {
    writer.words(key.name, contact[key]?.items.compactMap(\.text) ?? [])
  }

  private func write(_ list: ContactList, to writer: inout TemplateWriter) {
    let entries = contact[list.rawValue]?.items ?? []
    guard !entries.isEmpty else {
      writer.line(list.rawValue, "")
      let shown = shownProperties(of: list, in: nil)
      for (index, property) in shown.enumerated() {
        writer.comment("\(index == 0 ? "- " : "  ")\(property.rawValue):", indent: "  ")
      }
      return
    }
    writer.heading(list.rawValue)
    for entry in entries {
      var isFirst = true
      for property in shownProperties(of: list, in: entry) {
        writer.entryLine(property.rawValue, entry[property.rawValue], isFirst: isFirst)
        isFirst = false
      }
      writer.entryLine(ContactItem.Key.id.name, entry[.id], isFirst: isFirst)
    }
  }

  private func shownProperties(of list: ContactList, in entry: FormValue?) -> [EntryText] {
    let always = Self.alwaysOfEntry[list] ?? [.label, .value]
    let rest = list.properties.filter { property in
      !always.contains(property) && !(entry?[property.rawValue]?.isEmpty ?? true)
    }
    return always + rest
  }
}
