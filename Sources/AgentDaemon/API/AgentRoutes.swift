// The routes. Each parses its request, calls the driver or the reader, and responds with a type of AgentAPI.
// Rules about contacts are in Contacts, rules about devices in the replica. docs/openapi.yaml describes the
// interface.

import AddressBook
import ByteCounts
import DaemonKit
import DeviceDriver
import DeviceStore
import Foundation
import Hummingbird
import Logging
import Records

/// The dependencies of the routes.
struct AgentRoutes: Sendable {
  /// The maximum size of a request body.
  static let bodyBytesMax = 1 << 20

  let driver: ReplicaDriver
  let settings: DeviceSettings
  let logger: Logger
  /// Links whose digests are being sent to the broker.
  let offers = LinkOffers()
  /// The sockets that are kept while the agent restarts.
  let sockets: KeptSockets
  /// The listener of the web page.
  let web: WebListener
  /// The listener of CardDAV clients.
  let cardDAV: CardDAVListener
  /// The settings at the start; `nil` if the agent was not started as a program.
  var given: AgentSettings?
  /// The location of the broker; `nil` if the agent was not started as a program.
  var current: CurrentBroker?
  /// The time that active requests have to finish when the agent stops.
  var drainTimeout = Duration.seconds(2)

  init(
    driver: ReplicaDriver, settings: DeviceSettings, logger: Logger,
    sockets: KeptSockets = KeptSockets(), given: AgentSettings? = nil, current: CurrentBroker? = nil
  ) {
    self.driver = driver
    self.settings = settings
    self.logger = logger
    self.given = given
    self.current = current
    self.sockets = sockets
    web = WebListener(sockets: sockets)
    cardDAV = CardDAVListener()
  }

  var reader: DeviceReader { driver.reader }

  /// The responder of all routes, and their methods.
  func responder() -> (RouterResponder<BasicRequestContext>, AllowedMethods) {
    let router = Router()
    addListRoutes(to: router)
    addContactRoutes(to: router)
    addPhotoRoutes(to: router)
    addGroupRoutes(to: router)
    addMoveRoutes(to: router)
    addProfileRoutes(to: router)
    addJoinRoutes(to: router)
    addShareRoutes(to: router)
    addParticipantRoutes(to: router)
    addLinkRoutes(to: router)
    addHistoryRoutes(to: router)
    addUndoRoutes(to: router)
    addConflictRoutes(to: router)
    addRefusedRoutes(to: router)
    addDeviceRoutes(to: router)
    addDuplicateRoutes(to: router)
    addStatusRoutes(to: router)
    addSettingRoutes(to: router)
    addEventRoute(to: router)
    addAllEventsRoute(to: router)
    addTransferRoutes(to: router)
    addSubscriptionRoutes(to: router)
    addNotificationRoutes(to: router)
    addPermissionRoutes(to: router)
    addPostRoutes(to: router)
    addCommentRoutes(to: router)
    addFollowRoutes(to: router)
    addTimelineRoutes(to: router)
    addWebRoute(to: router)
    addDraftRoutes(to: router)
    addAppPasswordRoutes(to: router)
    let methods = AllowedMethods(router.routes.map { ("\($0.path)", $0.method) })
    return (router.buildResponder(), methods)
  }

  /// The identity of this agent, with the names that replace ids in answers.
  func identity() throws -> Identity {
    var identity = try driver.identity()
    identity.accountName = identity.accountName ?? settings.accountName
    return identity
  }

  /// Decodes the body of `request` as `form`.
  func body<Form: Decodable>(_ request: Request, as form: Form.Type) async throws -> Form {
    let buffer: ByteBuffer
    do {
      buffer = try await request.body.collect(upTo: Self.bodyBytesMax)
    } catch {
      throw RecordsError(
        .limitExceeded,
        "The request body is incomplete or larger than \(ByteCount(Self.bodyBytesMax).limit).")
    }
    return try JSONDecoder().decode(form, from: Data(buffer.readableBytesView))
  }

  /// Returns the path parameter `id`, unescaped.
  func id(_ context: BasicRequestContext) throws -> String {
    guard let text = context.parameters.get("id")?.removingPercentEncoding else {
      throw RecordsError.invalid("The path has an invalid percent escape.")
    }
    return text
  }

  /// Returns the group with the id or title `text`, or whose id begins with it.
  /// - Throws: `zoneNotFound`, or `invalidArguments` if several groups match.
  func zone(_ text: String) throws -> GroupView {
    let groups = try reader.groups()
    if let group = groups.first(where: { GroupID.text($0.zone) == text }) { return group }
    var titled = groups.filter { $0.displayTitle == text }
    if titled.isEmpty, text.count >= Limits.idBeginningCharactersMinimum {
      titled = groups.filter { GroupID.text($0.zone).hasPrefix(text) }
    }
    // As with the names of contacts, case matters only if it tells two titles apart.
    if titled.isEmpty {
      titled = groups.filter { $0.displayTitle.lowercased() == text.lowercased() }
    }
    guard let only = titled.first else {
      throw RecordsError(
        .zoneNotFound, "There is no group “\(text.prefix(80))”.",
        hint: "To see the ids and titles of the groups: contactsctl group list")
    }
    guard titled.count == 1 else {
      let candidates = titled.prefix(10).map { $0.distinctTitle(among: groups) }
      throw RecordsError(
        .invalidArguments,
        "“\(text.prefix(80))” matches \(titled.count) groups: "
          + candidates.joined(separator: ", ") + ".",
        hint: "Use the id in parentheses.", reason: "ambiguous")
    }
    return only
  }
}

extension GroupView {
  /// The title for people; the standard zone is called “Contacts”.
  var displayTitle: String { zone == .standard ? "Contacts" : title }

  /// Returns the title for a sentence, with the owner and the id if another group in `groups` has the same
  /// title.
  func distinctTitle(among groups: [GroupView]) -> String {
    let title = "“\(displayTitle)”"
    guard groups.count(where: { $0.displayTitle == displayTitle }) > 1 else { return title }
    let owner = zone.owner == .current ? "" : " of \(ownerDisplayName)"
    return "\(title)\(owner) (\(GroupID.text(zone)))"
  }
}
