// What a person may choose for this device while its agent runs. What the agent was started with
// (flag, environment, file) wins, as everywhere; the choice is kept by the store and stays on this
// device.

import Contacts
import DeviceStore
import Records

/// A setting that can be chosen.
enum Preference: String, Hashable, Sendable, CaseIterable {
  /// The rules that typed contacts must satisfy.
  case profile
  /// What leads the list.
  case sort

  /// The words there are; the first is the default.
  var choices: [String] {
    switch self {
    case .profile: ValidationProfile.allCases.map(\.rawValue)
    case .sort: NameOrder.allCases.map(\.rawValue)
    }
  }

  /// What it decides, in a few words.
  var meaning: String {
    switch self {
    case .profile: "the rules for contacts typed here"
    case .sort: "what leads the list of contacts"
    }
  }
}

/// What is chosen on this device.
struct Preferences: Sendable {
  /// Where a value comes from.
  enum Source: String, Sendable {
    /// What the agent was started with: a flag, the environment or the file.
    case started
    /// A person chose it while the agent ran.
    case chosen
    /// Nobody said anything.
    case `default`
  }

  let fixed: [Preference: String]
  let reader: DeviceReader

  /// The value of `preference`.
  func value(_ preference: Preference) throws -> String {
    try choice(preference).value
  }

  /// The value of `preference` and where it comes from. A choice this version does not know, left
  /// by another one, counts as none.
  func choice(_ preference: Preference) throws -> (value: String, source: Source) {
    if let value = fixed[preference] { return (value, .started) }
    if let value = try reader.setting(preference.rawValue), preference.choices.contains(value) {
      return (value, .chosen)
    }
    return (preference.choices[0], .default)
  }
}
