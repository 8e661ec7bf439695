# Every command of the project. Each does its own set-up, so that a fresh checkout on a machine
# with nothing but the Swift toolchain needs one line.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help test demo bench build lint format proto simulate install clean packages

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
SYSCONFDIR ?= /etc
SEEDS ?= 1000

programs := contacts-broker contactsd contactsctl
formatted := $(wildcard Sources Tests Benchmarks) Package.swift
needed := git ca-certificates pkg-config libsqlite3-dev libsystemd-dev zlib1g-dev

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

test: packages lint ## install what is missing, check the style, build, run every test
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build

demo: packages ## watch one device update itself when another is edited (KEEP=1 leaves it running)
	@KEEP="$(KEEP)" SWIFT="$(SWIFT)" scripts/demo

bench: packages ## measure against the machine's limits and other programs; writes docs/benchmarks.md
	@SWIFT="$(SWIFT)" scripts/bench

build: packages ## build the three programs
	for program in $(programs); do $(SWIFT) build --product $$program; done

lint: ## check the style of the Swift files
	$(SWIFT) format lint --strict --recursive --parallel $(formatted)

format: ## bring the Swift files into style
	$(SWIFT) format --in-place --recursive --parallel $(formatted)

proto: ## generate the wire's messages from records.proto
	@scripts/install-packages protobuf-compiler
	$(SWIFT) build --product protoc-gen-swift
	protoc --plugin="$$($(SWIFT) build --show-bin-path)/protoc-gen-swift" \
	  --proto_path=Sources/RecordsWire --swift_opt=Visibility=Internal \
	  --swift_out=Sources/RecordsWire/Generated records.proto

simulate: packages ## run the simulated world with SEEDS=n seeds, or with one: SEED=n
	$(SWIFT) build --build-tests
	SIMULATION_SEEDS="$(SEEDS)" SIMULATION_SEED="$(SEED)" \
	  $(SWIFT) test --skip-build --filter SimulationTests

install: packages ## build for release and install under PREFIX (and DESTDIR)
	for program in $(programs); do $(SWIFT) build -c release --product $$program; done
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(SYSCONFDIR)/contacts \
	  $(DESTDIR)$(PREFIX)/lib/systemd/system $(DESTDIR)$(PREFIX)/lib/systemd/user
	for program in $(programs); do \
	  install -m 755 "$$($(SWIFT) build -c release --show-bin-path)/$$program" \
	    $(DESTDIR)$(PREFIX)/bin/; \
	done
	for unit in systemd/system/*; do \
	  sed 's|@prefix@|$(PREFIX)|; s|@sysconfdir@|$(SYSCONFDIR)|' $$unit \
	    > $(DESTDIR)$(PREFIX)/lib/systemd/system/$${unit##*/}; \
	done
	for unit in systemd/user/*; do \
	  sed 's|@prefix@|$(PREFIX)|; s|@sysconfdir@|$(SYSCONFDIR)|' $$unit \
	    > $(DESTDIR)$(PREFIX)/lib/systemd/user/$${unit##*/}; \
	done
	install -d $(DESTDIR)$(PREFIX)/lib/sysusers.d
	install -m 644 systemd/sysusers/contacts.conf $(DESTDIR)$(PREFIX)/lib/sysusers.d/
	for file in config/*.conf; do \
	  test -e $(DESTDIR)$(SYSCONFDIR)/contacts/$${file##*/} || \
	    install -m 644 $$file $(DESTDIR)$(SYSCONFDIR)/contacts/; \
	done

clean: ## remove what was built
	rm -rf .build .build-bench .demo

packages:
	@scripts/install-packages $(needed)
