// `home=+1 555 0100` on the command line. A label ends at the first separator only if the rest is plausible
// as a value, so that an e-mail address with `=` in it needs no quoting. `home: +1 555 0100` is accepted too. A
// colon has other uses, in URIs, times and IPv6 addresses, so it ends a label only after words without digits, or
// before a blank.

import Records

/// The kind of value of an argument.
enum LabeledKind: Sendable {
  case phone, email, url

  /// Whether `text` is plausible as such a value.
  func makesSense(_ text: Substring) -> Bool {
    switch self {
    case .phone: text.contains { $0.isWholeNumber }
    case .email: text.contains("@")
    case .url: text.contains { $0 == "." || $0 == ":" }
    }
  }

  /// The name of the value in an error message.
  var noun: String {
    switch self {
    case .phone: "a phone number"
    case .email: "an e-mail address"
    case .url: "a web address"
    }
  }
}

/// A value with or without a label.
struct LabeledArgument: Equatable, Sendable {
  /// The label; `nil` if none was given.
  let label: String?
  /// The value.
  let value: String

  /// Parses `[LABEL=]VALUE`, or with another separator.
  init(_ text: String, kind: LabeledKind, separator: Character = "=") {
    if let end = text.firstIndex(of: separator) {
      let rest = text[text.index(after: end)...]
      if kind.makesSense(rest) {
        label = String(text[..<end])
        value = String(rest)
        return
      }
    }
    label = nil
    value = text
  }

  /// Parses the new value of an entry, `[LABEL:]VALUE`. A web address has colons, so its label ends at a `=`.
  init(newValue text: String, kind: LabeledKind) {
    if kind == .url {
      self = Self.webAddress(text)
    } else {
      self.init(text, kind: kind, separator: ":")
    }
  }

  /// Parses `[LABEL=]VALUE`, or `LABEL:VALUE` where the colon cannot mean anything else.
  /// - Throws: A usage error if the text has a label and a colon, but no value of the kind after it.
  init(typed text: String, kind: LabeledKind, flag: String) throws(ControlFailure) {
    guard kind != .url else {
      self = Self.webAddress(text)
      return
    }
    guard !Self.isURI(text) else {
      self.init(value: text)
      return
    }
    let labeled = Self(text, kind: kind)
    guard labeled.label == nil, let colon = text.firstIndex(of: ":"),
      Self.isLabel(text[..<colon], before: text[text.index(after: colon)...])
    else {
      self = labeled
      return
    }
    let rest = text[text.index(after: colon)...].drop(while: \.isWhitespace)
    guard kind.makesSense(rest), !rest.contains(":") else {
      throw .usage(
        "\(flag): “\(PlainText.clean(String(rest)))” is not \(kind.noun). "
          + "Use the form LABEL=VALUE, or only the value.")
    }
    self.init(label: String(text[..<colon]), value: String(rest))
  }

  private init(label: String? = nil, value: String) {
    self.label = label
    self.value = value
  }

  /// Parses `[LABEL=]ADDRESS` or `LABEL: ADDRESS`. Web addresses contain `=` and colons: a label has none of the
  /// signs that separate the parts of an address, and after a colon without a blank there is a whole address.
  private static func webAddress(_ text: String) -> Self {
    guard let end = text.firstIndex(where: { "=:/?#.".contains($0) }), "=:".contains(text[end])
    else { return Self(value: text) }
    let rest = text[text.index(after: end)...]
    let address = rest.drop(while: \.isWhitespace)
    let isWhole = address.contains("://") || address.hasPrefix("www.")
    let isSeparator = text[end] == "=" || isWhole || address.startIndex > rest.startIndex
    guard isSeparator, LabeledKind.url.makesSense(address), !address.hasPrefix("//") else {
      return Self(value: text)
    }
    return Self(label: String(text[..<end]), value: String(address))
  }

  /// The schemes of URIs in which phone numbers and e-mail addresses are written.
  static let schemes: Set = [
    "tel", "sip", "sips", "sms", "mms", "callto", "mailto", "xmpp", "skype", "im", "facetime",
    "http", "https", "urn", "data",
  ]

  /// Whether `text` is a URI with a known scheme. A URI has no blank after its scheme, but `sms: 555` does.
  private static func isURI(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"),
      schemes.contains(text[..<colon].lowercased()),
      let next = text[text.index(after: colon)...].first
    else { return false }
    return !next.isWhitespace
  }

  /// Whether `text` before a colon is a label: words without digits, such as “summer house”, or before a blank
  /// any words, such as “fax 2”.
  private static func isLabel(_ text: Substring, before rest: Substring) -> Bool {
    if rest.first?.isWhitespace == true, !text.contains("@"), text.contains(where: \.isLetter) {
      return true
    }
    guard text.first(where: { !$0.isWhitespace })?.isLetter == true else { return false }
    return text.allSatisfy { $0.isLetter || $0.isWhitespace || "-'’_&/.".contains($0) }
  }
}

/// `ENTRY=…`: an entry by the beginning of its id, and its new value.
struct EntryArgument: Sendable {
  /// The text before the first `=`.
  let entry: String
  /// The text after it.
  let rest: String

  /// Parses `ENTRY=REST`.
  init(_ text: String, flag: String) throws(ControlFailure) {
    guard let end = text.firstIndex(of: "="), end != text.startIndex else {
      throw .usage("\(flag) needs the form ENTRY=VALUE, not “\(PlainText.clean(text))”.")
    }
    entry = String(text[..<end]).lowercased()
    rest = String(text[text.index(after: end)...])
  }
}
