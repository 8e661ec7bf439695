import CPostgreSQL

/// The warnings that the server sent beside its answers. They never reach stderr, where libpq would print them.
final class ServerNotices {
  private(set) var warnings: [PostgreSQLError] = []

  /// Makes `connection` report to this object, which must outlive it.
  func receive(from connection: OpaquePointer) {
    PQsetNoticeReceiver(
      connection,
      { notices, result in
        guard let notices, let result else { return }
        Unmanaged<ServerNotices>.fromOpaque(notices).takeUnretainedValue().add(result)
      },
      Unmanaged.passUnretained(self).toOpaque())
  }

  func removeAll() {
    warnings.removeAll()
  }

  /// NB: libpq reports the error with which a server ends an idle connection as a notice.
  private func add(_ notice: OpaquePointer) {
    guard ["WARNING", "FATAL", "PANIC"].contains(PostgreSQLError.field("V", of: notice)) else {
      return
    }
    warnings.append(PostgreSQLError(of: notice))
  }
}
