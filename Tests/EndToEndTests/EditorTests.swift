import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("A4 editing as a text")
  struct EditorTests {
    /// A device by itself, and an editor that is a script.
    struct Desk {
      let device: Device
      let id = "bundled-1-01"

      init() async throws {
        device = try await Device("desk", brokerPath: "/nowhere/b.sock")
      }

      /// Opens the contact in an editor that runs `script`, in which `$1` is the text and `$CTL`
      /// is contactsctl on this device.
      func edit(_ script: String, _ arguments: String...) async throws -> Device.Said {
        let control = "\(RunningProgram.path(of: "contactsctl")) --agent \(device.socketPath)"
        try device.directory.write(Array("CTL='\(control)'\n\(script)\n".utf8), to: "editor")
        let program = try RunningProgram(
          "contactsctl", ["--agent", device.socketPath, "edit", id] + arguments,
          environment: [
            "EDITOR": "sh \(device.directory.file("editor"))", "TMPDIR": device.directory.path,
          ])
        let status = try await program.end()
        return Device.Said(
          status: status, output: program.standardOutput, error: program.standardError)
      }

      func contact() async throws -> ContactRow {
        try #require(try await device.requests.contact(id))
      }

      /// The texts that were kept for the person.
      var kept: [String] {
        let all =
          (try? FileManager.default.contentsOfDirectory(atPath: device.directory.path)) ?? []
        return all.filter { $0.hasPrefix("contact-") }
      }
    }

    @Test func `what others change meanwhile stays, and what was typed too`() async throws {
      let desk = try await Desk()
      let said = try await desk.edit(
        """
        $CTL edit \(desk.id) --company Theirs --phone "home=555 0111"
        sed -i 's/^firstName: .*/firstName: Mine/' "$1"
        """)
      #expect(said.status == 0)
      let contact = try await desk.contact()
      #expect(contact.firstName == "Mine")
      #expect(contact.company == "Theirs")
      #expect(contact.phones.map(\.value).contains("555 0111"))
      #expect(desk.kept.isEmpty)
    }

    @Test func `where both changed the same, nobody is overwritten unasked`() async throws {
      let desk = try await Desk()
      let said = try await desk.edit(
        """
        $CTL edit \(desk.id) --company Theirs
        sed -i 's/^company: .*/company: Mine/' "$1"
        """)
      #expect(said.status == 65)
      #expect(said.error.contains("“Theirs”"))
      #expect(try await desk.contact().company == "Theirs")
      #expect(desk.kept.count == 1)
    }

    @Test(arguments: ["true", ":> \"$1\"", "rm \"$1\"", "echo x >> \"$1\"; exit 1"])
    func `leaving the text cancels, writes nothing and is no failure`(script: String) async throws {
      let desk = try await Desk()
      let before = try await desk.contact()
      let said = try await desk.edit(script)
      #expect(said.status == 0)
      #expect(said.error.contains("Nothing was changed."))
      #expect(try await desk.contact() == before)
      #expect(desk.kept.isEmpty)
    }

    @Test func `what is refused is told, and the text is kept for its owner alone`() async throws {
      let desk = try await Desk()
      let said = try await desk.edit(
        "sed -i 's/^firstName: .*/firstName: A/' \"$1\"", "--profile", "us-form")
      #expect(said.status == 65)
      #expect(said.error.contains("The first name “A” needs at least 2 characters."))
      #expect(try await desk.contact().firstName == "Ada")
      let name = try #require(desk.kept.first)
      #expect(said.error.contains(name))
      let path = desk.device.directory.file(name)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect((mode as? NSNumber)?.intValue == 0o600)
      #expect(
        String(decoding: desk.device.directory.bytes(of: name), as: UTF8.self)
          .contains("firstName: A\n"))
    }

    @Test func `an editor that is not there is said to be so`() async throws {
      let desk = try await Desk()
      let said = try await desk.edit("exit 127")
      #expect(said.status == 78)
      #expect(desk.kept.isEmpty)
    }

    @Test func `without an editor and a terminal, or with --no-input, nothing is asked`()
      async throws
    {
      let desk = try await Desk()
      let plain = try await desk.device.control("edit", desk.id)
      #expect(plain.status == 64)
      let silent = try await desk.edit("true", "--no-input")
      #expect(silent.status == 64)
    }
  }
}
