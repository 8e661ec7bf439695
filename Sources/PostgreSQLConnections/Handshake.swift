// Opening a connection. libpq's own message is long, may be in the server's language and names no code, so the errors
// are asked for as codes and become sentences that say what to do.

import CPostgreSQL
import Glibc
import Records

/// An attempt to connect to a server.
struct Handshake {
  /// The oldest major version of the server: the first with pipelines on its side of libpq and with all that the
  /// stores' SQL uses.
  static let oldestVersion = 14

  private let connection: OpaquePointer

  /// Connects to the server that `address`, a URI or a connection string of libpq, names. The caller ends the
  /// connection with `PQfinish`.
  /// - Throws: `StoreError` with one sentence, which never contains the password.
  static func connect(
    to address: String, _ settings: ConnectionSettings, notices: ServerNotices
  ) throws -> OpaquePointer {
    guard libpq_load() else {
      throw StoreError(
        .unreadable, "PostgreSQL's library libpq.so.5 is missing: install it (package libpq5).")
    }
    let hostCount = try checkAndCountHosts(address)
    let connection = start(address, settings)
    guard let connection else {
      throw StoreError(.unexpected, "There is no memory for a connection.")
    }
    do {
      let handshake = Handshake(connection: connection)
      // Codes instead of sentences, which would be in the server's language.
      PQsetErrorVerbosity(connection, PQERRORS_SQLSTATE)
      notices.receive(from: connection)
      try handshake.complete(within: settings.connectLimit * hostCount)
      PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
      try checkVersion(PQserverVersion(connection), of: handshake.place)
      return connection
    } catch {
      PQfinish(connection)
      throw error
    }
  }

  /// Returns the number of hosts in `address`, which libpq tries in turn.
  ///
  /// NB: libpq's message about an address it cannot read quotes parts of it, which may be the password.
  private static func checkAndCountHosts(_ address: String) throws -> Int {
    let options = PQconninfoParse(address, nil)
    defer { PQconninfoFree(options) }
    var option = options
    var isValid = option != nil
    var hostCount = 1
    while let current = option?.pointee, let keyword = current.keyword {
      let value = current.val.map { String(cString: $0) } ?? ""
      isValid = isValid && isPlausible(value, as: String(cString: keyword))
      if String(cString: keyword).hasPrefix("host") {
        hostCount = max(hostCount, value.split(separator: ",").count)
      }
      option = option?.successor()
    }
    guard isValid else {
      throw StoreError(
        .unreadable,
        """
        The address of the PostgreSQL database cannot be read: write it as \
        postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for each “@” in the password.
        """)
    }
    return hostCount
  }

  /// A password with an unescaped “@” or “:” continues in the host or the port.
  private static func isPlausible(_ value: String, as keyword: String) -> Bool {
    switch keyword {
    case "host": !value.contains("@")
    case "port": value.allSatisfy { $0.isNumber || $0 == "," }
    default: true
    }
  }

  private static func start(_ address: String, _ settings: ConnectionSettings) -> OpaquePointer? {
    // What comes before `dbname` can be changed by the address; what comes after it cannot.
    let parameters: [(String, String)] = [
      ("application_name", settings.applicationName),
      ("tcp_user_timeout", "\(settings.connectLimit.milliseconds)"),
      ("dbname", address), ("client_encoding", "UTF8"),
    ]
    let keywords = parameters.map { strdup($0.0) }
    let values = parameters.map { strdup($0.1) }
    defer { for text in keywords + values { free(text) } }
    return PQconnectStartParams(
      keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
  }

  private func complete(within limit: Duration) throws {
    guard PQstatus(connection) != CONNECTION_BAD else { throw failure() }
    let deadline = ContinuousClock.now + limit
    var state = PGRES_POLLING_WRITING
    while state != PGRES_POLLING_OK {
      guard state != PGRES_POLLING_FAILED else { throw failure() }
      var socket = pollfd(
        fd: PQsocket(connection),
        events: Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
      guard .now < deadline else {
        throw noServer("it has not answered for \(limit)")
      }
      guard poll(&socket, 1, (deadline - .now).milliseconds) > 0 else { continue }
      state = PQconnectPoll(connection)
    }
  }

  /// - Throws: `StoreError` if a server of this version, such as 150004 for 15.4, is too old.
  static func checkVersion(_ version: Int32, of place: String) throws {
    guard version < oldestVersion * 10_000 else { return }
    throw StoreError(
      .unreadable,
      """
      The server at \(place) is PostgreSQL \(version / 10_000): \
      upgrade it to version \(oldestVersion) or newer.
      """)
  }

  // MARK: Sentences

  /// The server's address, without the password.
  private var place: String {
    let host = PQhost(connection).map { String(cString: $0) } ?? ""
    let port = PQport(connection).map { String(cString: $0) } ?? ""
    return host.hasPrefix("/") ? "“\(host)”, port \(port)," : "“\(host):\(port)”"
  }

  private var user: String { "“\(PQuser(connection).map { String(cString: $0) } ?? "")”" }
  private var database: String { PQdb(connection).map { String(cString: $0) } ?? "" }

  private func failure() -> StoreError {
    let message = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
    switch Self.state(in: message) {
    case "28P01":
      return StoreError(
        .unreadable,
        """
        The PostgreSQL server at \(place) refused the password of the user \(user): \
        correct it in the address of the database.
        """)
    case "28000":
      return StoreError(
        .unreadable,
        """
        The PostgreSQL server at \(place) does not let the user \(user) connect to the database \
        “\(database)”: create the user, or permit it in the server's pg_hba.conf.
        """)
    case "3D000":
      return StoreError(
        .unreadable,
        "The PostgreSQL server at \(place) has no database “\(database)”: create it with createdb.")
    case "53300":
      return StoreError(
        .unreachable,
        """
        The PostgreSQL server at \(place) has no connection left: close others, or raise its \
        max_connections.
        """)
    case "57P03":
      return StoreError(
        .unreachable,
        "The PostgreSQL server at \(place) is starting or stopping: try again in a few seconds.")
    case let state?:
      return StoreError(
        .unreachable,
        "The PostgreSQL server at \(place) refused the connection (\(state)): see its log.")
    case nil where PQconnectionNeedsPassword(connection) == 1:
      return StoreError(
        .unreadable,
        """
        The PostgreSQL server at \(place) asks for a password of the user \(user): \
        add it to the address of the database.
        """)
    case nil where Self.isAboutEncryption(message):
      return StoreError(
        .unreadable,
        """
        The connection to the PostgreSQL server at \(place) cannot be encrypted as its address demands \
        (\(Self.reason(in: message))): correct the server's TLS, or sslmode and sslrootcert in the address.
        """)
    case nil: return noServer(Self.reason(in: message))
    }
  }

  private func noServer(_ reason: String) -> StoreError {
    StoreError(
      .unreachable,
      """
      No PostgreSQL server answers at \(place) (\(reason)): \
      start it, or correct the address of the database.
      """)
  }

  /// Whether libpq refused a server, or had no certificates to check it with.
  static func isAboutEncryption(_ message: String) -> Bool {
    message.contains("certificate") || message.contains("SSL")
  }

  /// The last code in a message whose lines end with `FATAL:  28P01`.
  private static func state(in message: String) -> String? {
    let codes = message.split(separator: "\n").compactMap { line -> String? in
      guard let start = line.end(ofLast: ":  ") else { return nil }
      let code = line[start...]
      let isCode = code.utf8.count == 5 && code.allSatisfy { $0.isNumber || $0.isUppercase }
      return isCode ? String(code) : nil
    }
    return codes.last
  }

  /// The reason in libpq's message: what follows `failed: ` in its first line.
  private static func reason(in message: String) -> String {
    let line = message.split(separator: "\n").first ?? "no reason"
    return String(line.end(ofLast: " failed: ").map { line[$0...] } ?? line)
  }
}

extension Substring {
  /// Returns the index after the last occurrence of `text`.
  fileprivate func end(ofLast text: String) -> Index? {
    var start = endIndex
    while true {
      if self[start...].hasPrefix(text) { return index(start, offsetBy: text.count) }
      guard start > startIndex else { return nil }
      start = index(before: start)
    }
  }
}
