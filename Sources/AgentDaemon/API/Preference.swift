// What a person may choose for this device while its agent runs. What the agent was started with
// (flag, environment, file) wins, as everywhere; the choice is kept by the store and stays on this
// device.

import Contacts
import DeviceStore
import Records
import TimelineStore

/// A setting that can be chosen.
enum Preference: String, Hashable, Sendable, CaseIterable {
  /// The rules that typed contacts must satisfy.
  case profile
  /// What leads the list.
  case sort
  /// The largest photo of the timeline that is fetched by itself.
  case photoSize = "photo-size"
  /// The age up to which photos of the timeline are kept.
  case photoAge = "photo-age"
  /// The folder that posts are exported into.
  case album

  /// Those an agent may be started with.
  static let startable: [Preference] = [.profile, .sort]

  /// The words there are; the first is the default. None where any text will do.
  var choices: [String] {
    switch self {
    case .profile: ValidationProfile.allCases.map(\.rawValue)
    case .sort: NameOrder.allCases.map(\.rawValue)
    case .photoSize: PhotoRule.sizes
    case .photoAge: PhotoRule.ages
    case .album: []
    }
  }

  /// What is wrong with `value`, if something is.
  func refusal(of value: String) -> RecordsError? {
    guard self == .album else {
      let words = choices.joined(separator: ", ")
      return choices.contains(value)
        ? nil
        : .invalid(
          "Invalid value “\(value.prefix(40))” for “\(rawValue)”: expected one of \(words).",
          field: rawValue)
    }
    let isPath =
      value.hasPrefix("/") && value.utf8.count <= Self.pathBytesMaximum
      && !value.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return isPath
      ? nil : .invalid("“\(rawValue)” must be the absolute path of a folder.", field: rawValue)
  }

  private static let pathBytesMaximum = 4096

  /// What it decides, in a few words.
  var meaning: String {
    switch self {
    case .profile: "the validation rules for contacts entered on this device"
    case .sort: "the name that sorts the list of contacts"
    case .photoSize: "the size up to which timeline photos are downloaded automatically"
    case .photoAge: "how long timeline photos stay on this device"
    case .album: "the folder that post export --album writes into"
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
    if let value = try reader.setting(preference.rawValue), preference.refusal(of: value) == nil {
      return (value, .chosen)
    }
    return (preference.choices.first ?? "", .default)
  }
}
