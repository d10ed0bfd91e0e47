# On a fresh Debian with a Swift toolchain these commands do all the set-up themselves. `make help` lists them.

SWIFT ?= swift
export SWIFT
# The flags of every release build, so that none throws away what another has built. The command carries Swift's
# libraries: it starts faster, and runs where no toolchain is. (lld, for other linkers warn about a function that
# Foundation's static library mentions.)
RELEASE := $(shell cat Scripts/release-flags)
STEP = @Scripts/step
SWIFT_FILES = Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Benchmarks Benchmarks/HelloRoute

# Test targets by their names: …SocketTests wait for sockets and keep threads busy, so that beside others they would miss
# their deadlines; …SizeTests work on large inputs; BrowserTests need a browser. All others belong to `make test`.
SOCKETS = ^[A-Za-z]*SocketTests\.
SIZES = ^[A-Za-z]*SizeTests\.
BROWSER = ^BrowserTests\.
SLOW = ^[A-Za-z]*(Socket|Size|Browser)Tests\.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup build command server serve demo bench attack test test-all build-tests test-modules test-example test-sockets test-browser \
  test-api test-sizes proof quick-proof soak docs format lint install uninstall deb deb-test

help: ## Lists these targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Installs the libraries that building needs (Debian).
	@Scripts/setup

command: setup ## Builds the command in release.
	$(STEP) "release build of pricetag" $(SWIFT) build $(RELEASE) --product pricetag

server: setup ## Builds the server in release.
	$(STEP) "release build of pricetag-server" $(SWIFT) build $(RELEASE) --product pricetag-server

build: command server ## Builds the command and the server in release.

demo: command ## Builds the command, and runs the sample shop through all storefronts and languages.
	@Scripts/demo

serve: build ## Builds both, and serves the sample shop until Ctrl-C.
	@Scripts/serve

bench: build ## Prints the README's figures, beside the peers, from one run.
	@Scripts/bench

attack: build ## Attacks a service of its own, and prints what small requests see beside the attack.
	@Scripts/attack-service

# ---- Tests, in three tiers: test, test-all (what test leaves out), soak.

test: setup lint test-modules quick-proof test-example ## Tests every module in debug, the service in process, a share of the proof: the first tier.

test-all: test-sockets test-browser test-api test-sizes proof ## Tests what `make test` leaves out: sockets, browser, other tools, sizes, proof.

soak: setup ## Runs all that takes hours, in one piece: complete proof, sanitizers, fuzzers, damage. Log in .build-soak.
	@SLOW='$(SLOW)' SOCKETS='$(SOCKETS)' SIZES='$(SIZES)' Scripts/soak

build-tests: setup
	$(STEP) "debug build" $(SWIFT) build --build-tests

test-modules: build-tests ## Tests every module in debug.
	$(STEP) "tests of the modules" $(SWIFT) test --skip-build --skip '$(SLOW)'

test-example: build-tests ## Tests the example package, as somebody does who copied it.
	$(STEP) "tests of the example package" Scripts/example-tests

test-sockets: build-tests ## Tests the service and fetching over sockets, by themselves.
	$(STEP) "tests over sockets" $(SWIFT) test --skip-build --filter '$(SOCKETS)'

test-browser: build-tests ## Tests store pages in a browser.
	@Scripts/setup-browser
	$(STEP) "tests in a browser" $(SWIFT) test --skip-build --filter '$(BROWSER)'

test-api: build-tests ## Tests the service with curl, Python clients and schemathesis (API_SECONDS=30).
	$(STEP) "clients of the API" env API_SECONDS=$${API_SECONDS:-30} Scripts/api-tests

test-sizes: build-tests command ## Tests the release build of the command on large inputs.
	$(STEP) "tests of sizes" env PRICETAG_COMMAND="$$($(SWIFT) build $(RELEASE) --show-bin-path)/pricetag" \
	  $(SWIFT) test --skip-build --filter '$(SIZES)'

quick-proof: setup ## Compares 30 varied locales and every storefront with ICU, in debug.
	@PROOF_SHARE=quick Scripts/proof

proof: setup ## Compares every locale with ICU in release (PROOF_SHARE=usual|full, ICU_ROOT=/prefix of another ICU).
	@Scripts/proof

docs: setup ## Builds the documentation of each library into .build-docs.
	Scripts/docs

format: ## Formats all Swift files.
	$(SWIFT) format format --in-place --parallel --recursive $(SWIFT_FILES)

lint: ## Checks the format of all Swift files.
	$(STEP) "lint" $(SWIFT) format lint --strict --parallel --recursive $(SWIFT_FILES)

# ---- Installation: "make build", then "sudo make install PREFIX=/usr/local [DESTDIR=…]", which builds nothing.

PREFIX ?= /usr/local
DESTDIR ?=

install: ## Installs both executables, completions, manual pages and the systemd unit (PREFIX=, DESTDIR=).
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/install

uninstall: ## Removes what `make install` installed.
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/install --uninstall

deb: build ## Builds Debian packages into .build/deb.
	@Scripts/deb

deb-test: ## Checks the packages of `make deb` with lintian, and uses them in a chroot (as root).
	@Scripts/deb-test
