// Arguments as people type them.

import ArgumentParser
import Contacts
import Records
import Testing

@testable import ControlCommands

@Suite("A2 command line")
struct CommandLineTests {
  @Test(
    arguments: [
      (["--json", "list"], ["list", "--json"]),
      (["list", "--json"], ["list", "--json"]),
      (["conflicts", "--plain", "list"], ["conflicts", "list", "--plain"]),
      (["--agent", "/a", "show", "x"], ["show", "x", "--agent", "/a"]),
      (["--device=b", "add", "--first", "A"], ["add", "--first", "A", "--device=b"]),
      (["-q", "search", "--", "--json"], ["search", "-q", "--", "--json"]),
      (["--help"], ["--help"]),
      (["--agent"], ["--agent"]),
    ])
  func `global flags stand before and after the subcommand`(typed: [String], placed: [String]) {
    #expect(GlobalFlagPlacement.placing(typed) == placed)
  }

  @Test(
    arguments: [
      ("lst", "list"), ("shwo", "show"), ("lits", "list"), ("wathc", "watch"), ("sear", "search"),
      ("conflict", "conflicts"), ("groups", "group"), ("delete", nil), ("xyzzy", nil),
    ] as [(String, String?)])
  func `a mistyped subcommand is answered with the nearest right one`(word: String, near: String?) {
    let subcommands = Contactsctl.subcommands.map { $0._commandName }
    #expect(WordCheck.nearest(to: word, among: subcommands) == near)
  }

  @Test func `a word that is no subcommand is a wrong command line`() {
    let error = #expect(throws: ControlFailure.self) { try WordCheck.check(["lst"]) }
    #expect(error?.exitCode == .usage)
    #expect(error?.message.contains("“list”") == true)
    let inner = #expect(throws: ControlFailure.self) { try WordCheck.check(["group", "rn"]) }
    #expect(inner?.message.contains("“rm”") == true)
    #expect(throws: Never.self) { try WordCheck.check(["group", "rename"]) }
    #expect(throws: Never.self) { try WordCheck.check(["help", "list"]) }
    let asked = #expect(throws: ControlFailure.self) { try WordCheck.check(["help", "lst"]) }
    #expect(asked?.message.contains("“list”") == true)
    #expect(throws: Never.self) { try WordCheck.check(["show", "lst"]) }
  }

  @Test(arguments: [("--wait", 30.0), ("--wait=5", 5), ("--wait=0.5", 0.5)])
  func `the wait of sync may be left out`(flag: String, seconds: Double) async throws {
    let line = GlobalFlagPlacement.placing(["sync", flag])
    let command = try await Contactsctl.asyncParseAsRoot(line)
    #expect((command as? SyncCommand)?.wait == seconds)
  }

  @Test func `every subcommand parses its contract's flags`() async throws {
    let lines = [
      [
        "add", "--first", "A", "--last", "B", "--company", "C", "--phone", "home=1", "--phone", "2",
        "--email", "a@b", "--group", "G", "--address", "home:city=A", "--emergency", "--profile",
        "us-form", "--birthday=--06-05",
      ],
      ["add", "-i", "-"], ["add", "-i", "file", "--group", "G"], ["add", "--no-emergency"],
      ["states"], ["labels"], ["labels", "phone"], ["config", "list"], ["config", "get", "sort"],
      ["config", "set", "profile", "us-form"], ["config", "unset", "sort"], ["doctor"], ["setup"],
      ["list", "--by", "group", "--group", "G", "--sort", "modified", "--fields", "id", "-n", "3"],
      ["show", "ID"], ["search", "a", "b"], ["rm", "A", "B"], ["rm", "A", "-v"],
      ["undo", "-v"], ["undo", "7", "--verbose"], ["watch", "--since", "0", "--json"],
      [
        "edit", "ID", "--first", "", "--phone", "L=1", "--set-phone", "E=L:1", "--label", "E=L",
        "--rm-phone", "E", "--email", "a@b", "--set-email", "E=a@b", "--rm-email", "E",
        "--set-address", "E=city=A", "--rm-address", "E", "--address", "city=B",
        "--no-emergency", "--profile", "standard",
      ],
      ["edit", "ID"], ["edit", "Ada", "Quill"],
      ["status", "--is-live"], ["sync"], ["sync", "--wait=5"],
      ["sync", "--accept-deletions"], ["sync", "--refuse-deletions"],
      ["conflicts", "list"], ["conflicts", "show", "ID"], ["conflicts", "resolve", "ID", "--mine"],
      ["conflicts", "resolve", "ID", "--edit"], ["conflicts", "resolve", "ID", "--keep", "phone"],
      ["group", "list"], ["group", "add", "T"], ["group", "rename", "G", "T"],
      ["group", "rm", "G"],
      [
        "subscribe", "--id", "I", "--type", "T", "--where", "a == 1", "--group", "G", "--on",
        "created,updated,deleted", "--once", "--this-device", "--echo", "--title", "T", "--alert",
        "A", "--keys", "a,b", "--run", "cat",
      ],
      ["subscribe", "--database", "shared", "--silent"], ["subscriptions"],
      ["subscriptions", "ID"], ["unsubscribe", "ID"], ["notifications", "--follow"],
      ["notifications", "--since", "0"], ["permission", "notifications"],
      ["permission", "notifications", "allow"], ["permission", "notifications", "deny"],
      ["whoami", "--agent", "/a", "--no-color", "--no-input", "-q", "--plain"],
    ]
    for line in lines {
      let command = try await Contactsctl.asyncParseAsRoot(line)
      #expect(command is any ControlCommand, "\(line)")
    }
  }

  @Test(
    arguments: [
      ["conflicts", "resolve", "ID"], ["conflicts", "resolve", "ID", "--mine", "--theirs"],
      ["conflicts", "resolve", "ID", "--keep", "phone", "--mine"],
      ["list", "--json", "--plain"], ["list", "--agent", "a", "--device", "b"], ["rm"], ["show"],
      ["list", "-n", "-1"], ["add", "-i", "f", "--first", "A"], ["add", "--profile", "strict"],
      ["subscribe", "--where", "a == 1"], ["subscribe", "--silent", "--title", "t"],
      ["subscribe", "--on", "made"], ["subscribe", "--database", "mine"], ["unsubscribe"],
      ["notifications", "--since", "-1"], ["permission"], ["permission", "notifications", "maybe"],
      ["labels", "fax"], ["sync", "--wait=-1"], ["list", "--sort", "size"],
    ])
  func `what cannot be meant is refused`(line: [String]) async {
    await #expect(throws: (any Error).self) { try await Contactsctl.asyncParseAsRoot(line) }
  }
}

@Suite("A2 labelled arguments")
struct LabeledArgumentTests {
  @Test(
    arguments: [
      ("home=+1 555", "home", "+1 555"), ("+1 555", nil, "+1 555"), ("=5", "", "5"),
      ("a=b=5", "a", "b=5"), ("5=x", nil, "5=x"),
    ] as [(String, String?, String)])
  func `a phone's label ends at the first = if a digit follows`(
    text: String, label: String?, value: String
  ) {
    let argument = LabeledArgument(text, kind: .phone)
    #expect(argument.label == label)
    #expect(argument.value == value)
  }

  @Test func `an e-mail with = in its name keeps it unless an @ follows`() {
    #expect(LabeledArgument("a@b?x=y", kind: .email).label == nil)
    #expect(LabeledArgument("work=a@b", kind: .email).label == "work")
  }

  @Test func `an entry is found by the beginning of its id, if only one begins so`() throws {
    let phones = ["aa11", "aa22", "bb33"].map { FormValue.object(["id": .text($0)]) }
    let index = EntryIndex(.object(["phones": .list(phones), "emails": .list([])]))
    #expect(try index.find("B", in: [.phones]).id == "bb33")
    let several = #expect(throws: ControlFailure.self) { try index.find("aa", in: [.phones]) }
    #expect(several?.exitCode == .content)
    let none = #expect(throws: ControlFailure.self) { try index.find("c", in: [.phones]) }
    #expect(none?.exitCode == .notFound)
    let elsewhere = #expect(throws: ControlFailure.self) { try index.find("bb", in: [.emails]) }
    #expect(elsewhere?.exitCode == .notFound)
    #expect(throws: ControlFailure.self) { try index.find("", in: [.phones]) }
  }
}

@Suite("A2 addresses on the command line")
struct AddressArgumentTests {
  func read(_ text: String) throws -> AddressArgument {
    try AddressArgument(text, flag: "--address")
  }

  @Test(
    arguments: [
      (
        "home:street1=12Main,city=Austin,state=TX,zipcode=78701", "home",
        ["street1": "12Main", "city": "Austin", "state": "TX", "zipcode": "78701"]
      ),
      ("street1=1 Main St, Apt 4,zip=1", nil, ["street1": "1 Main St, Apt 4", "zipcode": "1"]),
      ("summer house:Street=a=b,COUNTRY=US", "summer house", ["street1": "a=b", "country": "US"]),
      ("city=10:30 Lane", nil, ["city": "10:30 Lane"]), (":city=A", "", ["city": "A"]),
      ("street1=,city=A", nil, ["street1": "", "city": "A"]),
      ("street1=Flat 2, left door=3,city=A", nil, ["street1": "Flat 2, left door=3", "city": "A"]),
    ] as [(String, String?, [String: String])])
  func `a comma ends a part where the next part begins`(
    text: String, label: String?, parts: [String: String]
  ) throws {
    let address = try read(text)
    #expect(address.label == label)
    #expect(address.parts == parts)
  }

  @Test(
    arguments: [
      ("home:12 Main", "street1="), ("home:stret1=a", "“street1”"), ("citty=a", "“city”"),
      ("city=a,sate=TX", "“state”"), ("city=a,city=b", "twice"), ("", "has no “=”"),
    ])
  func `an unknown part of an address is rejected, with the most similar one as a hint`(
    text: String, told: String
  ) {
    let error = #expect(throws: ControlFailure.self) { try read(text) }
    #expect(error?.exitCode == .usage)
    #expect(error?.message.contains(told) == true, "\(error?.message ?? "")")
  }
}
