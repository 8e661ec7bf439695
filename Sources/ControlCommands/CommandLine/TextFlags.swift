// The flags for the properties of a contact that are one text each. A text may have several lines.

import AgentAPI
import ArgumentParser
import Contacts

/// Flags for a contact's texts, shared by `add` and `edit`.
struct TextFlags: ParsableArguments, Sendable {
  @Option(help: "What comes before the name: “Dr.”.") var prefix: String?
  @Option(help: "First name.") var first: String?
  @Option(help: "Middle name.") var middle: String?
  @Option(help: "Last name.") var last: String?
  @Option(help: "What comes after the name: “Jr.”.") var suffix: String?
  @Option(help: "Nickname.") var nickname: String?
  @Option(help: "Company.") var company: String?
  @Option(help: "The job title.") var title: String?
  @Option(help: "The role in the company.") var role: String?
  @Option(help: ArgumentHelp("The birthday.", valueName: "1984-06-05|--06-05"))
  var birthday: String?
  @Option(help: ArgumentHelp("The anniversary.", valueName: "2010-09-18|--09-18"))
  var anniversary: String?
  @Option(help: "A note. It may have several lines.") var note: String?

  /// The given texts by the names of their properties.
  var texts: [String: FormValue] {
    let all: [ContactText: String?] = [
      .namePrefix: prefix, .firstName: first, .middleName: middle, .lastName: last,
      .nameSuffix: suffix, .nickname: nickname, .company: company, .title: title, .role: role,
      .birthday: birthday, .anniversary: anniversary, .note: note,
    ]
    return Dictionary(
      uniqueKeysWithValues: all.compactMap { text, value in
        value.map { (text.rawValue, .text($0)) }
      })
  }
}
