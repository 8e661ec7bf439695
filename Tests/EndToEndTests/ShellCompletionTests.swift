// Names are text that other people wrote. Real shells complete them at a terminal with the Tab key, and the
// tests compare the argument that contactsctl receives with the name.

import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("C4 the Tab key in real shells")
  struct ShellCompletionTests {
    enum Shell: String, CaseIterable { case bash, zsh, fish }

    /// Names that a shell would run, expand, split or substitute. Each begins with another letter.
    static let names = [
      "An $(touch FILE)", "Be `touch FILE`", "Ce; touch FILE #", "De \"x\" 'y' \\ \\n",
      "Ef $HOME ${PATH} $'z'", "Fy | touch FILE & < > FILE", "Ge !! !touch !$", "He * ? [a] {a,b}",
      "Il (touch FILE)", "Jo ~ ~root = : ^ %1 ,", "Ke\u{301} Ünal 一", "Lo $((1+1)) <(touch FILE)",
      "Me $\u{28}touch FILE\u{29}", "No\u{A0}$(touch FILE)",
    ]

    /// A device with these names and a shell at a terminal, in which `contactsctl` writes its arguments to a
    /// file.
    final class CompletionSession {
      let device: Device
      let shell: Shell
      let home: TemporaryDirectory
      private let terminal: TerminalSession

      init(_ shell: Shell, names: [String]) async throws {
        device = try await Device("desk", brokerPath: "/nowhere/b.sock")
        self.shell = shell
        home = try TemporaryDirectory()
        for name in names {
          let added = try await device.control("add", "--first", name)
          #expect(added.status == 0, "\(name): \(added.error)")
        }
        try Self.install(
          shell, in: home, script: await device.control("completion", shell.rawValue))
        terminal = try Self.start(shell, in: home, socketPath: device.socketPath)
        try await prepare()
      }

      private static func install(
        _ shell: Shell, in home: TemporaryDirectory, script: Device.CommandResult
      ) throws {
        let name = shell == .zsh ? "functions/_contactsctl" : "script"
        try home.write(Array(script.output.utf8), to: name)
        let program = """
          #!/bin/sh
          if [ "$1" != ---completion ]; then
            printf '%s\\0' "$@" >"$HOME/arguments.new" && mv "$HOME/arguments.new" "$HOME/arguments"
            exit
          fi
          \(RunningProgram.path(of: "contactsctl")) "$@"
          code=$?
          : >"$HOME/asked"
          exit $code
          """
        try home.write(Array(program.utf8), to: "bin/contactsctl")
        try FileManager.default.setAttributes(
          [.posixPermissions: NSNumber(value: 0o755)],
          ofItemAtPath: home.file("bin/contactsctl"))
      }

      private static func start(
        _ shell: Shell, in home: TemporaryDirectory, socketPath: String
      ) throws -> TerminalSession {
        let path = "/usr/bin/\(shell.rawValue)"
        try #require(
          FileManager.default.isExecutableFile(atPath: path), "Install \(shell) (make check does).")
        let arguments: [String] =
          switch shell {
          case .bash: ["--norc", "--noprofile", "-i"]
          case .zsh: ["-f", "-i"]
          case .fish: ["--no-config", "-i"]
          }
        return try TerminalSession(
          path, arguments,
          environment: [
            "PATH": "\(home.file("bin")):/usr/bin:/bin", "CONTACTSD_SOCKET": socketPath,
          ], directory: home.path)
      }

      /// Loads the completion script, as the shell's start-up files would.
      private func prepare() async throws {
        try await terminal.settles()
        switch shell {
        case .bash: terminal.type("source ~/script; PS1='re''ady> '\n")
        case .zsh:
          terminal.type("fpath=(~/functions $fpath); autoload -Uz compinit; compinit -u -D\n")
          terminal.type("PS1='re''ady> '\n")
        case .fish:
          terminal.type("source ~/script; function fish_prompt; echo -n 're''ady> '; end\n")
        }
        try await terminal.shows("ready> ")
        try await terminal.settles()
      }

      /// Types `line`, presses Tab and Return, and returns the arguments that contactsctl received.
      func complete(_ line: String) async throws -> [String] {
        for name in ["arguments", "asked"] {
          try? FileManager.default.removeItem(atPath: home.file(name))
        }
        let start = terminal.shown.utf8.count
        terminal.type(line + "\t")
        try await Patience.wait(until: "\(shell) to ask for words: \(terminal.shown)") {
          FileManager.default.fileExists(atPath: home.file("asked"))
        }
        try await terminal.settles()
        terminal.type("\n")
        try await Patience.wait(
          until: "\(shell) to run the line: \(terminal.shown)", within: .seconds(20)
        ) { FileManager.default.fileExists(atPath: home.file("arguments")) }
        try await terminal.shows("ready> ", after: start)
        let words = home.bytes(of: "arguments").split(
          separator: 0, omittingEmptySubsequences: false)
        return words.dropLast().map { String(decoding: $0, as: UTF8.self) }
      }

      /// Whether no name ran its command.
      var isUntouched: Bool { !FileManager.default.fileExists(atPath: home.file("FILE")) }
    }

    @Test(arguments: Shell.allCases)
    func `a name is completed to itself, and no part of it runs`(shell: Shell) async throws {
      let session = try await CompletionSession(shell, names: Self.names)
      for name in Self.names {
        let typed = String(name.prefix(2))
        let arguments = try await session.complete("contactsctl show \(typed)")
        #expect(arguments == ["show", name])
        #expect(session.isUntouched, "\(name)")
      }
    }

    @Test(arguments: Shell.allCases)
    func `a name is completed inside quotation marks and after a blank`(shell: Shell) async throws {
      let names = ["An $(touch FILE)", "Be `touch FILE` '\"\\ \\n", "Ef !! ${PATH} * $'z'; ~"]
      let session = try await CompletionSession(shell, names: names)
      for name in names {
        let typed = String(name.prefix(3))
        for line in ["\"\(typed)", "'\(typed)", typed.replacing(" ", with: "\\ ")] {
          let arguments = try await session.complete("contactsctl show \(line)")
          #expect(arguments == ["show", name], "\(line)")
          #expect(session.isUntouched, "\(name)")
        }
      }
    }

    @Test(arguments: Shell.allCases)
    func `the common prefix of several names runs nothing`(shell: Shell) async throws {
      let session = try await CompletionSession(
        shell, names: ["Mi `touch FILE`a", "Mi `touch FILE`b"])
      let arguments = try await session.complete("contactsctl show Mi")
      #expect(arguments.first == "show")
      #expect(arguments.last?.hasPrefix("Mi `touch FILE`") == true, "\(arguments)")
      #expect(session.isUntouched)
    }

    @Test(arguments: Shell.allCases)
    func `a deleted contact is completed by its name, or else by its id`(shell: Shell) async throws
    {
      let name = "Qu $(touch FILE)"
      let session = try await CompletionSession(shell, names: [name])
      #expect(try await session.device.control("rm", name).status == 0)
      let restored = try await session.complete("contactsctl trash restore Q")
      #expect(restored == ["trash", "restore", name])
      let trash = try await session.device.control("--plain", "trash", "list").rows
      let id = try #require(trash.first?.first)
      let byID = try await session.complete("contactsctl trash restore \(id.dropLast(2))")
      #expect(byID == ["trash", "restore", id])
      #expect(session.isUntouched)
    }

    @Test(arguments: Shell.allCases)
    func `titles of groups and descriptions of ids run nothing`(shell: Shell) async throws {
      let session = try await CompletionSession(
        shell, names: ["%F{red}$(touch FILE) `touch FILE` [x]:y\\"])
      let title = "Qa $(touch FILE) `touch FILE`; !!"
      #expect(try await session.device.control("group", "add", title).status == 0)
      #expect(
        try await session.complete("contactsctl list --group Q") == ["list", "--group", title])
      let listed = try await session.device.control("--plain", "search", "touch").rows
      let id = try #require(listed.first?.first)
      #expect(try await session.complete("contactsctl rm \(id.dropLast(2))") == ["rm", id])
      #expect(session.isUntouched)
    }
  }
}
