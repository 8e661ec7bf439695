import Foundation
import Glibc
import Processes
import Testing

extension EndToEnd {
  /// Another user of the machine reads what an administrator writes to a directory that everyone can enter.
  @Suite("H1 a backup in an open directory", .readsBrokerFile)
  struct OpenDirectoryTests {
    private let open: TemporaryDirectory

    init() throws {
      open = try TemporaryDirectory()
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: open.path)
    }

    /// The files below the directory that users without rights can read.
    private func readableByOthers() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: open.path).filter { name in
        var status = stat()
        guard stat("\(open.path)/\(name)", &status) == 0 else { return true }
        return status.st_mode & 0o077 != 0
      }
    }

    /// Runs a subcommand of the broker as a shell of a user with the usual umask does.
    private func run(_ arguments: String..., state: String) async throws -> Device.CommandResult {
      let former = umask(0o022)
      defer { umask(former) }
      return try await Device.run("contacts-broker", arguments + ["--state", state])
    }

    @Test
    func `others can read neither a backup nor an export, nor an older backup in the same place`()
      async throws
    {
      let world = try await World()
      let state = world.broker.directory.file("state")
      let backup = try await run("backup", open.path, state: state)
      #expect(backup.status == 0 && backup.error.contains("mode 755"), "\(backup.error)")
      // A user has changed its mode since.
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: open.file("broker.sqlite"))
      #expect(try await run("backup", open.path, state: state).status == 0)
      let account = try #require(try await world.laptop.control("whoami").rows.first?[1])
      let export = try await run("account", "export", account, open.file("ada"), state: state)
      #expect(export.status == 0, "\(export.error)")
      #expect(try readableByOthers() == [])
    }
  }
}
