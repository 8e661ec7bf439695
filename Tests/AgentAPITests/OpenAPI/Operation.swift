// The table that the test compares with docs/openapi.yaml: a new operation needs a line here and a place in the page.

@testable import AgentAPI

/// An operation of the agent, with the types of its bodies.
struct Operation: Sendable {
  /// A body of a request or response.
  enum Body: Sendable {
    case none
    case json(any (Codable & Sendable).Type)
    /// A form that is only decoded.
    case form(any (Decodable & Sendable).Type)
    /// One object in each line.
    case lines(any (Codable & Sendable).Type)
    /// Server-sent events, most of which have this type.
    case events(any (Codable & Sendable).Type)
    /// Server-sent events of several types.
    case mixedEvents
    /// The bytes of a picture or of a file of contacts.
    case file

    /// The media type of the JSON, and its type; `nil` for a body that is no JSON of one type.
    var typed: (media: String, type: any (Decodable & Sendable).Type)? {
      switch self {
      case .json(let type): ("application/json", type)
      case .form(let type): ("application/json", type)
      case .lines(let type): ("application/x-ndjson", type)
      case .events(let type): ("text/event-stream", type)
      case .none, .mixedEvents, .file: nil
      }
    }
  }

  let method: String
  let path: AgentPath
  let status: String
  let request: Body
  let response: Body
  /// Keys that the form leaves optional and the route requires, with an error that names the key.
  var requiredKeys: Set<String> = []

  private init(
    _ method: String, _ path: AgentPath, _ request: Body, _ status: String, _ response: Body
  ) {
    self.method = method
    self.path = path
    self.request = request
    self.status = status
    self.response = response
  }

  /// The path as in docs/openapi.yaml.
  var pagePath: String {
    let segments = path.segments.map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : $0 }
    return "/v1/" + segments.joined(separator: "/")
  }

  private func requiring(_ key: String) -> Operation {
    var operation = self
    operation.requiredKeys.insert(key)
    return operation
  }

  private static func get(_ path: AgentPath, _ response: Body) -> Operation {
    Operation("get", path, .none, "200", response)
  }

  private static func get(_ path: AgentPath, _ response: any (Codable & Sendable).Type) -> Operation
  {
    get(path, .json(response))
  }

  private static func delete(
    _ path: AgentPath, _ response: (any (Codable & Sendable).Type)? = nil
  ) -> Operation {
    write("delete", path, .none, response)
  }

  private static func write(
    _ method: String, _ path: AgentPath, _ request: Body,
    _ response: (any (Codable & Sendable).Type)?,
    status: String = "200"
  ) -> Operation {
    Operation(
      method, path, request, response == nil ? "204" : status, response.map { .json($0) } ?? .none)
  }

  private static func post(
    _ path: AgentPath, _ request: (any (Codable & Sendable).Type)?,
    _ response: (any (Codable & Sendable).Type)?,
    status: String = "200"
  ) -> Operation {
    write("post", path, request.map { .json($0) } ?? .none, response, status: status)
  }

  private static func patch(
    _ path: AgentPath, _ request: any (Codable & Sendable).Type,
    _ response: (any (Codable & Sendable).Type)?
  ) -> Operation {
    write("patch", path, .json(request), response)
  }

  private static func put(
    _ path: AgentPath, _ request: any (Codable & Sendable).Type,
    _ response: any (Codable & Sendable).Type
  ) -> Operation {
    write("put", path, .json(request), response)
  }
}

extension Operation {
  /// All operations.
  static let all = device + joining + contacts + history + groups + sharing + streams + timeline

  private static let device: [Operation] = [
    get(.status, StatusView.self), get(.check, CheckView.self),
    post(.sync, SyncForm.self, StatusView.self), get(.settings, SettingsView.self),
    get(.setting(), SingleView<SettingView>.self),
    put(.setting(), SettingForm.self, SingleView<SettingView>.self),
    delete(.setting(), SingleView<SettingView>.self), get(.permissions, PermissionsView.self),
    get(.permission(), SingleView<PermissionItem>.self),
    put(.permission(), PermissionForm.self, SingleView<PermissionItem>.self),
    get(.devices, DevicesView.self), patch(.device(), DeviceForm.self, nil), delete(.device()),
    post(.webOpen, nil, WebLinkView.self), get(.cardDAV, CardDAVView.self),
    post(.appPasswords, AppPasswordForm.self, NewAppPasswordView.self, status: "201"),
    delete(.appPassword()), get(.drafts, DraftsView.self),
    write("put", .draft(), .json(DraftForm.self), nil), delete(.draft()),
  ]

  private static let joining: [Operation] = [
    get(.whoami, WhoamiView.self), patch(.whoami, WhoamiForm.self, WhoamiView.self),
    post(.signIn, SignInForm.self, WhoamiView.self), post(.signOut, SignOutForm.self, nil),
    post(.invitation, JoinForm.self, ExaminedInvitationView.self),
    post(.deviceInvitation, nil, InvitationView.self), get(.accounts, AccountsView.self),
  ]

  private static let contacts: [Operation] = [
    get(.contacts, ContactsView.self),
    write(
      "post", .contacts, .form(ContactForm.self), SingleView<ContactItem>.self, status: "201"),
    get(.contact(), SingleView<ContactItem>.self),
    write("put", .contact(), .form(ContactForm.self), SingleView<ContactItem>.self),
    write("patch", .contact(), .form(ContactForm.self), SingleView<ContactItem>.self),
    delete(.contact()), get(.photo(), .file),
    write("put", .photo(), .file, SingleView<ContactItem>.self), delete(.photo()),
    get(.sections, SectionsView.self), get(.duplicates, DuplicatesView.self),
    post(.merge(), MergeForm.self, MergedView.self),
    Operation("post", .contactImport, .file, "200", .lines(ImportLine.self)),
    get(.contactExport, .file),
  ]

  private static let history: [Operation] = [
    get(.history(), ContactHistoryView.self), get(.trash, TrashView.self),
    delete(.trash, ErasedView.self), post(.restore(), nil, SingleView<ContactItem>.self),
    get(.actions, ActionsView.self), post(.undo, UndoForm.self, UndoView.self),
    get(.refused, RefusedView.self), delete(.refusedEdit()),
    post(.refusedEdit(), RetryForm.self, RetriedView.self),
    get(.conflicts, ConflictsView.self), get(.conflict(), SingleView<ConflictItem>.self),
    post(.conflict(), ResolutionForm.self, ResolvedView.self),
  ]

  private static let groups: [Operation] = [
    get(.groups, GroupsView.self),
    post(.groups, GroupForm.self, SingleView<GroupItem>.self, status: "201"),
    patch(.group(), GroupForm.self, SingleView<GroupItem>.self), delete(.group()),
    post(.restoredGroup(), nil, RestoredGroupView.self),
    post(.contacts(), MoveForm.self, MovedView.self),
  ]

  private static let sharing: [Operation] = [
    post(.share(), SharingForm.self, ShareView.self), get(.share(), ShareView.self),
    patch(.share(), SharingForm.self, ShareView.self).requiring("anyone"), delete(.share()),
    post(.link(), ShareLinkForm.self, ShareView.self), delete(.link(), ShareView.self),
    get(.participants(), ParticipantsView.self),
    post(.participants(), ParticipantInvitationForm.self, ShareView.self),
    patch(.participant(), ParticipantForm.self, ShareView.self),
    delete(.participant(), ShareView.self), get(.requests(), AccessRequestsView.self),
    post(.request(), DecisionForm.self, ShareView.self), post(.leave(), nil, nil),
    post(.sharePreview, FollowedLinkForm.self, PreviewView.self),
    post(.shareAcceptance, FollowedLinkForm.self, PreviewView.self),
    post(.shareRequest, FollowedLinkForm.self, nil),
    post(.shareRefusal, FollowedLinkForm.self, nil),
  ]

  private static let streams: [Operation] = [
    get(.events, .events(EventView.self)), get(.allEvents, .mixedEvents),
    get(.subscriptions, SubscriptionsView.self),
    post(
      .subscriptions, SubscribeForm.self, SingleView<SubscriptionItem>.self, status: "201"),
    get(.subscription(), SingleView<SubscriptionItem>.self), delete(.subscription()),
    get(.notifications, NotificationsView.self),
    get(.notificationEvents, .events(SingleView<NotificationItem>.self)),
    post(.seenNotifications, SeenForm.self, SeenView.self),
  ]

  private static let timeline: [Operation] = [
    get(.posts, PostsView.self),
    write("post", .posts, .file, SinglePostView.self, status: "201"),
    get(.post(), SinglePostView.self),
    patch(.post(), CaptionForm.self, SinglePostView.self).requiring("caption"), delete(.post()),
    get(.postPhoto(), .file),
    post(.postComments(), CommentForm.self, SingleView<CommentItem>.self, status: "201")
      .requiring("text"),
    get(.follow(), FollowView.self), write("put", .follow(), .none, FollowView.self),
    delete(.follow(), FollowView.self), post(.follow(), nil, FollowView.self),
    get(.comments, CommentsView.self),
    patch(.comment(), CommentForm.self, SingleView<CommentItem>.self).requiring("text"),
    delete(.comment()), get(.timeline, TimelineView.self),
    post(.timelineSync, TimelineSyncForm.self, TimelineView.self),
  ]
}
