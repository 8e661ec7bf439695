import AgentAPI
import PredicateWorld
import Records
import Testing

@testable import ControlCommands

@Suite("conflicts by device")
struct ConflictItemDevicesTests {
  static func conflict(
    mine: String = "Winter Clocks", on device: String = "laptop",
    theirs: String = "Winter Watches", onOther other: String = "phone", shown: String = "theirs"
  ) -> ConflictItem {
    ConflictItem(
      id: "k3", contact: "c1", name: "Bram", kind: "values", field: "company", mine: mine,
      mineBy: AuthorView(account: "alice", device: device), theirs: theirs,
      theirsBy: AuthorView(account: "alice", device: other), shown: shown,
      found: Timestamp(microseconds: 0))
  }

  @Test func `both values are shown with their devices and the kept one`() {
    #expect(
      Self.conflict().sentence() == "laptop: Winter Clocks · phone: Winter Watches – kept: phone")
    #expect(Self.conflict(shown: "mine").sentence().hasSuffix("– kept: laptop"))
  }

  @Test(
    arguments: [
      ("company", "company"), ("firstName", "first"), ("phones/0a1b/value", "phone"),
      ("addresses/0a1b/city", "address city"), ("phones/0a1b", "phone"), ("X-HOBBY", "X-HOBBY"),
      ("", ""),
    ])
  func `a field is called as in the details of a contact`(field: String, noun: String) {
    var conflict = Self.conflict()
    conflict.field = field
    #expect(conflict.fieldInWords == noun)
    let heading = conflict.lines(columns: 80, shortID: "k3")[0]
    #expect(heading == (noun.isEmpty ? "Bram  k3" : "Bram, \(noun)  k3"))
  }

  @Test func `a deletion and a removed value are shown in words`() {
    let deletion = Self.conflict(mine: "changed", theirs: "deleted", shown: "mine")
    #expect(deletion.sentence() == "laptop: changed · phone: deleted – kept: laptop")
    let removal = Self.conflict(theirs: "")
    #expect(removal.sentence() == "laptop: Winter Clocks · phone: deleted – kept: phone")
  }

  @Test func `devices without a name or with the same name are distinguished by side`() {
    #expect(
      Self.conflict(on: "", onOther: "").sentence()
        == "mine: Winter Clocks · theirs: Winter Watches – kept: theirs")
    #expect(
      Self.conflict(onOther: "laptop").sentence()
        == "laptop (mine): Winter Clocks · laptop (theirs): Winter Watches – kept: laptop (theirs)")
    #expect(Self.conflict().authors == "alice on laptop · alice on phone")
    #expect(Self.conflict(on: "").authors == nil)
  }

  @Test func `an unknown device is named in words, not by its id`() throws {
    var conflict = Self.conflict()
    conflict.theirsBy = AuthorView(
      account: "bob", name: "Bob B.", device: "d1", deviceName: "another device")
    #expect(
      conflict.sentence()
        == "laptop: Winter Clocks · another device: Winter Watches – kept: another device")
    #expect(conflict.authors == "alice on laptop · Bob B. on another device")
    #expect(try conflict.choice(for: "another device") == "theirs")
  }

  @Test func `a device is chosen by its name, in other case too`() throws {
    let conflict = Self.conflict()
    #expect(try conflict.choice(for: "laptop") == "mine")
    #expect(try conflict.choice(for: "Phone") == "theirs")
    #expect(try conflict.choice(for: "both") == "both")
    let similar = Self.conflict(on: "Phone", onOther: "phone")
    #expect(try similar.choice(for: "Phone") == "mine")
    #expect(try similar.choice(for: "phone") == "theirs")
  }

  @Test(arguments: ["tablet", "", "mine"])
  func `another name is refused with the names of both devices`(name: String) {
    let failure = #expect(throws: ControlFailure.self) { try Self.conflict().choice(for: name) }
    #expect(failure?.message.contains("“laptop” and “phone”") == true)
    let unnamed = #expect(throws: ControlFailure.self) {
      try Self.conflict(on: "", onOther: "").choice(for: name)
    }
    #expect(unnamed?.hint == "Use --mine or --theirs.")
  }

  @Test func `a name of both devices asks for --mine or --theirs`() {
    let same = #expect(throws: ControlFailure.self) {
      try Self.conflict(onOther: "laptop").choice(for: "laptop")
    }
    #expect(same?.hint == "Use --mine or --theirs.")
    let both = #expect(throws: ControlFailure.self) {
      try Self.conflict(on: "both").choice(for: "both")
    }
    #expect(both?.hint == "Use --mine, --theirs or --both.")
  }

  @Test(arguments: [80, 200])
  func `a long value is wrapped and not truncated`(columns: Int) {
    let note = (1...40).map { "word\($0)" }.joined(separator: " ")
    let conflict = Self.conflict(mine: note)
    #expect(TextWidth.columns(of: note) < 4 * 80)
    let lines = conflict.lines(columns: columns, shortID: "nk7c5h")
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= columns })
    #expect(lines.count == (columns == 80 ? 6 : 3))
    let text = lines.dropFirst().map { $0.dropFirst(2) }.joined(separator: " ")
    #expect(text == conflict.sentence())
  }

  @Test func `lines of any conflict fit the terminal and move no cursor`() {
    for seed in UInt64(1)...200 {
      var generator = SeededGenerator(seed: seed)
      var conflict = Self.conflict(
        mine: generator.hostile(upTo: 40), on: generator.hostile(upTo: 3),
        theirs: generator.hostile(upTo: 40), onOther: generator.hostile(upTo: 3))
      conflict.name = generator.hostile(upTo: 40)
      let lines = conflict.lines(columns: 40, shortID: "nk7c5h")
      #expect(lines.count >= 2 && lines[0].hasSuffix("  nk7c5h"), "seed \(seed)")
      for line in lines {
        #expect(PlainText.clean(line) == line, "seed \(seed)")
        #expect(TextWidth.columns(of: line) <= 40, "seed \(seed)")
      }
    }
  }
}
