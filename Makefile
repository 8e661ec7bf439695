# The commands of the project. Each one does its own set-up, so that a fresh checkout on a machine with only
# the Swift toolchain needs a single command.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: consumer help test check demo bench build lint format proto simulate crash cut copy failover converge fuzz hostile sanitize manual install deb \
  test-package exposure api-check web-check dav-check clean packages check-tools container shells ssh-server postgresql balancer tls-tools card-tools browser

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
SYSCONFDIR ?= /etc
BUILT ?=
GENERATED ?= Sources/RecordsWire/Generated
MANUAL ?= docs/man
PACKAGES ?= .
SEEDS ?= 1000
FIRST ?= 1
STEPS ?= 800
SECONDS ?= 60
KILLS ?= 100
ROUNDS ?= 200
RUNS ?= 200
BROKERS ?=
CASES ?= 10000
REQUESTS ?= 20000
CONTACTS ?= 100000
FILES ?= 2000
CHECKS ?=
PICTURES ?=
SANITIZER ?= thread

run_without_limit := TEST_PATIENCE_SECONDS=0 scripts/test
formatted := $(wildcard Sources Tests Benchmarks Fuzz examples) Package.swift
# The configuration of what is installed. CONFIGURATION=debug reuses the build of the tests, which is enough to try a command.
CONFIGURATION ?= release
build_configured := CONFIGURATION='$(CONFIGURATION)' scripts/build
# What compiling needs, and nothing else: no server, no browser, no container.
needed := git ca-certificates pkg-config libicu-dev libpq-dev libqrencode-dev libsqlite3-dev libsystemd-dev zlib1g-dev
export SWIFT

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

test: packages ## build, run the tests that need no server, browser or second machine
	CONTACTS_QUICK=1 scripts/build --build-tests
	scripts/test

check: packages check-tools lint ## run all other tests: with processes, PostgreSQL, systemd, Chromium and mail programs
	scripts/build --build-tests
	scripts/check

demo: packages ## show one device updating when another is edited (KEEP=1 leaves the programs running)
	@KEEP="$(KEEP)" scripts/demo

bench: packages ## measure against the machine's limits and other programs; writes docs/benchmarks.md
	@scripts/bench

build: packages ## build the three programs and print their folder
	@scripts/programs

lint: ## check the style of the Swift files
	$(SWIFT) format lint --strict --recursive --parallel $(formatted)

format: ## format the Swift files
	$(SWIFT) format --in-place --recursive --parallel $(formatted)

proto: packages ## generate the wire's messages from records.proto
	@scripts/install-packages protobuf-compiler
	scripts/build --product protoc-gen-swift
	protoc --plugin="$$(scripts/build --show-bin-path)/protoc-gen-swift" \
	  --proto_path=Sources/RecordsWire --swift_opt=Visibility=Internal \
	  --swift_out="$(GENERATED)" records.proto

manual: packages ## write the manual pages from the help of the programs
	@MANUAL="$(MANUAL)" scripts/manual

simulate: packages ## run the simulations of SEEDS=n seeds, or of one: SEED=n (TRACE=1 prints the steps)
	$(build_configured) --product simulation-run
	SWIFT_DETERMINISTIC_HASHING=1 "$$($(build_configured) --show-bin-path)/simulation-run" \
	  $(or $(SEED),$(FIRST)) $(if $(SEED),1,$(SEEDS)) $(STEPS) $(if $(TRACE),trace)

sanitize: packages card-tools ## run the cores' and stores' tests under SANITIZER=thread (or address)
	$(SWIFT) build --build-tests --sanitize=$(SANITIZER) --scratch-path .build-$(SANITIZER)
	CONTACTS_CHECK=1 $(SWIFT) test --skip-build --sanitize=$(SANITIZER) --scratch-path .build-$(SANITIZER) \
	  --skip '^(BrokerDaemon|EndToEnd|Example|PostgreSQLConnections|Simulation|Story|Systemd|Tidy)Tests'

fuzz: packages ## fuzz the parsers of untrusted input, SECONDS=n each (TARGET=name: only one; SEED=n: the same inputs each time)
	@SECONDS_EACH="$(SECONDS)" TARGET="$(TARGET)" SEED="$(SEED)" scripts/fuzz

crash: packages ## kill -9 the broker and the agents KILLS=n times under load, and count lost edits
	scripts/build --build-tests
	KILLS="$(KILLS)" $(run_without_limit) --filter '(BrokerDaemon|EndToEnd)Tests.*CrashTests'

cut: packages postgresql ## cut connections to PostgreSQL and kill it while devices write, RUNS=n or SEED=n (FIRST=n)
	scripts/build --build-tests
	RUNS="$(RUNS)" $(if $(SEED),SEED="$(SEED)") $(if $(FIRST),FIRST="$(FIRST)") \
	  STORE=postgresql $(run_without_limit) --filter '^BrokerStoreTests.*(FaultRunTests|ConnectionCutTests)'

copy: packages postgresql ## kill the copy of CONTACTS=n contacts to PostgreSQL and back KILLS=n times, and compare all (SEED=n)
	scripts/build --build-tests
	CONTACTS="$(CONTACTS)" FILES="$(FILES)" KILLS="$(KILLS)" $(if $(SEED),SEED="$(SEED)") \
	  STORE=postgresql $(run_without_limit) --filter '^BrokerStoreTests.*CopyKillTests'

failover: packages postgresql tls-tools ## kill brokers and PostgreSQL servers under 60 devices, RUNS=n or SEED=n (FIRST=n BROKERS=n)
	scripts/build --build-tests
	RUNS="$(RUNS)" $(if $(SEED),SEED="$(SEED)") $(if $(FIRST),FIRST="$(FIRST)") \
	  $(if $(BROKERS),BROKERS="$(BROKERS)") \
	  $(run_without_limit) --filter '^BrokerDaemonTests.*FailoverTests'

converge: packages ## make random changes on three devices, ROUNDS=n or SEED=n (WITHOUT=moves,…)
	scripts/build --build-tests
	ROUNDS="$(ROUNDS)" $(if $(SEED),SEED="$(SEED)") $(if $(FIRST),FIRST="$(FIRST)") WITHOUT="$(WITHOUT)" \
	  $(run_without_limit) --filter '^EndToEndTests.*ConvergenceTests'

install: packages ## build for release and install under PREFIX and DESTDIR (BUILT=folder: use the build there)
	@scripts/install-packages binutils
	$(if $(BUILT),,$(build_configured) --product contacts)
	@PREFIX="$(PREFIX)" SYSCONFDIR="$(SYSCONFDIR)" DESTDIR="$(DESTDIR)" \
	  scripts/install "$(or $(BUILT),$$($(build_configured) --show-bin-path))"

deb: packages ## build for release and make a Debian package (BUILT=folder: use the build there)
	@scripts/install-packages dpkg-dev binutils xz-utils
	$(if $(BUILT),,$(build_configured) --product contacts)
	@PACKAGES="$(PACKAGES)" scripts/package-deb "$(or $(BUILT),$$($(build_configured) --show-bin-path))"

test-package: container deb ## make the Debian package and install, upgrade, remove and purge it in a container
	scripts/build --build-tests
	PACKAGE="$$(realpath contacts_*.deb)" $(run_without_limit) --filter '^SystemdTests.*Package'

exposure: ## show the exposure of the units (systemd-analyze security); needs systemd
	@scripts/exposure

consumer: packages ## resolve a package that uses the client libraries alone, and print what it needs
	@SWIFT="$(SWIFT)" scripts/consumer

api-check: packages ## compare a running agent with docs/openapi.yaml, CASES=n requests (SEED=n)
	@scripts/install-packages curl socat python3-venv
	@CASES="$(CASES)" $(if $(SEED),SEED="$(SEED)") scripts/api-check

web-check: packages browser ## check the web page in Chromium (CHECKS=names, PICTURES=folder, PAGE=folder)
	@CHECKS="$(CHECKS)" PICTURES="$(PICTURES)" PAGE="$(PAGE)" scripts/web-check

hostile: packages ## send REQUESTS=n hostile requests to each interface of an agent, and measure what its user waits (SEED=n)
	@REQUESTS="$(REQUESTS)" $(if $(SEED),SEED="$(SEED)") scripts/hostile

dav-check: packages ## check the CardDAV face with Thunderbird, Evolution and others (CHECKS=names)
	@CHECKS="$(CHECKS)" scripts/dav-check

clean: ## remove all build products
	rm -rf .build .build-bench .build-thread .build-address .demo contacts_*.deb

packages:
	@scripts/install-packages $(needed)
	@scripts/resolve

# What the tests of `make check` start.
check-tools: container shells ssh-server postgresql balancer tls-tools card-tools browser
	@scripts/install-packages dbus python3 python3-protobuf protobuf-compiler

# The completion tests run in real shells.
shells:
	@scripts/install-packages zsh fish

# Devices are tested over a real ssh server. Tests start it; the package's own service stays off.
ssh-server:
	@scripts/install-packages openssh-client
	@[ "$$(id -u)" -ne 0 ] || scripts/install-server /usr/sbin/sshd openssh-server ssh.service ssh.socket

# The broker's store is tested on real PostgreSQL servers. Tests start them; the package must not make one.
postgresql:
	@scripts/install-postgresql

# Devices are tested with several brokers behind HAProxy. Tests start it; the package's own service stays off.
balancer:
	@[ "$$(id -u)" -ne 0 ] || scripts/install-server /usr/sbin/haproxy haproxy haproxy.service

# Devices are tested with other clients and servers of TLS, and with clocks that are wrong; the web page with curl.
tls-tools:
	@scripts/install-packages curl openssl testssl.sh faketime

# The web page is tested in a browser.
browser:
	@scripts/install-packages chromium chromium-driver firefox-esr webkit2gtk-driver xvfb \
	  poppler-utils python3-venv

# Cards are tested with another program that reads and writes them, at the versions of its requirements file.
card_tools := Tests/ContactCardsTests/Oracle/requirements.txt
card-tools:
	@scripts/install-packages python3 python3-pip default-jdk-headless libez-vcard-java libvinnie-java \
	  php-cli php-sabre-vobject
	@cmp -s $(card_tools) .build/card-tools/requirements.txt || { rm -rf .build/card-tools && \
	  /usr/bin/python3 -m pip install --quiet --disable-pip-version-check \
	    --root-user-action ignore --target .build/card-tools --requirement $(card_tools) && \
	  cp $(card_tools) .build/card-tools/; }

# The units are tested in a container if this machine can boot one: as root, on Debian.
container:
	@[ "$$(id -u)" -ne 0 ] || scripts/install-packages systemd-container iproute2 iptables
