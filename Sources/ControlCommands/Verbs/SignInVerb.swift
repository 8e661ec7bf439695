// Whose contacts are on this device. Signing out takes everything of the account off it; signing in
// makes it a new device of an account.

import ArgumentParser
import Records

/// `signin`: work for an account.
struct SignInVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "signin", abstract: "Make this a device of an account.")

  @Argument(help: "The account's name.") var account: String
  @OptionGroup var global: GlobalFlags

  private struct Form: Encodable, Sendable {
    let account: String
  }

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    let reply = try await session.agent.send(.post, ["signin"], body: Form(account: account))
    if session.printer.style == .json { session.printer.json(reply.bytes) }
    return .done
  }
}

/// `signout`: work for nobody.
struct SignOutVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "signout", abstract: "Take everything of the account off this device.",
    discussion: """
      What the account has stays with the broker and on its other devices. With edits that the \
      broker has not got, it is refused.
      """)

  @Flag(help: "Give up edits that the broker has not got.") var discard = false
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
    _ = try await session.agent.send(.post, ["signout"], body: Form(discard: discard))
    if session.printer.style == .json {
      session.printer.json(try JSONText.encoded(Done()))
    } else {
      session.printer.remark("Nothing of the account is on this device any more.")
    }
    return .done
  }
}
