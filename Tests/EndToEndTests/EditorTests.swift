import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("A4 editing a contact as text")
  struct EditorTests {
    /// A device and a script in place of an editor.
    struct EditorSession {
      let device: Device
      let id = "bundled-1-01"

      init() async throws {
        device = try await Device("desk", brokerPath: "/nowhere/b.sock")
      }

      /// Opens the contact in an editor that runs `script`. In it, `$1` is the file and `$CTL` is contactsctl
      /// on this device.
      func edit(_ script: String, _ arguments: String...) async throws -> Device.CommandResult {
        let control = "\(RunningProgram.path(of: "contactsctl")) --agent \(device.socketPath)"
        try device.directory.write(Array("CTL='\(control)'\n\(script)\n".utf8), to: "editor")
        let program = try RunningProgram(
          "contactsctl", ["--agent", device.socketPath, "edit", id] + arguments,
          environment: [
            "EDITOR": "sh \(device.directory.file("editor"))", "TMPDIR": device.directory.path,
          ])
        return try await Device.CommandResult(of: program)
      }

      func contact() async throws -> ContactRow {
        try #require(try await device.requests.contact(id))
      }

      /// The files that were kept for the person.
      var kept: [String] {
        let all =
          (try? FileManager.default.contentsOfDirectory(atPath: device.directory.path)) ?? []
        return all.filter { $0.hasPrefix("contact-") }
      }
    }

    @Test func `an edit keeps both the typed fields and another person's changes`() async throws {
      let session = try await EditorSession()
      let result = try await session.edit(
        """
        $CTL edit \(session.id) --company Theirs --phone "home=555 0111"
        sed -i 's/^firstName: .*/firstName: Mine/' "$1"
        """)
      #expect(result.status == 0)
      let contact = try await session.contact()
      #expect(contact.firstName == "Mine")
      #expect(contact.company == "Theirs")
      #expect(contact.phones.map(\.value).contains("555 0111"))
      #expect(session.kept.isEmpty)
    }

    @Test func `an edit of a field that changed meanwhile is refused and the text is kept`()
      async throws
    {
      let session = try await EditorSession()
      let result = try await session.edit(
        """
        $CTL edit \(session.id) --company Theirs
        sed -i 's/^company: .*/company: Mine/' "$1"
        """)
      #expect(result.status == 65)
      #expect(result.error.contains("“Theirs”"))
      #expect(try await session.contact().company == "Theirs")
      #expect(session.kept.count == 1)
    }

    @Test(arguments: ["true", ":> \"$1\"", "rm \"$1\"", "echo x >> \"$1\"; exit 1"])
    func `closing the editor without a change writes nothing and succeeds`(script: String)
      async throws
    {
      let session = try await EditorSession()
      let before = try await session.contact()
      let result = try await session.edit(script)
      #expect(result.status == 0)
      #expect(result.error.contains("Nothing was changed."))
      #expect(try await session.contact() == before)
      #expect(session.kept.isEmpty)
    }

    @Test func `a refused edit is explained, and its text is kept in a private file`() async throws
    {
      let session = try await EditorSession()
      let result = try await session.edit(
        "sed -i 's/^firstName: .*/firstName: A/' \"$1\"", "--profile", "us-form")
      #expect(result.status == 65)
      #expect(result.error.contains("The first name “A” needs at least 2 characters."))
      #expect(try await session.contact().firstName == "Ada")
      let name = try #require(session.kept.first)
      #expect(result.error.contains(name))
      let path = session.device.directory.file(name)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect((mode as? NSNumber)?.intValue == 0o600)
      #expect(
        String(decoding: session.device.directory.bytes(of: name), as: UTF8.self)
          .contains("firstName: A\n"))
    }

    @Test func `a missing editor is reported`() async throws {
      let session = try await EditorSession()
      let result = try await session.edit("exit 127")
      #expect(result.status == 78)
      #expect(session.kept.isEmpty)
    }

    @Test func `without an editor and a terminal, or with --no-input, no editor is started`()
      async throws
    {
      let session = try await EditorSession()
      let plain = try await session.device.control("edit", session.id)
      #expect(plain.status == 64)
      let silent = try await session.edit("true", "--no-input")
      #expect(silent.status == 64)
    }
  }
}
