import PostgreSQLConnections
import Processes
import Records
import SQLConnections
import Testing

@testable import PostgreSQLConnections

@Suite("Connecting to PostgreSQL", hasServer)
struct HandshakeTests {
  @Test func `each obstacle on the server has a sentence of its own`() async throws {
    let server = try PostgreSQLServer(
      settings: ["max_connections = 4", "superuser_reserved_connections = 0"], password: "s3cret",
      listens: true)
    let port = try #require(server.port)
    func address(_ user: String, _ database: String) -> String {
      "postgresql://\(user)@127.0.0.1:\(port)/\(database)"
    }
    expect(
      address("postgres:wrong-s3cret", "postgres"), .unreadable,
      """
      The PostgreSQL server at “127.0.0.1:\(port)” refused the password of the user “postgres”: \
      correct it in the address of the database.
      """)
    expect(
      address("postgres", "postgres"), .unreadable,
      """
      The PostgreSQL server at “127.0.0.1:\(port)” asks for a password of the user “postgres”: \
      add it to the address of the database.
      """)
    expect(
      address("postgres:s3cret", "absent"), .unreadable,
      """
      The PostgreSQL server at “127.0.0.1:\(port)” has no database “absent”: create it with createdb.
      """)
    expect(
      "\(address("postgres:s3cret", "postgres"))?sslmode=verify-full", .unreadable,
      """
      The connection to the PostgreSQL server at “127.0.0.1:\(port)” cannot be encrypted as its address \
      demands (server does not support SSL, but SSL was required): correct the server's TLS, or sslmode \
      and sslrootcert in the address.
      """)
    let open = try (0..<4).map { _ in
      try PostgreSQLConnection(address("postgres:s3cret", "postgres"))
    }
    expect(
      address("postgres:s3cret", "postgres"), .unreachable,
      """
      The PostgreSQL server at “127.0.0.1:\(port)” has no connection left: close others, or raise \
      its max_connections.
      """)
    #expect(open.allSatisfy { !$0.isBroken })
  }

  @Test func `a user that the server does not know has a sentence`() async throws {
    let server = try PostgreSQLServer.shared()
    let error = failure(server.address(of: "postgres", user: "stranger"))
    #expect(error?.kind == .unreadable)
    #expect(
      error?.message.contains("does not let the user “stranger” connect to the database “postgres”")
        == true)
  }

  @Test func `no server has a sentence`() throws {
    let port = try LoopbackPort.unused()
    expect(
      "host=127.0.0.1 port=\(port) user=a password=s3cret", .unreachable,
      """
      No PostgreSQL server answers at “127.0.0.1:\(port)” (Connection refused): \
      start it, or correct the address of the database.
      """)
    expect(
      "postgresql://a:s3cret@/b?host=/nowhere", .unreachable,
      """
      No PostgreSQL server answers at “/nowhere”, port 5432, (No such file or directory): \
      start it, or correct the address of the database.
      """)
  }

  @Test func `missing certificates are not taken for a missing server`() {
    let message = """
      connection to server at "127.0.0.1", port 5432 failed: root certificate file \
      "/var/lib/contacts/.postgresql/root.crt" does not exist
      """
    #expect(Handshake.isAboutEncryption(message))
    #expect(!Handshake.isAboutEncryption("connection to server failed: Connection refused"))
  }

  @Test func `a server that stays silent is given up`() throws {
    let silent = try OtherServer(answer: nil)
    var settings = ConnectionSettings()
    settings.connectLimit = .milliseconds(200)
    let error = failure("host=127.0.0.1 port=\(silent.port) user=a", settings)
    #expect(error?.kind == .unreachable)
    #expect(error?.message.contains("it has not answered for 0.2 seconds") == true)
  }

  @Test(arguments: [
    "s3cret", "postgresql://a:s3cret:x@b:port:2/", "host", "hots=a", "postgresql://a:p@s3cret@h/d",
  ])
  func `an address that is none has a sentence without its parts`(_ address: String) {
    let error = failure(address)
    #expect(error?.kind == .unreadable)
    #expect(error?.message.contains("postgresql://USER:PASSWORD@HOST:PORT/DATABASE") == true)
    #expect(error?.message.contains("s3cret") == false)
  }

  @Test(arguments: [(150_018, nil), (140_000, nil), (130_014, "13"), (90_603, "9")])
  func `a server older than 14 is refused`(_ version: Int32, _ named: String?) {
    let expected = named.map {
      StoreError(
        .unreadable,
        "The server at “db:5432” is PostgreSQL \($0): upgrade it to version 14 or newer.")
    }
    var error: StoreError?
    do {
      try Handshake.checkVersion(version, of: "“db:5432”")
    } catch let refusal as StoreError {
      error = refusal
    } catch {}
    #expect(error == expected)
  }

  @Test func `a killed server is reached again after its start`() async throws {
    let server = try PostgreSQLServer()
    let address = try server.makeDatabase()
    let connection = try PostgreSQLConnection(address)
    try connection.makeTable()
    try connection.transact { try $0.run("INSERT INTO entry (number) VALUES (7)") }
    try await server.kill()
    let error = try #require(throws: PostgreSQLError.self) {
      try connection.value("SELECT 1") as Int?
    }
    #expect(error.isConnectionLost && connection.isBroken)
    #expect(failure(address)?.kind == .unreachable)
    try await server.start()
    #expect(try PostgreSQLConnection(address).value("SELECT number FROM entry") == 7)
    #expect(throws: error) { try connection.run("SELECT 1") }
  }

  private func failure(
    _ address: String, _ settings: ConnectionSettings = ConnectionSettings()
  ) -> StoreError? {
    do throws(StoreError) {
      _ = try PostgreSQLConnection(address, settings: settings)
      return nil
    } catch {
      return error
    }
  }

  private func expect(
    _ address: String, _ kind: StoreError.Kind, _ message: String,
    at place: SourceLocation = #_sourceLocation
  ) {
    #expect(failure(address) == StoreError(kind, message), sourceLocation: place)
  }
}
