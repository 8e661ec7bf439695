// Addresses of resources, and what must not pass for one.

import Testing

@testable import CardDAV

@Suite("D1 addresses")
struct DAVPathTests {
  @Test(arguments: [
    ("/", DAVPath.root), ("/.well-known/carddav", .wellKnown), ("/principals/", .principals),
    ("/principals/me/", .principal), ("/books/", .home), ("/books", .home),
    ("/books/friends/", .book("friends")), ("/books/friends", .book("friends")),
    ("/books/a%20b/", .book("a b")), ("/birthdays/friends.ics", .birthdays("friends")),
    ("/books/friends/a.vcf", .card(book: "friends", name: "a.vcf")),
    ("/books/friends/%C3%BC%25.vcf", .card(book: "friends", name: "ü%.vcf")),
    ("http://localhost:7435/books/friends/a.vcf", .card(book: "friends", name: "a.vcf")),
    ("https://example.org", .root),
  ])
  func `an address is read and written`(text: String, path: DAVPath) throws {
    #expect(try DAVPath(text) == path)
    #expect(try DAVPath(path.href) == path)
  }

  @Test(arguments: [
    "", "books/", "/books/../", "/books/%2e%2e/x", "/books/./x", "/books/a%2Fb/", "/books/a%00/",
    "/books/%/", "/books/%zz/", "/books/%+1/", "/books//a", "/books/%FF/", "/books/a%0D%0Ab",
    "/books/\(String(repeating: "a", count: 256))/",
    "/books/\(String(repeating: "a", count: 4096))",
  ])
  func `a name that could mislead is refused`(text: String) {
    #expect(throws: DAVError.self) { try DAVPath(text) }
    do throws(DAVError) { _ = try DAVPath(text) } catch { #expect(error.status == .badRequest) }
  }

  @Test(arguments: ["/x", "/principals/you/", "/books/a/b/c", "/birthdays/a.txt", "/.well-known/x"])
  func `an address of nothing is not found`(text: String) {
    do throws(DAVError) {
      _ = try DAVPath(text)
      Issue.record("\(text) was accepted")
    } catch {
      #expect(error.status == .notFound)
    }
  }
}
