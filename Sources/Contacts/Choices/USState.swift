// The states a US address can lie in, as its postal service knows them: the fifty, the District of
// Columbia, the territories and the three regions of the armed forces. Pickers show the full name;
// a contact keeps the two letters (V5). Foreign addresses never come here.

/// A state of a US address.
package struct USState: Hashable, Sendable {
  /// The full name: `Texas`.
  package let name: String
  /// The two letters that letters are addressed with: `TX`.
  package let abbreviation: String

  /// All of them: states and the district by name, then territories, then the armed forces.
  package static let all: [USState] = table.split(separator: "\n").map { line in
    USState(name: String(line.dropLast(3)), abbreviation: String(line.suffix(2)))
  }

  /// The state that `text` names, by its full name or its abbreviation, in any case and with any
  /// blanks around and between its words; `nil` when it names none.
  package init?(named text: String) {
    let key = Self.key(text)
    guard let state = Self.byKey[key] else { return nil }
    self = state
  }

  /// What a contact keeps of a state that was typed: the abbreviation where `country` is the United
  /// States or not given, else the text as it is.
  package static func stored(_ typed: String, country: String) -> String {
    let land = key(country)
    guard land.isEmpty || landNames.contains(land), let state = USState(named: typed) else {
      return typed
    }
    return state.abbreviation
  }

  private init(name: String, abbreviation: String) {
    self.name = name
    self.abbreviation = abbreviation
  }

  private static let landNames: Set = [
    "us", "usa", "u.s.", "u.s.a.", "united states", "united states of america", "america",
  ]

  private static let byKey: [String: USState] = {
    var states: [String: USState] = [:]
    for state in all {
      states[key(state.name)] = state
      states[key(state.abbreviation)] = state
    }
    for (other, abbreviation) in [("Virgin Islands", "VI"), ("U.S. Virgin Islands", "VI")] {
      states[key(other)] = states[key(abbreviation)]
    }
    return states
  }()

  private static func key(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
  }

  private static let table = """
    Alabama AL
    Alaska AK
    Arizona AZ
    Arkansas AR
    California CA
    Colorado CO
    Connecticut CT
    Delaware DE
    District of Columbia DC
    Florida FL
    Georgia GA
    Hawaii HI
    Idaho ID
    Illinois IL
    Indiana IN
    Iowa IA
    Kansas KS
    Kentucky KY
    Louisiana LA
    Maine ME
    Maryland MD
    Massachusetts MA
    Michigan MI
    Minnesota MN
    Mississippi MS
    Missouri MO
    Montana MT
    Nebraska NE
    Nevada NV
    New Hampshire NH
    New Jersey NJ
    New Mexico NM
    New York NY
    North Carolina NC
    North Dakota ND
    Ohio OH
    Oklahoma OK
    Oregon OR
    Pennsylvania PA
    Rhode Island RI
    South Carolina SC
    South Dakota SD
    Tennessee TN
    Texas TX
    Utah UT
    Vermont VT
    Virginia VA
    Washington WA
    West Virginia WV
    Wisconsin WI
    Wyoming WY
    American Samoa AS
    Guam GU
    Northern Mariana Islands MP
    Puerto Rico PR
    US Virgin Islands VI
    Armed Forces Americas AA
    Armed Forces Europe AE
    Armed Forces Pacific AP
    """
}
