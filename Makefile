# Two commands do all the set-up on a fresh Debian with a Swift toolchain: make demo, and make test.

SWIFT ?= swift
# The command carries Swift's libraries: it starts faster, and runs where no toolchain is. (lld, for other linkers
# warn about a function that Foundation's static library mentions.)
RELEASE = --configuration release --static-swift-stdlib -Xswiftc -use-ld=lld --product pricetag
SWIFT_FILES = Package.swift Benchmarks/Package.swift Sources Tests Examples Benchmarks/Benchmarks Fuzzing/Package.swift Fuzzing/Sources

.PHONY: setup build demo test bench soak docs format lint

setup:
	@Scripts/setup

build: setup
	$(SWIFT) build $(RELEASE)

# One price of the sample shop, as a dozen varied storefronts write it.
demo: build
	@Scripts/demo

# Every test in debug; the comparison with ICU in release, each locale with a share of the currencies.
test: setup lint
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --skip ProofTests
	$(SWIFT) test --configuration release --filter ProofTests

# What the README claims, beside the peers, in one run.
bench: build
	@Scripts/bench

# Every locale with every currency, sanitizers, fuzzers: minutes to an hour.
soak: setup
	PRICETAG_PROOF=full $(SWIFT) test --configuration release --filter ProofTests
	$(SWIFT) test --scratch-path .build-thread --sanitize thread --skip ProofTests
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --scratch-path .build-address --sanitize address --skip ProofTests
	Scripts/fuzz

docs:
	Scripts/docs

format:
	$(SWIFT) format format --in-place --parallel --recursive $(SWIFT_FILES)

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_FILES)
