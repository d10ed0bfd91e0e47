# Two commands do all the set-up on a fresh Debian with a Swift toolchain: make demo, and make test.

SWIFT ?= swift
# The command carries Swift's libraries: it starts faster, and runs where no toolchain is. (lld, for other linkers
# warn about a function that Foundation's static library mentions.)
RELEASE = --configuration release --static-swift-stdlib -Xswiftc -use-ld=lld --product pricetag
# Suites that are for a release build.
LARGE = ProofTests CatalogSizeTests BatchSizeTests
RELEASE_TESTS = PRICETAG_RELEASE_TESTS=1 $(SWIFT) test --configuration release $(foreach suite,$(LARGE),--filter $(suite))
# Suites that wait for sockets and keep threads busy meanwhile: beside them others would miss their deadlines.
ALONE = ServeCommandTests ServeOperationTests ExchangeTests SettlingTests GuardedChannelTests ImmediateAnswerTests ReloadTests ProductIdentifierFetcherTests
BY_THEMSELVES = $(foreach suite,$(ALONE),--filter $(suite))
# All others in debug.
BESIDE = --skip BrowserTests $(foreach suite,$(LARGE) $(ALONE),--skip $(suite))
SWIFT_FILES = Package.swift Benchmarks/Package.swift Sources Tests Examples Benchmarks/Benchmarks Fuzzing/Package.swift Fuzzing/Sources

.PHONY: setup build serve demo test bench attack soak docs format lint

setup:
	@Scripts/setup

build: setup
	$(SWIFT) build $(RELEASE)

# The main job: the sample shop across all storefronts and languages.
demo: build
	@Scripts/demo

# The sample shop over HTTP. Of two products SwiftPM builds the last.
serve: build
	$(SWIFT) build $(RELEASE) --product pricetag-server
	@Scripts/serve

# Every test in debug, those on sockets and in a browser by themselves (they are slow to answer beside others), those of
# the example package, and the service against clients and tools of others; in release the comparison with ICU, each
# locale with a share of the currencies, and large catalogues, with a share of the products.
test: setup lint
	@Scripts/setup-browser
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build $(BESIDE)
	$(SWIFT) test --skip-build $(BY_THEMSELVES)
	$(SWIFT) test --skip-build --filter BrowserTests
	@Scripts/example-tests
	@API_SECONDS=30 Scripts/api-tests
	$(RELEASE_TESTS)

# What the README claims, beside the peers, in one run.
bench: build
	@Scripts/bench

# Attacks a service of its own on this machine, and prints what small requests see beside the attack.
attack: build
	@Scripts/attack-service

# Every locale with every currency, sanitizers, fuzzers, damaged catalogs: minutes to an hour.
soak: build
	PRICETAG_PROOF=full $(RELEASE_TESTS)
	$(SWIFT) test --scratch-path .build-thread --sanitize thread $(BESIDE)
	$(SWIFT) test --skip-build --scratch-path .build-thread --sanitize thread $(BY_THEMSELVES)
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --scratch-path .build-address --sanitize address $(BESIDE)
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --skip-build --scratch-path .build-address --sanitize address $(BY_THEMSELVES)
	Scripts/fuzz
	Scripts/damage-tests
	API_SECONDS=600 Scripts/api-tests

docs:
	Scripts/docs

format:
	$(SWIFT) format format --in-place --parallel --recursive $(SWIFT_FILES)

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_FILES)
