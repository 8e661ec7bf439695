import Records

/// All discoverable users, by account name, fetched page by page. See
/// `Container.discoverableUserIdentities()`.
public struct DiscoverableUsers: AsyncSequence, Sendable {
  /// A discoverable user.
  public typealias Element = UserIdentity
  /// The error that ends the sequence.
  public typealias Failure = RecordsError

  let session: any MessageSession

  /// An iterator over the users, which holds one page of 100 at most.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let session: any MessageSession
    private var buffer: ArraySlice<UserIdentity> = []
    private var lastName = ""
    private var isLastPage = false

    init(_ session: any MessageSession) {
      self.session = session
    }

    /// Returns the next user; `nil` after the last one.
    /// - Throws: The same errors as `Container.currentUserIdentity()`.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(RecordsError) -> UserIdentity? {
      while buffer.isEmpty, !isLastPage {
        let answer = try await session.ask(.account(.discoverable(after: lastName)))
        guard case .accounts(let profiles, let isWhole) = answer else {
          throw Database.unexpectedAnswer
        }
        buffer = ArraySlice(profiles.map(UserIdentity.init))
        lastName = profiles.last?.name ?? lastName
        // NB: a page that is empty and not the last one would be requested again without end.
        isLastPage = isWhole || profiles.isEmpty
      }
      return buffer.popFirst()
    }
  }

  /// Returns an iterator at the first user.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(session) }
}
