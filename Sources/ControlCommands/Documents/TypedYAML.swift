// YAML as people type it. In YAML, a “#” after a blank begins a comment, and “&” or “!” before a word is a sign of YAML, so
// a parser drops “#2” of “Main Street 1 #2” without an error. Here only lines that begin with “#” are comments: other
// signs are replaced before the text is parsed and are put back into the values.

/// A text for a YAML parser that keeps every character of a value.
struct TypedYAML: Sendable {
  private static let signs: [Unicode.Scalar] = ["#", "&", "!"]

  /// The text for the parser.
  let text: String
  /// The character that stands for each sign. The text does not contain it otherwise.
  private let substitutes: [Unicode.Scalar: Unicode.Scalar]

  /// Prepares a text that a user typed.
  init(_ typed: String) {
    let substitutes = Self.substitutes(in: typed)
    let lines = typed.unicodeScalars.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" }
    ).map { Line(Array($0)) }
    var result = String.UnicodeScalarView()
    for (index, line) in lines.enumerated() {
      if index > 0 { result.append("\n") }
      let isHeading = line.isHeading(before: lines[(index + 1)...])
      result.append(contentsOf: isHeading ? line.scalars : line.replacingSigns(by: substitutes))
    }
    text = String(result)
    self.substitutes = substitutes
  }

  /// Returns characters for private use that the text contains neither as they are nor as an escape.
  private static func substitutes(in typed: String) -> [Unicode.Scalar: Unicode.Scalar] {
    let used = Set(typed.unicodeScalars)
    // As scalars: a combining mark after an escape makes another character of its last digit.
    let lowercased = typed.lowercased().unicodeScalars
    let free = (UInt32(0xE000)...0xF8FF).lazy.compactMap(Unicode.Scalar.init).filter {
      !used.contains($0) && !lowercased.contains(String($0.value, radix: 16).unicodeScalars)
    }.prefix(signs.count)
    return Dictionary(uniqueKeysWithValues: zip(signs, free))
  }

  /// Returns a text of the parser with the characters that the user typed.
  func restored(_ value: String) -> String {
    let typed = Dictionary(uniqueKeysWithValues: substitutes.map { ($1, $0) })
    var result = String.UnicodeScalarView()
    for scalar in value.unicodeScalars { result.append(typed[scalar] ?? scalar) }
    return String(result)
  }
}

/// A line: dashes, the name of a field, and a value, each of which can be absent.
private struct Line {
  let scalars: [Unicode.Scalar]
  /// Where the first of these begins.
  private let start: Int
  /// Where the name begins, or the value if there is no name.
  private let nameStart: Int
  /// Where the value begins.
  private let valueStart: Int

  init(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
    start = Self.skippingBlanks(scalars, from: 0)
    var index = start
    while index < scalars.count, scalars[index] == "-", Self.isBlank(scalars, index + 1) {
      index = Self.skippingBlanks(scalars, from: index + 1)
    }
    nameStart = index
    let nameEnd = scalars[index...].firstIndex { !Self.belongsToName($0) } ?? scalars.count
    if nameEnd > index, nameEnd < scalars.count, scalars[nameEnd] == ":",
      Self.isBlank(scalars, nameEnd + 1)
    {
      index = Self.skippingBlanks(scalars, from: nameEnd + 1)
    }
    valueStart = index
  }

  /// Whether the line is empty, or a comment as a whole.
  private var isSilent: Bool { start == scalars.count || scalars[start] == "#" }

  /// Whether the line has no value, but values in the lines below it, so that a “#” in it begins a comment.
  func isHeading(before following: ArraySlice<Line>) -> Bool {
    guard !isSilent, valueStart > start, valueStart < scalars.count, scalars[valueStart] == "#",
      let next = following.first(where: { !$0.isSilent })
    else { return isSilent || scalars.starts(with: ["-", "-", "-"]) }
    let hasName = valueStart > nameStart
    let isList = hasName && next.nameStart > next.start
    return next.start > (hasName ? nameStart : start) || (isList && next.start == nameStart)
  }

  /// Returns the line without the signs that YAML would not take for a part of the value.
  func replacingSigns(by substitutes: [Unicode.Scalar: Unicode.Scalar]) -> [Unicode.Scalar] {
    var result = scalars
    for index in scalars.indices.dropFirst(valueStart) {
      let isFirst = index == valueStart
      let isComment = scalars[index] == "#" && (isFirst || Self.isBlank(scalars, index - 1))
      guard isComment || (isFirst && scalars[index] != "#" && !namesCollection) else { continue }
      result[index] = substitutes[scalars[index]] ?? scalars[index]
    }
    return result
  }

  /// Whether the value is an anchor of a list or an object, which the parser refuses if it is used.
  private var namesCollection: Bool {
    let rest = scalars[valueStart...].drop { !Self.isBlank($0) }.drop(while: Self.isBlank)
    return rest.first == "[" || rest.first == "{"
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\r"
  }

  /// Whether a blank or the end of the line is at `index`.
  private static func isBlank(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    index >= scalars.count || isBlank(scalars[index])
  }

  private static func skippingBlanks(_ scalars: [Unicode.Scalar], from index: Int) -> Int {
    scalars[index...].firstIndex { !isBlank($0) } ?? scalars.count
  }

  private static func belongsToName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      || "_-".unicodeScalars.contains(scalar)
  }
}
