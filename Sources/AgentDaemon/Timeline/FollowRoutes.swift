// Following a post or its author: query, begin, end, toggle. With `author` in the query, the route is about
// the author.

import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import TimelineStore

extension AgentAPI {
  func addFollowRoutes(to router: Router<BasicRequestContext>) {
    let follow = router.group("v1/posts/:id/follow")
    follow.get { _, context in try told(following: name(context)) }
    follow.put { request, context in
      try await set(true, of: name(context), request)
    }
    follow.delete { request, context in
      try await set(false, of: name(context), request)
    }
    follow.post { request, context in
      let name = try name(context)
      let isFollowing =
        Self.isAboutAuthor(request)
        ? try reader.isFollowing(authorOf: name) : try reader.isFollowing(post: name)
      return try await set(!isFollowing, of: name, request)
    }
  }

  private static func isAboutAuthor(_ request: Request) -> Bool {
    request.uri.queryParameters["author"] == "true"
  }

  private func set(
    _ follows: Bool, of post: RecordName, _ request: Request
  ) async throws -> Response {
    guard Self.isAboutAuthor(request) else {
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
    let name = try await identity(knowing: [view.author]).name(of: view.author)
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
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("post")
      json.value(post.text)
      json.key("following")
      json.value(isFollowing)
      json.key("followingAuthor")
      json.value(isFollowingAuthor)
    }
    return .json(json)
  }
}
