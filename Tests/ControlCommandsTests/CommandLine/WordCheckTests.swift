// “Did you mean” against the textbook's recursive definition of the distance.

import ArgumentParser
import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("A2 mistyped words")
struct WordCheckTests {
  /// The number of letters to replace, insert, delete or swap with a neighbor (optimal string alignment).
  private struct Distance {
    let left: [Character]
    let right: [Character]
    private var known: [Int: Int] = [:]

    init(_ left: String, _ right: String) {
      self.left = Array(left)
      self.right = Array(right)
    }

    /// Returns the distance of the first `row` letters of one and the first `column` of the other.
    mutating func of(_ row: Int, _ column: Int) -> Int {
      guard row > 0, column > 0 else { return max(row, column) }
      if let known = known[row * 100 + column] { return known }
      let isSame = left[row - 1] == right[column - 1]
      var best = min(of(row - 1, column), of(row, column - 1)) + 1
      best = min(best, of(row - 1, column - 1) + (isSame ? 0 : 1))
      if row > 1, column > 1, left[row - 1] == right[column - 2],
        left[row - 2] == right[column - 1]
      {
        best = min(best, of(row - 2, column - 2) + 1)
      }
      known[row * 100 + column] = best
      return best
    }

    mutating func whole() -> Int { of(left.count, right.count) }
  }

  private static func distance(_ left: String, _ right: String) -> Int {
    var distance = Distance(left, right)
    return distance.whole()
  }

  private static func mistyped(_ word: String, _ random: inout SeededGenerator) -> String {
    var letters = Array(word)
    for _ in 0...random.below(3) {
      let place = random.below(letters.count + 1)
      switch random.below(4) {
      case 0: letters.insert(random.one(of: Array("aeioust-")), at: place)
      case 1 where place < letters.count: letters.remove(at: place)
      case 2 where place + 1 < letters.count: letters.swapAt(place, place + 1)
      case 3 where place < letters.count: letters[place] = random.one(of: Array("aeioust-"))
      default: continue
      }
    }
    return String(letters)
  }

  @Test func `the word offered is one of the nearest, and near enough`() {
    let subcommands = Contactsctl.subcommands.map { $0._commandName }
    var offered = 0
    for seed in 0..<150 {
      var random = SeededGenerator(seed: UInt64(seed))
      let typed = Self.mistyped(random.one(of: subcommands), &random)
      guard !typed.isEmpty else { continue }
      let distances = subcommands.map { Self.distance(typed, $0) }
      let least = distances.min() ?? 0
      let nearest = zip(subcommands, distances).filter { $0.1 == least }.map(\.0)
      let near = WordCheck.nearest(to: typed, among: subcommands)
      if let near {
        offered += 1
        #expect(nearest.contains(near), "seed \(seed): \(near) for \(typed), not \(nearest)")
        #expect(
          least <= max(1, min(typed.count, near.count) / 3) || near.hasPrefix(typed),
          "seed \(seed): \(near) for \(typed)")
      } else {
        let first = nearest[0]
        #expect(
          least > max(1, min(typed.count, first.count) / 3) && !first.hasPrefix(typed),
          "seed \(seed): \(first) for \(typed)")
      }
    }
    #expect(offered > 50)
  }

  @Test func `one slip of a finger in any subcommand of four letters is answered with it`() {
    let subcommands = Contactsctl.subcommands.map { $0._commandName }
    for word in subcommands where word.count >= 4 {
      var letters = Array(word)
      letters.swapAt(1, 2)
      let swapped = String(letters)
      guard swapped != word, !subcommands.contains(swapped) else { continue }
      let near = WordCheck.nearest(to: swapped, among: subcommands)
      #expect(near.map { Self.distance(swapped, $0) } == 1, "\(swapped): \(near ?? "none")")
    }
  }

  @Test func `a word that begins like one subcommand is answered with it, another without a list`()
  {
    let similar = #expect(throws: ControlFailure.self) { try WordCheck.check(["help", "adress"]) }
    #expect(similar?.message == "“adress” is not a subcommand of contactsctl. Did you mean “add”?")
    let other = #expect(throws: ControlFailure.self) { try WordCheck.check(["xylophone"]) }
    #expect(other?.message == "“xylophone” is not a subcommand of contactsctl.")
    #expect(other?.hint == "See: contactsctl help")
  }

  @Test func `an empty word is near nothing, not the beginning of the shortest name`() {
    #expect(WordCheck.nearest(to: "", among: ["rm", "list"]) == nil)
    #expect(WordCheck.nearest(to: "list", among: []) == nil)
    let error = #expect(throws: ControlFailure.self) { try WordCheck.check([""]) }
    #expect(error?.exitCode == .usage)
    #expect(error?.message.contains("Did you mean") == false)
  }

  @Test func `the message of a hostile word has one line and no control character`() {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let word = "x" + random.hostile(upTo: 6)
      let error = #expect(throws: ControlFailure.self) { try WordCheck.check([word]) }
      let message = error?.message ?? "\n"
      #expect(PlainText.clean(message) == message, "seed \(seed): \(message)")
    }
  }

  @Test func `every subcommand and each within it is right, and its path is known`() throws {
    for subcommand in Contactsctl.subcommands {
      let name = subcommand._commandName
      #expect(throws: Never.self) { try WordCheck.check([name]) }
      #expect(WordCheck.path(of: [name, "--json"]) == name)
      for inner in subcommand.configuration.subcommands {
        #expect(throws: Never.self) { try WordCheck.check([name, inner._commandName]) }
        #expect(throws: Never.self) { try WordCheck.check(["help", name, inner._commandName]) }
        #expect(WordCheck.path(of: [name, inner._commandName]) == "\(name) \(inner._commandName)")
      }
    }
    #expect(WordCheck.path(of: ["nope", "list"]).isEmpty)
    #expect(WordCheck.path(of: []).isEmpty)
  }

  /// The command lines of all aliases, each with the subcommand that it stands for.
  private static let aliases: [(line: [String], name: [String])] = Contactsctl.subcommands.flatMap {
    subcommand in
    let name = subcommand._commandName
    let outer = subcommand.configuration.aliases.map { ([$0], [name]) }
    return outer
      + subcommand.configuration.subcommands.flatMap { inner in
        inner.configuration.aliases.map { ([name, $0], [name, inner._commandName]) }
      }
  }

  @Test func `an alias is known wherever its subcommand is, and its help is the subcommand's`()
    throws
  {
    #expect(Self.aliases.count > 15)
    for (line, name) in Self.aliases {
      #expect(throws: Never.self, "\(line)") { try WordCheck.check(line) }
      #expect(throws: Never.self, "\(line)") { try WordCheck.check(["help"] + line) }
      #expect(WordCheck.path(of: line) == name.joined(separator: " "))
    }
  }

  @Test func `no alias is the name or the alias of another subcommand`() {
    let levels =
      [Contactsctl.subcommands] + Contactsctl.subcommands.map { $0.configuration.subcommands }
    for subcommands in levels {
      let words = subcommands.flatMap { WordCheck.words(for: $0) }
      #expect(Set(words).count == words.count, "\(words)")
    }
  }

  @Test(
    arguments: [
      (["ls"], ListCommand.self), (["find", "ada"], SearchCommand.self),
      (["new", "--first", "A"], AddCommand.self), (["delete", "ID"], RemoveCommand.self),
      (["remove", "ID"], RemoveCommand.self), (["group", "ls"], GroupCommand.List.self),
      (["group", "new", "T"], GroupCommand.Add.self),
      (["group", "delete", "T"], GroupCommand.Remove.self),
      (["devices", "remove", "D"], DevicesCommand.Remove.self),
      (["trash", "ls"], TrashCommand.List.self),
    ] as [([String], any ParsableCommand.Type)])
  func `an alias is parsed as its subcommand`(
    line: [String], type: any ParsableCommand.Type
  ) async throws {
    let command = try await Contactsctl.asyncParseAsRoot(line)
    #expect(ObjectIdentifier(Swift.type(of: command)) == ObjectIdentifier(type), "\(line)")
  }

  @Test(arguments: ["config", "conflicts", "devices", "group", "post", "refused", "trash"])
  func `a subcommand with a list lists by itself, and still rejects a mistyped word`(
    name: String
  ) async throws {
    let command = try await Contactsctl.asyncParseAsRoot(GlobalFlagPlacement.placing([name]))
    #expect(Swift.type(of: command)._commandName == "list")
    #expect(command is any ControlCommand)
    let error = #expect(throws: ControlFailure.self) { try WordCheck.check([name, "lisst"]) }
    #expect(error?.message.contains("“list”") == true)
  }

  @Test(arguments: [("delet", "delete"), ("remov", "remove"), ("fnd", "find"), ("lst", "list")])
  func `a mistyped alias is answered with it, and a name comes before an alias`(
    word: String, near: String
  ) {
    let error = #expect(throws: ControlFailure.self) { try WordCheck.check([word]) }
    #expect(error?.message.contains("Did you mean “\(near)”?") == true, "\(error?.message ?? "")")
  }
}
