// Signs the device in to an account, or out. Signing out deletes all data of the account on the device;
// signing in makes it a new device of an account.

import AgentAPI
import ArgumentParser
import Foundation
import Pairing
import Records

/// `signin`: sign in to an account.
struct SignInCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "signin", abstract: "Sign this device in to an account.",
    discussion: """
      With an invitation, from “contactsctl devices invite” or “contacts-broker invite”, the device \
      joins an account on a broker that runs on another machine. Contacts that are already here \
      need --bring or --replace.

      With --key the device keeps its identity and gets a new key, made by the administrator with \
      “contacts-broker device rotate-key”. Data on the device is kept, and unsent edits are sent.
      """)

  @Argument(help: "The account's name, or an invitation: its link or its code.")
  var account: String?
  @Option(
    help: ArgumentHelp("Where the broker of the invitation is.", valueName: "host:port"))
  var address: String?
  @Flag(help: "Add the contacts on this device to the account.") var bring = false
  @Flag(help: "Delete the contacts on this device.") var replace = false
  @OptionGroup var confirmation: ConfirmationFlags
  @Option(
    help: ArgumentHelp("Read the device's new key from this file.", valueName: "file|-"),
    completion: .file()) var key: String?
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    guard (account == nil) != (key == nil) else {
      throw ValidationError("Give an account name, an invitation, or a key file with --key.")
    }
    guard !bring || !replace else {
      throw ValidationError("--bring and --replace exclude each other.")
    }
    let isInvitation = account.map(DeviceInvitation.isLikely) ?? false
    guard isInvitation || address == nil && !bring && !replace else {
      throw ValidationError("--address, --bring and --replace belong to an invitation.")
    }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    if let account, DeviceInvitation.isLikely(account) { return try await join(account, session) }
    let form = SignInForm(account: account, key: try key.map(Self.read))
    let reply = try await session.agent.send(.post, .signIn, body: form)
    if session.printer.style == .json { session.printer.json(reply.bytes) }
    return .done
  }

  /// Shows the description of the invitation, asks, and joins.
  private func join(
    _ invitation: String, _ session: CommandSession
  ) async throws(ControlFailure) -> ExitStatus {
    do throws(RecordsError) {
      _ = try DeviceInvitation(text: invitation)
    } catch {
      throw .error(error.code, error.message, hint: error.hint)
    }
    var form = JoinForm(invitation: invitation, address: address)
    if !confirmation.yes {
      let found = try await session.agent.send(.post, .invitation, body: form)
        .decoded(as: ExaminedInvitationView.self)
      let contacts = Quantity.text(found.contacts, "contact")
      guard found.contacts == 0 || bring || replace else {
        throw .error(
          .constraintViolation, "This device already has \(contacts).",
          hint: "To add them to the account: --bring. To delete them: --replace.")
      }
      let own =
        found.contacts == 0
        ? "" : bring ? " It brings \(contacts) along." : " \(contacts) here will be deleted."
      let unsaved = replace ? try await session.unsavedDrafts().sentence : ""
      try confirmation.confirm(
        "This device will join the account “\(found.account)” at \(found.broker).\(own)\(unsaved)",
        "Go on?", on: session.printer)
    }
    form.mode = bring ? .bring : replace ? .replace : nil
    let reply = try await session.agent.send(.post, .signIn, body: SignInForm(form))
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      session.printer.remark("This device has joined the account.")
    }
    return .done
  }

  /// Reads the key from a file or standard input, at most its length.
  private static func read(path: String) throws(ControlFailure) -> String {
    if path == "-" { try InputFile.requireStandardInput() }
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

/// `signout`: sign out.
struct SignOutCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "signout", abstract: "Sign out and remove the account's data from this device.",
    discussion: """
      The broker and the account's other devices keep the data. Fails if the broker does not have \
      all edits of this device; “contactsctl sync --wait” sends them first. Drafts of the web page \
      are only on this device: the question says how many will be lost, and --yes needs --discard.
      """)

  @Flag(help: "Discard edits that the broker does not have, and drafts of the web page.")
  var discard = false
  @OptionGroup var confirmation: ConfirmationFlags
  @OptionGroup var global: GlobalFlags

  private struct Done: Encodable, Sendable {
    let schema = 1
    let state = "signed out"

    enum CodingKeys: CodingKey { case schema, state }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let unsent = discard ? " Edits that the broker does not have are lost." : ""
    // A user who reads the question knows about the drafts.
    let drafts = confirmation.yes ? UnsavedDrafts() : try await session.unsavedDrafts()
    try confirmation.confirm(
      "All data of the account will be removed from this device.\(unsent)\(drafts.sentence)",
      "Sign out?", on: session.printer)
    let form = SignOutForm(discard: discard, discardDrafts: discard || drafts.count > 0)
    _ = try await session.agent.send(.post, .signOut, body: form)
    if session.printer.style == .json {
      session.printer.json(try JSONText.encoded(Done()))
    } else {
      session.printer.remark("Signed out. The account's data was removed from this device.")
    }
    return .done
  }
}

/// The drafts of the web page, which are only on this device.
private struct UnsavedDrafts {
  var count = 0

  /// What a question says about them; empty if there are none.
  var sentence: String {
    count == 0 ? "" : " \(Quantity.text(count, "draft")) of the web page will be lost."
  }
}

extension CommandSession {
  /// Counts the drafts.
  fileprivate func unsavedDrafts() async throws(ControlFailure) -> UnsavedDrafts {
    UnsavedDrafts(count: try await agent.get(.status).decoded(as: StatusView.self).drafts)
  }
}
