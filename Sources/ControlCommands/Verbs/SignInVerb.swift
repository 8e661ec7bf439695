// Whose contacts are on this device. Signing out takes everything of the account off it; signing in
// makes it a new device of an account.

import ArgumentParser
import Foundation
import Records

/// `signin`: work for an account.
struct SignInVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "signin", abstract: "Sign this device in to an account.",
    discussion: """
      With --key the device keeps its identity and gets a new key, made by the administrator with \
      “contacts-broker device rotate-key”. Data on the device is kept, and unsent edits are sent.
      """)

  @Argument(help: "The account's name.") var account: String?
  @Option(
    help: ArgumentHelp("Read the device's new key from this file.", valueName: "file|-"),
    completion: .file()) var key: String?
  @OptionGroup var global: GlobalFlags

  private struct Form: Encodable, Sendable {
    let account: String?
    let key: String?
  }

  func validate() throws {
    guard (account == nil) != (key == nil) else {
      throw ValidationError("Give an account name, or a key file with --key.")
    }
  }

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    let form = Form(account: account, key: try key.map(Self.read))
    let reply = try await session.agent.send(.post, ["signin"], body: form)
    if session.printer.style == .json { session.printer.json(reply.bytes) }
    return .done
  }

  /// The key's file, or the input; more than a key has is not read.
  private static func read(path: String) throws(ControlFailure) -> String {
    do {
      let file =
        path == "-"
        ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(filePath: path))
      return String(decoding: try file.read(upToCount: 1 << 10) ?? Data(), as: UTF8.self)
    } catch {
      throw ControlFailure(
        code: "inputOutput", message: "Cannot read “\(path)”.",
        hint: "Check that the file exists and that you can read it.", exitCode: .inputOutput)
    }
  }
}

/// `signout`: work for nobody.
struct SignOutVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "signout", abstract: "Sign out and remove the account's data from this device.",
    discussion: """
      The broker and the account's other devices keep the data. Fails if the broker does not have \
      all edits of this device; “contactsctl sync --wait” sends them first.
      """)

  @Flag(help: "Discard edits that the broker does not have.") var discard = false
  @OptionGroup var confirmation: ConfirmationFlags
  @OptionGroup var global: GlobalFlags

  private struct Form: Encodable, Sendable {
    let discard: Bool
  }

  private struct Done: Encodable, Sendable {
    let schema = 1
    let state = "signed out"

    enum CodingKeys: CodingKey { case schema, state }
  }

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    let unsent = discard ? " Edits that the broker does not have are lost." : ""
    try confirmation.confirm(
      "All data of the account will be removed from this device.\(unsent)", "Sign out?",
      on: session.printer)
    _ = try await session.agent.send(.post, ["signout"], body: Form(discard: discard))
    if session.printer.style == .json {
      session.printer.json(try JSONText.encoded(Done()))
    } else {
      session.printer.remark("Signed out. The account's data was removed from this device.")
    }
    return .done
  }
}
