// Following a post or its author: query, begin, end, toggle. With `author` in the query, the route is about
// the author.

import AgentAPI
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import TimelineStore

extension AgentRoutes {
  func addFollowRoutes(to router: Router<BasicRequestContext>) {
    let follow = AgentPath.follow().route
    router.get(follow) { request, context in
      _ = try Self.isAboutAuthor(request)
      return try told(following: name(context))
    }
    router.put(follow) { request, context in
      try await set(true, of: name(context), request)
    }
    router.delete(follow) { request, context in
      try await set(false, of: name(context), request)
    }
    router.post(follow) { request, context in
      let name = try name(context)
      let isFollowing =
        try Self.isAboutAuthor(request)
        ? try reader.isFollowing(authorOf: name) : try reader.isFollowing(post: name)
      return try await set(!isFollowing, of: name, request)
    }
  }

  private static func isAboutAuthor(_ request: Request) throws -> Bool {
    try request.flag(AgentQuery.author)
  }

  private func set(
    _ follows: Bool, of post: RecordName, _ request: Request
  ) async throws -> Response {
    guard try Self.isAboutAuthor(request) else {
      try await driver.edit { replica, now in
        (
          (),
          try follows
            ? replica.follow(post: post, now: now) : replica.unfollow(post: post, now: now)
        )
      }
      return try told(following: post)
    }
    guard let view = try reader.post(named: post) else { throw RecordsError.noPost(post) }
    let who = try await identity(knowing: [view.author])
    let name = view.author.flatMap { who.knownName(of: $0) } ?? "Someone"
    try await driver.edit { replica, now in
      (
        (),
        try follows
          ? replica.follow(authorOf: post, name: name, now: now)
          : replica.unfollow(authorOf: post, now: now)
      )
    }
    return try told(following: post)
  }

  private func told(following post: RecordName) throws -> Response {
    guard try reader.post(named: post) != nil || reader.isFollowing(post: post) else {
      throw RecordsError.noPost(post)
    }
    let isFollowing = try reader.isFollowing(post: post)
    let isFollowingAuthor = try reader.isFollowing(authorOf: post)
    return try .json(
      FollowView(post: post.text, following: isFollowing, followingAuthor: isFollowingAuthor))
  }
}
