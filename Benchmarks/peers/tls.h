// Shared by the C programs: a TLS client with OpenSSL. No certificate is verified: the programs measure speed on
// one machine.
#ifndef TLS_H
#define TLS_H

#include "measure.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>

// Connects to a port of the loopback interface.
static inline int connect_to_port(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) fail("socket");
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
  int yes = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return descriptor;
}

// Returns a TLS session on a connected socket, after its handshake. `protocol` is offered by ALPN, unless it is
// empty.
static inline SSL *begin_tls(int descriptor, const char *protocol) {
  static SSL_CTX *context;
  if (!context) {
    context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    // Room to read several records with one system call.
    SSL_CTX_set_default_read_buffer_len(context, 1 << 17);
    SSL_CTX_set_read_ahead(context, 1);
  }
  SSL *session = SSL_new(context);
  unsigned char list[64];
  list[0] = (unsigned char)strlen(protocol);
  memcpy(list + 1, protocol, list[0]);
  if (list[0]) SSL_set_alpn_protos(session, list, list[0] + 1u);
  SSL_set_fd(session, descriptor);
  if (SSL_connect(session) != 1) {
    fprintf(stderr, "The TLS handshake failed.\n");
    exit(1);
  }
  return session;
}

// Writes all bytes to a session whose socket blocks.
static inline void write_all_tls(SSL *session, const void *bytes, size_t count) {
  const char *next = bytes;
  while (count > 0) {
    int written = SSL_write(session, next, (int)count);
    if (written <= 0) fail("SSL_write");
    next += written;
    count -= (size_t)written;
  }
}

#endif
