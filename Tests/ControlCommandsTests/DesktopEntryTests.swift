// The desktop entry in desktop/, which opens a clicked link. Any web page can contain a link, so the command of
// the entry must ask before it does anything.

import ArgumentParser
import Foundation
import Testing

@testable import ControlCommands

@Suite("desktop entry for links")
struct DesktopEntryTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let shareLink = "contacts://join/AAECAwQFBgcICQoLDA0ODw"
  private static let deviceLink = "contacts-device:00000-00000-00000-00000-00000-0@localhost:7799"

  private func text(of path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  /// The keys of the entry's only group.
  private func entry() throws -> [String: String] {
    let lines = try text(of: "desktop/contacts-link.desktop").split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
    #expect(lines.filter { $0.hasPrefix("[") } == ["[Desktop Entry]"])
    #expect(lines.first == "[Desktop Entry]")
    let pairs = lines.dropFirst().map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    return Dictionary(
      uniqueKeysWithValues: try pairs.map { (try #require($0.first), $0.last ?? "") })
  }

  /// The words that a desktop executes for a link.
  private func words(for link: String) throws -> [String] {
    try #require(try entry()["Exec"]).split(separator: " ").map { $0 == "%u" ? link : String($0) }
  }

  private func command(for link: String) async throws -> AcceptCommand {
    let line = GlobalFlagPlacement.placing(Array(try words(for: link).dropFirst()))
    return try #require(try await Contactsctl.asyncParseAsRoot(line) as? AcceptCommand)
  }

  @Test func `a desktop opens links of both schemes in a terminal, with an installed program`()
    throws
  {
    let entry = try entry()
    #expect(entry["Type"] == "Application")
    #expect(entry["Terminal"] == "true")
    #expect(
      entry["MimeType"] == "x-scheme-handler/contacts;x-scheme-handler/contacts-device;")
    let program = try #require(try words(for: "").first)
    #expect(program.hasPrefix("@prefix@/bin/"))
    let name = program.dropFirst("@prefix@/bin/".count)
    let script = try text(of: "scripts/install")
    let programs = try #require(
      script.split(separator: "\n").first { $0.hasPrefix("for program in ") })
    #expect(programs.split { " ;".contains($0) }.dropFirst(3).contains { $0 == name })
    #expect(script.contains("install_text desktop/contacts-link.desktop"))
  }

  @Test(arguments: [shareLink, deviceLink])
  func `a clicked link is shown and asked about, and the window stays open`(
    link: String
  ) async throws {
    let command = try await command(for: link)
    #expect(command.link == link)
    #expect(command.hold)
    #expect(!command.yes && !command.request && !command.preview)
  }

  @Test(arguments: ["--yes", "--request", "--agent=/tmp/other", "--no-input"])
  func `a link cannot add an option to the command`(link: String) async throws {
    let command = try await command(for: link)
    #expect(command.link == link)
    #expect(command.hold && !command.yes && !command.request)
    #expect(command.global.agent == nil)
  }
}
