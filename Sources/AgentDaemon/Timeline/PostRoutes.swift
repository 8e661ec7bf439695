// Posts: added with a photo and a caption, listed, shown, edited, deleted. The photo is the body of the request, so
// the agent reads it in chunks; the caption is in the query.

import AgentAPI
import AssetFiles
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Images
import Records
import Timeline
import TimelineStore

extension AgentRoutes {
  func addPostRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.posts.route) { request, _ in try await list(request) }
    router.post(AgentPath.posts.route) { request, _ in try await post(request) }
    let route = AgentPath.post().route
    router.get(route) { request, context in
      try await shown(post: name(context), behind: request.parameter(AgentQuery.cursor))
    }
    // Comments can be deleted under either path.
    router.delete(route) { _, context in try await delete(name(context)) }
    router.patch(route) { request, context in
      try await edit(captionOf: name(context), request)
    }
    router.get(AgentPath.postPhoto().route) { request, context in
      try await photo(of: name(context), request)
    }
  }

  /// Returns the name of the post or comment whose id, or the beginning of it, is in the path; if there is
  /// none, the id as the name of a record.
  /// - Throws: `invalidArguments`, reason `ambiguous`, if several ids of posts, or of comments, begin with it.
  func name(_ context: BasicRequestContext) throws -> RecordName {
    let name = try RecordName(id(context))
    let named = try [PostRecord.type, CommentRecord.type].map {
      try reader.publicRecordNames(beginningWith: name.text, type: $0)
    }
    // A whole id is the first of those that begin with it.
    guard !named.contains(where: { $0.first == name }) else { return name }
    for found in named {
      guard found.count < 2 else {
        throw RecordsError(
          .invalidArguments, "Several ids begin with “\(name.text.prefix(80))”.",
          hint: "Use more characters of the id.", reason: "ambiguous")
      }
      if let only = found.first { return only }
    }
    return name
  }

  // MARK: Looking

  private func list(_ request: Request) async throws -> Response {
    let states = try Self.states(request)
    let limit = Int(try NumberParameter(AgentQuery.limit, 1...1000).value(in: request) ?? 100)
    let search = request.parameter(AgentQuery.search)
    let page = try reader.posts(
      PostQuery(
        search: try search.map { try TimelineSearch($0) }, states: states,
        cursor: request.parameter(AgentQuery.cursor), limit: limit))
    let who = try await identity(knowing: page.posts.map(\.author))
    var response = try Response.json(
      PostsView(posts: page.posts.map { PostItem($0, who: who) }, next: page.next),
      reservingBytes: 512 * (page.posts.count + 1))
    if let next = page.next { response.headers[.nextCursor] = next }
    return response
  }

  /// Returns the states in `state`, separated by commas; all if it is absent.
  static func states(_ request: Request) throws -> Set<SyncState> {
    guard let words = request.parameter(AgentQuery.state) else { return Set(SyncState.allCases) }
    let states = words.split(separator: ",", omittingEmptySubsequences: false)
      .map { SyncState(rawValue: String($0)) }
    guard !states.contains(nil) else {
      let known = SyncState.allCases.map(\.rawValue).joined(separator: ", ")
      throw RecordsError.invalid("state must be one or more of: \(known).", field: AgentQuery.state)
    }
    return Set(states.compactMap(\.self))
  }

  private func shown(
    post name: RecordName, behind cursor: String? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    guard let view = try reader.post(named: name) else { throw RecordsError.noPost(name) }
    let page = try reader.comments(of: name, behind: cursor)
    let who = try await identity(knowing: [view.author] + page.comments.map(\.author))
    let fetched = await driver.downloadedBytes(of: view.post.photo)
    let path = view.isPhotoHere ? driver.files.disk.path(of: view.post.photo.id) : nil
    let fetchedBytes =
      view.isPhotoHere ? Int64(view.post.photo.byteCount) : fetched.map { Int64($0) }
    var response = try Response.json(
      SinglePostView(
        post: PostItem(view, path: path, who: who),
        comments: page.comments.map { CommentItem($0, who: who) }, fetchedBytes: fetchedBytes,
        next: page.next),
      status: status)
    if let next = page.next { response.headers[.nextCursor] = next }
    return response
  }

  private func photo(of name: RecordName, _ request: Request) async throws -> Response {
    guard let view = try reader.post(named: name) else { throw RecordsError.noPost(name) }
    if request.headers[.ifNoneMatch] == "\"\(view.post.photo.id)\"" {
      return Response(status: .notModified)
    }
    let asset = view.post.photo
    await driver.keepPhoto(asset, seconds: Self.lookedAtSeconds, logger: logger)
    return try await response(serving: asset, in: .public, request)
  }

  /// How long a photo is retained after a user viewed it, regardless of the setting.
  private static let lookedAtSeconds: Int64 = 86_400

  // MARK: Posting

  private func post(_ request: Request) async throws -> Response {
    guard let typed = request.parameter(AgentQuery.caption) else {
      throw RecordsError(
        .invalidArguments, "A post needs a caption.",
        hint: "The caption becomes the first comment.",
        field: AgentQuery.caption)
    }
    let caption = try CommentText(typed, field: AgentQuery.caption)
    let name = try await savePhoto(in: request) { replica, now, asset, probe in
      var generator = SystemRandomNumberGenerator()
      let photo = PostedPhoto(
        asset: asset, mediaType: probe.format.rawValue, width: probe.width, height: probe.height)
      return try replica.post(photo, caption: caption, now: now, using: &generator)
    }
    var response = try await shown(post: name, status: .created)
    response.headers[.location] = AgentPath.post(name.text).pattern
    return response
  }

  private func edit(captionOf name: RecordName, _ request: Request) async throws -> Response {
    let caption = try CommentText(
      try await body(request, as: CaptionForm.self).caption ?? "", field: AgentQuery.caption)
    try await requireAuthor(of: name, to: "edit")
    try await driver.edit { replica, now in
      ((), try replica.edit(captionOf: name, caption, now: now))
    }
    return try await shown(post: name)
  }
}
