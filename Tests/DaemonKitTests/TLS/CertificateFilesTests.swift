import DaemonKit
import Foundation
import Glibc
import Processes
import Testing

@Suite(
  "D1 a certificate that is renewed",
  .enabled(if: access("/usr/bin/openssl", X_OK) == 0))
struct CertificateFilesTests {
  private static let openssl = "/usr/bin/openssl"

  private let directory: TemporaryDirectory
  private var certificate: String { directory.path + "/certificate.pem" }
  private var key: String { directory.path + "/key.pem" }

  init() throws { directory = try TemporaryDirectory() }

  /// Writes a new key and its certificate, as programs that renew certificates do.
  private func renew() throws {
    let program = try RunningProgram(
      Self.openssl,
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 9 -subj /CN=book"
        .split(separator: " ").map { String($0) } + ["-keyout", key, "-out", certificate])
    try #require(program.waitUntilEnd() == 0)
  }

  @Test func `connections get the files as they are, and the former ones if they are damaged`()
    throws
  {
    try renew()
    let files = try CertificateFiles(certificate: certificate, key: key, interval: .zero)
    let first = files.current
    #expect(files.current === first)
    try renew()
    let second = files.current
    #expect(second !== first)
    try "not a certificate".write(toFile: certificate, atomically: true, encoding: .utf8)
    #expect(files.current === second)
  }

  @Test func `the files are looked at once in a while`() throws {
    try renew()
    let files = try CertificateFiles(certificate: certificate, key: key, interval: .seconds(3600))
    let first = files.current
    try renew()
    #expect(files.current === first)
  }

  @Test func `files that cannot be used are named`() throws {
    let error = #expect(throws: DaemonError.self) {
      try CertificateFiles(certificate: certificate, key: key)
    }
    #expect(error?.exit == .content)
    #expect(error?.message.contains("certificate.pem") == true)
  }
}
