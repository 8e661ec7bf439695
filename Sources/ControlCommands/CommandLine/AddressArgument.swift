// `home:street1=12Main,city=Austin` on the command line. A comma ends a part only if another part follows, so
// that “Main Street 12, back yard” needs no quoting. A word and a “=” after a comma are meant as a part, also if no part
// has that name: as a text they would become the end of another part. The error suggests the most similar name.

import AgentAPI
import Contacts
import Records

/// A postal address with or without a label.
struct AddressArgument: Equatable, Sendable {
  /// The label; `nil` if none was given.
  let label: String?
  /// The given parts, by their names in a contact.
  let parts: [String: String]

  private static let names = [
    EntryText.street1, .street2, .city, .state, .zipcode, .country, .countryCode, .poBox,
  ].map(\.rawValue)
  private static let aliases = [
    "street": EntryText.street1.rawValue, "zip": EntryText.zipcode.rawValue,
    "postcode": EntryText.zipcode.rawValue,
  ]

  /// Parses `[LABEL:]street1=…,street2=…,city=…,state=…,zipcode=…,country=…`.
  init(_ text: String, flag: String) throws(ControlFailure) {
    var rest = text[...]
    if let colon = text.firstIndex(of: ":"),
      text.firstIndex(of: "=").map({ colon < $0 }) ?? true
    {
      label = String(text[..<colon])
      rest = text[text.index(after: colon)...]
    } else {
      label = nil
    }
    var parts: [String: String] = [:]
    var current: String?
    for piece in rest.split(separator: ",", omittingEmptySubsequences: false) {
      if let (name, value) = try Self.part(piece, isFirst: current == nil, flag: flag) {
        guard parts.updateValue(value, forKey: name) == nil else {
          throw .usage("\(flag) sets “\(name)” twice.")
        }
        current = name
      } else if let current {
        parts[current, default: ""] += "," + piece
      }
    }
    self.parts = parts
  }

  /// The address as an entry.
  var entry: [String: FormValue] {
    var entry = parts.mapValues { FormValue.text($0) }
    if let label { entry[.label] = .text(label) }
    return entry
  }

  private static func part(
    _ piece: Substring, isFirst: Bool, flag: String
  ) throws(ControlFailure) -> (name: String, value: String)? {
    let shown = PlainText.clean(String(piece))
    guard let end = piece.firstIndex(of: "=") else {
      guard isFirst else { return nil }
      throw .usage(
        "\(flag) needs the form LABEL:street1=…,city=…,state=…,zipcode=…; “\(shown)” has no “=”.")
    }
    let typed = piece[..<end].trimmingBlanks()
    let name = aliases[typed.lowercased()] ?? names.first { $0.lowercased() == typed.lowercased() }
    if let name { return (name, String(piece[piece.index(after: end)...])) }
    let near = WordCheck.nearest(to: typed, among: names)
    let isWord =
      !typed.isEmpty && typed.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
    guard isFirst || isWord || near != nil else { return nil }
    throw .usage(
      "“\(PlainText.clean(typed))” is not a field of an address."
        + (near.map { " Did you mean “\($0)”?" } ?? " Fields: \(names.joined(separator: ", ")).")
    )
  }
}
