// Settings of this device that a person can change while the agent runs. A value from the agent's start
// (flag, environment, file) takes precedence, as everywhere. The store keeps the choice; it is not
// synchronized.

import Contacts
import DeviceStore
import Records
import TimelineStore

/// A setting that can be changed.
enum Preference: String, Hashable, Sendable, CaseIterable {
  /// The rules that typed contacts must satisfy.
  case profile
  /// The part of the name that leads in lists.
  case sort
  /// The order of the given and the family name in names that have no display name.
  case nameOrder = "name-order"
  /// The maximum size of timeline photos that are downloaded automatically.
  case photoSize = "photo-size"
  /// The maximum age of timeline photos that are stored.
  case photoAge = "photo-age"
  /// The folder for exported posts.
  case album
  /// The language of the web page.
  case pageLanguage = "page-language"
  /// What the web page sorts lists by.
  case pageSort = "page-sort"
  /// Whether the web page says that a device has never reached a broker.
  case pageBrokerHint = "page-broker-hint"

  /// The settings that can also be given at the start.
  static let startable: [Preference] = [.profile, .sort, .nameOrder]

  /// The allowed values, the default first; empty if any text is allowed.
  var choices: [String] {
    switch self {
    case .profile: ValidationProfile.allCases.map(\.rawValue)
    case .sort: NameOrder.allCases.map(\.rawValue)
    case .nameOrder: NameParts.Order.allCases.map(\.rawValue)
    case .photoSize: PhotoRule.sizes
    case .photoAge: PhotoRule.ages
    case .album: []
    case .pageLanguage: ["browser", "en", "sv"]
    case .pageSort: ["last", "first", "company", "modified"]
    case .pageBrokerHint: ["shown", "hidden"]
    }
  }

  /// Returns the error for an invalid `value`; `nil` if it is valid.
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

  /// A short description.
  var meaning: String {
    switch self {
    case .profile: "the validation rules for contacts entered on this device"
    case .sort: "the name that sorts the list of contacts"
    case .nameOrder: "the order of the given and the family name where a contact has no full name"
    case .photoSize: "the size up to which timeline photos are downloaded automatically"
    case .photoAge: "how long timeline photos stay on this device"
    case .album: "the folder that post export --album writes into"
    case .pageLanguage: "the language of the web page: the browser's, or one of the others"
    case .pageBrokerHint: "whether the web page says that this device has no broker"
    case .pageSort: "what the web page sorts its lists by"
    }
  }
}

/// The settings of this device.
struct Preferences: Sendable {
  /// The origin of a value.
  enum Source: String, Sendable {
    /// Given at the start: a flag, the environment or the file.
    case started
    /// Chosen while the agent ran.
    case chosen
    /// Neither given nor chosen.
    case `default`
  }

  let fixed: [Preference: String]
  let reader: DeviceReader

  /// Returns the value of `preference`.
  func value(_ preference: Preference) throws -> String {
    try choice(preference).value
  }

  /// Returns the order of the parts in composed names.
  func nameOrder() throws -> NameParts.Order {
    NameParts.Order(rawValue: try value(.nameOrder)) ?? .givenFamily
  }

  /// Returns the value of `preference` and its origin. An unknown choice, from another version, is ignored.
  func choice(_ preference: Preference) throws -> (value: String, source: Source) {
    if let value = fixed[preference] { return (value, .started) }
    if let value = try reader.setting(preference.rawValue), preference.refusal(of: value) == nil {
      return (value, .chosen)
    }
    return (preference.choices.first ?? "", .default)
  }
}
