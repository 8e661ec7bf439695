// A postal address on the command line, as it is written and read again.

import PredicateWorld
import Testing

@testable import ControlCommands

@Suite("A2 round trips of addresses")
struct AddressArgumentPropertyTests {
  private static let names = [
    "street1", "street2", "city", "state", "zipcode", "country", "countryCode", "poBox",
  ]
  /// Texts that contain signs of the form, but begin no further part.
  private static let texts = [
    "12 Main", "Main Street 12, back yard", "Flat 2, left door=3", "a=b", "10:30 Lane", "", " ",
    "李小龙", "#1", "Ümläut", "a,b,c", "=", "x, y z=1, w",
  ]

  @Test func `parts come back with every comma, colon and equals sign in them`() throws {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let chosen = Self.names.shuffled(using: &random).prefix(1 + random.below(8))
      let parts = Dictionary(
        uniqueKeysWithValues: chosen.map { ($0, random.one(of: Self.texts)) })
      let label = random.percent(60) ? random.one(of: ["home", "", "summer house", "büro"]) : nil
      let text =
        (label.map { $0 + ":" } ?? "")
        + chosen.map { "\($0)=\(parts[$0] ?? "")" }.joined(separator: ",")
      let address = try AddressArgument(text, flag: "--address")
      #expect(address.label == label, "seed \(seed): \(text)")
      #expect(address.parts == parts, "seed \(seed): \(text)")
      var entry = parts.mapValues { FormValue.text($0) }
      if let label { entry["label"] = .text(label) }
      #expect(address.entry == entry, "seed \(seed)")
    }
  }

  @Test func `names of parts may be written in any case, and by their short names`() throws {
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      let name = random.one(of: Self.names + ["street", "zip", "postcode"])
      let typed = String(
        name.map { random.percent(50) ? Character($0.uppercased()) : $0 })
      let meant = ["street": "street1", "zip": "zipcode", "postcode": "zipcode"][name] ?? name
      #expect(
        try AddressArgument(" \(typed) =x", flag: "--address").parts == [meant: "x"],
        "seed \(seed): \(typed)")
    }
  }

  @Test(arguments: ["town", "Town", "ort", "door", "floor2", "c_o", "co-op"])
  func `a word that no part has is an error, and does not become the end of another part`(
    word: String
  ) throws {
    for text in ["home:street1=Main 1,zip=123 45,\(word)=Umeå", "zip=123 45, \(word) =Umeå"] {
      let error = #expect(throws: ControlFailure.self) {
        try AddressArgument(text, flag: "--address")
      }
      #expect(error?.message.contains("“\(word)” is not a field of an address") == true)
    }
  }

  @Test func `a hostile text is an address or a usage error of one clean line`() {
    for seed in 0..<400 {
      var random = SeededGenerator(seed: UInt64(seed))
      let text = random.hostile(upTo: 8)
      do throws(ControlFailure) {
        let address = try AddressArgument(text, flag: "--address")
        #expect(!address.parts.isEmpty, "seed \(seed): \(text)")
      } catch {
        #expect(error.exitCode == .usage, "seed \(seed)")
        #expect(PlainText.clean(error.message) == error.message, "seed \(seed): \(error.message)")
      }
    }
  }
}
