import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("H2 an export on a terminal")
  struct ExportTerminalTests {
    @Test(arguments: ["vcard3", "vcard4", "csv"])
    func `a contact of another person sends nothing that the terminal obeys`(format: String)
      async throws
    {
      let device = try await Device("desk", brokerPath: "/nowhere/b.sock")
      let card =
        "BEGIN:VCARD\nVERSION:3.0\nN:Mallory;;;;\nNOTE:before\u{1B}[2J\u{9B}31m\u{202E}after\nEND:VCARD\n"
      let path = device.directory.file("mallory.vcf")
      try Data(card.utf8).write(to: URL(filePath: path))
      #expect(try await device.control("import", path).status == 0)
      let terminal = try TerminalSession(
        RunningProgram.path(of: "contactsctl"), ["export", "--format", format],
        environment: ["CONTACTSD_SOCKET": device.socketPath], directory: device.directory.path)
      #expect(try await terminal.end() == 0)
      let shown = terminal.shown
      #expect(shown.contains("Mallory") && shown.contains("before"))
      #expect(!shown.unicodeScalars.contains { ["\u{1B}", "\u{9B}", "\u{202E}"].contains($0) })
      #expect(shown.contains("<U+202E>after"), "\(shown.suffix(400))")
      // A file, which no terminal shows, has what the contact has.
      let file = try await device.control("export", "--format", format)
      #expect(file.output.contains("\u{202E}after"))
    }
  }
}
