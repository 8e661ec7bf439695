// Two strict readers that are not ours, ez-vcard and sabre's vobject, read what is exported. Servers use them.

import Contacts
import Foundation
import Processes
import Records
import TestTiers
import Testing

@testable import ContactCards

@Suite("A2, F3 strict readers of cards", .timeLimit(.minutes(5)))
struct StrictReadersTests {
  /// RFC 2426 names no type of an e-mail address but `internet` and `x400`. All address books write these two, and readers
  /// know them.
  private static let permitted = [
    "TYPE parameter value (\"home\")", "TYPE parameter value (\"work\")",
  ]

  @Test(.onlyInCheck, arguments: [CardVersion.three, .four])
  func `strict readers have no complaint about any card`(version: CardVersion) async throws {
    let directory = try TemporaryDirectory()
    let contacts = try contacts(seed: version == .three ? 31 : 32)
    try directory.write(
      contacts.flatMap { Array(written($0, version, isForFile: true).utf8) }, to: "cards.vcf")
    let path = directory.file("cards.vcf")
    let jars = "/usr/share/java/ez-vcard.jar:/usr/share/java/vinnie.jar"
    for command in [
      ["/usr/bin/java", "-cp", jars, Self.program("StrictCards.java"), path],
      ["/usr/bin/php", "-d", "error_reporting=0", Self.program("strict_cards.php"), path],
    ] {
      let complaints = try await output(of: command)
      #expect(complaints == ["\(contacts.count) cards"], "\(command[0])")
    }
  }

  /// Contacts of hard texts, and the contacts of cards that other programs write.
  private func contacts(seed: Int) throws -> [Contact] {
    var random = RandomContacts(seed: seed)
    let made = try (0..<80).map { _ in try random.contact() }
    return try made + Self.foreign.map { try kept(contact($0)) }
  }

  private func output(of command: [String]) async throws -> [String] {
    let program = try RunningProgram(command[0], Array(command.dropFirst()))
    let code = try await program.end()
    try #require(code == 0, "\(program.standardError)")
    return program.standardOutput.split(separator: "\n").map { String($0) }.filter { line in
      !(line.contains("Email") && Self.permitted.contains { line.contains($0) })
    }
  }

  private static func program(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Oracle/\(name)").path
  }

  /// What other programs write in cards of their versions, each with something that another version lacks.
  private static let foreign = [
    // A card within a card is another program's, and stays as it is.
    RoundTripTests.odd.replacing("AGENT:BEGIN:VCARD\\nFN:X\\nEND:VCARD\r\n", with: ""),
    card(
      "FN:Doris Falk", "N:Falk;Doris;;;", "TEL;HOME;VOICE;MSG:1", "ADR;DOM;PARCEL:;;Way 1;Umeå;;;",
      "LABEL;WORK;ENCODING=QUOTED-PRINTABLE:Way 1=0D=0AUmeå", "EMAIL;INTERNET;AOL:d@example.com",
      "X-MS-CARDPICTURE;TYPE=PNG;ENCODING=BASE64:AAAA", "PHOTO;ENCODING=BASE64;PNG:AAAA",
      "MAILER:X",
      version: "2.1"),
    card(
      "FN:Fia Borg", "N:Borg;Fia;;;", "BDAY:1984-06-05T00:00:00Z", "BDAY:1985-06-05", "PRODID:a",
      "PRODID:b", "X-GOOGLE TALK:fia", "X_ODD:1", "CLASS:PUBLIC", "SORT-STRING:Borg", "TZ:-05:00",
      "item1.TEL;TYPE=pref:2", "item1.X-ABLabel:Boat \"A\"", "NOTE;X-SAID=\"a^'b^nc\":x",
      "KEY;TYPE=PGP:https://example.com/key"),
    card(
      "FN:Ola Ek", "FN:Ola", "N;ALTID=1:Ek;Ola;;;", "N;ALTID=1;LANGUAGE=ja:Eku;Ora;;;", "KIND:org",
      "GENDER:M;man", "LANG;PREF=1:sv", "BDAY;VALUE=text:about 1900",
      "ANNIVERSARY:20090808T1430-0500",
      "TEL;VALUE=uri;TYPE=\"voice,textphone\":tel:+46-8-1", "RELATED;TYPE=friend;VALUE=text:Bo",
      "KEY;MEDIATYPE=application/pgp-keys:https://example.com/key", "MEMBER:urn:uuid:1", "XML:<a/>",
      "FBURL:https://example.com/busy", "TITLE;SORT-AS=Boss:The boss", version: "4.0"),
  ]
}
