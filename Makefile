# Run `make help` for a list of targets. On Debian, `make demo` and `make test` install missing packages first.

SWIFT ?= swift
export SWIFT
# Every release build uses the same flags: with other flags SwiftPM would rebuild everything. The linker is lld because
# the default one warns about a function in Foundation's static library.
RELEASE := $(shell cat Scripts/release-flags)
# Debug builds for tests have a build folder and flags of their own. Without debug information they take less time, and
# `swift build` and `swift test`, which have it, use .build.
TESTS := $(shell cat Scripts/test-flags)
# The folder that Scripts/setup/setup makes where Swift's static libraries contain the same version of ICU as the system.
# Its name does not begin with PRICETAG_: the executables refuse a setting of that kind that they do not know.
export SWIFT_STATIC_OF_PRICETAG = $(shell cd .build/swift_static 2>/dev/null && pwd)
STEP = @Scripts/step
# With BUILT=1, which is for CI, parts use what `make build-all` has built.
BUILD = $(if $(BUILT),@: ,$(STEP))
SWIFT_FILES = Package.swift Bindings/C Bindings/Swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Benchmarks Benchmarks/HelloRoute

# The name of a test target decides its tier. …SocketTests have deadlines that they would miss if other tests ran at the
# same time, …SizeTests use large inputs, BrowserTests need a browser, and CommandTests the command. `make test` runs the
# others. Package.swift says which are built in release, because they need executables or a TLS library.
SOCKETS = ^[A-Za-z]*SocketTests\.
SIZES = ^[A-Za-z]*SizeTests\.
BROWSER = ^BrowserTests\.
SLOW = ^[A-Za-z]*(Socket|Size|Browser)Tests\.

.DEFAULT_GOAL := help
# Two parts of the tests run at the same time. Parts that share a build folder wait for each other, because SwiftPM locks it.
PARALLEL = @$(MAKE) --no-print-directory --jobs=2
IN_TURN = +@MAKEFLAGS= $(MAKE) --no-print-directory
.PHONY: help setup build command server pack swift-package test-swift-package kernel-arm64 test-arm64 serve demo bench kernel attack test test-parts test-all test-all-executables test-all-comparisons build-tests build-executables build-all test-kernel \
  test-modules test-example test-command test-sockets test-browser test-api test-sizes test-manual test-strings test-vectors test-expressions test-python test-engines wheel spark-jar engines \
  bench-engines proof quick-proof soak docs manual format lint install uninstall deb deb-test test-debian13 release test-release

help: ## List these targets.
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install the packages that a build needs (Debian).
	@Scripts/setup/setup

command: setup ## Build the command (release).
	$(BUILD) "release build of pricetag" $(SWIFT) build $(RELEASE) --product pricetag

server: command ## Build the server (release).
	$(BUILD) "release build of pricetag-server" $(SWIFT) build $(RELEASE) --product pricetag-server

build: manual kernel pack ## Build the command, the server, their manual pages, the C library and the storefront pack (release).

# The options of the named packs. `make pack NAME=cldr-48 ICU_ROOT=/opt/icu78` builds a command with that ICU, in debug.
NAMED_PACK = --widths standard,narrow,iso,name,hidden,formal,variant,unambiguous --minor-units --at 2026-06-01
PACK_BUILD = --scratch-path .build-icu/pack -debug-info-format none -Xcxx -I$(ICU_ROOT)/include \
  -Xlinker $(ICU_ROOT)/lib/libicui18n.so -Xlinker $(ICU_ROOT)/lib/libicuuc.so \
  -Xlinker -rpath -Xlinker $(ICU_ROOT)/lib -Xlinker --disable-new-dtags
# A pack or locale data of the user would change the prices.
PACK_COMMAND = env -u PRICETAG_PACK -u PRICETAG_LOCALE_DATA "$(if $(ICU_ROOT),$$($(SWIFT) build $(PACK_BUILD) --show-bin-path)/pricetag,$${PRICETAG_COMMAND:-.build/release/pricetag})"

pack: $(if $(ICU_ROOT),setup,command) ## Write the pack of all storefronts into .build/kernel/store.pack; or that of NAME=cldr-NN into LocaleData/packs.
	@mkdir -p .build/kernel
	$(if $(ICU_ROOT),$(STEP) "build of pricetag with $(ICU_ROOT)" $(SWIFT) build $(PACK_BUILD) --product pricetag)
	$(STEP) "storefront pack" $(PACK_COMMAND) pack $(if $(NAME),$(NAMED_PACK)) -o .build/kernel/$(or $(NAME),store).pack
	$(if $(NAME),@$(PACK_COMMAND) pack --show .build/kernel/$(NAME).pack | grep -q "^cldr: $(patsubst cldr-%,%,$(NAME))\." || \
	  { echo "the ICU of the command does not have the CLDR of $(NAME); pass ICU_ROOT=PREFIX of one that has it" >&2; exit 1; })
	$(if $(NAME),@mv .build/kernel/$(NAME).pack LocaleData/packs)

demo: command ## Build the command and format the sample shop for all storefronts and languages.
	@Scripts/demo/demo

serve: build ## Build the command and the server, and serve the sample shop until Ctrl-C (PRICETAG_PORT=8080).
	@address=http://127.0.0.1:$${PRICETAG_PORT:-8080}; \
	printf 'The Rocket Garage: %s/ (pages), %s/docs (routes). Press Ctrl-C to stop.\n' "$$address" "$$address"
	@exec .build/release/pricetag serve Examples/rocket-garage.json --shop "Rocket Garage" --logo images/logo.svg \
	  --assets Examples/rocket-garage-assets --unit-prices half-up \
	  --strings Examples/rocket-garage-strings --templates Examples/rocket-garage-templates \
	  --offers introductory,promotional,win-back --announce-increases --tax-labels

bench: $(if $(ROW),command,build) ## Measure the figures in docs/benchmarks.md beside the peers; or ROW=json alone, beside the build BEFORE=FILE.
	@$(if $(ROW),python3 Benchmarks/row.py $(ROW) $(BEFORE),Scripts/bench/bench)

kernel: ## Compile the kernel alone, to a C library and a WebAssembly module, and check both.
	@Scripts/setup/setup-kernel
	$(STEP) "kernel for C and WebAssembly" Scripts/build/kernel

kernel-arm64: ## Compile the C library for arm64 Linux into .build/kernel/aarch64; `make test-vectors` then tests it under QEMU.
	@Scripts/setup/setup --only gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static
	$(STEP) "C library for arm64" Scripts/build/kernel --target aarch64

test-arm64: command kernel kernel-arm64 ## Test the C library, the wheel and the SQLite extension for arm64 Linux, under QEMU.
	@Scripts/setup/setup-kernel --target aarch64
	@Scripts/setup/setup-engines --python
	$(STEP) "tests of the kernel for arm64" Scripts/test/kernel-tests --target aarch64
	@VECTOR_ROWS=$${VECTOR_ROWS:-50000} Scripts/test/vectors --target aarch64
	@Scripts/test/engine-tests --target aarch64

test-kernel: kernel ## Test the C library from C, C++ and Swift, and the WebAssembly module in Node; sanitizers, guard pages, threads.
	@Scripts/setup/setup-kernel --tests
	$(STEP) "tests of the kernel" Scripts/test/kernel-tests

test-vectors: command kernel ## Format the same prices in Swift, C, Node and Chromium, and compare them with ICU (VECTOR_ROWS=1000000, VECTOR_PACK=cldr-48).
	@Scripts/setup/setup-kernel --tests
	@Scripts/test/vectors
	@Scripts/test/phrases

test-expressions: command kernel ## Match prices and mutations with the expressions of pricetag expect, in five languages (EXPRESSION_TEXTS=1000000).
	@Scripts/test/expressions

swift-package: kernel ## Write the Swift package PriceTagPack, which needs no ICU, into .build/PriceTagPack, and test it.
	@rm -rf .build/PriceTagPack/Sources .build/PriceTagPack/Tests
	@mkdir -p .build/PriceTagPack
	@cp -rT Bindings/Swift .build/PriceTagPack
	@cp Bindings/Python/LICENSE Bindings/Python/LICENSE-UNICODE .swift-format .build/PriceTagPack
	@cp -r Sources/PriceTag/Kernel .build/PriceTagPack/Sources/PriceTagPack
	@cp LocaleData/packs/*.pack .build/PriceTagPack/Sources/CPriceTagPack
	@cp LocaleData/packs/cldr-$$(cat LocaleData/packs/reference).pack .build/PriceTagPack/Sources/CPriceTagPack/store.pack
	$(STEP) "tests of PriceTagPack" $(SWIFT) test --package-path .build/PriceTagPack

# The toolchain needs these packages. Its libxml2 needs libraries of ICU, but no header; the tests run again without them.
TOOLCHAIN = $(shell $(SWIFT) -print-target-info | sed -n 's|^ *"runtimeResourcePath": "\(.*\)/usr/lib/swift".*|\1|p')
define WITHOUT_ICU
set -eu; root=$$1; package=/root/PriceTagPack
mount --bind -o ro $(TOOLCHAIN) "$$root/toolchain"
inside() { chroot "$$root" env -i PATH=/toolchain/usr/bin:/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 "$$@"; }
[ -z "$$(ls -d "$$root"/usr/include/unicode "$$root"/usr/lib/*/libicu*.so 2>/dev/null)" ]
inside swift test --package-path $$package
inside swift package --package-path $$package show-dependencies | grep "No external dependencies found"
rm "$$root"/usr/lib/*/libicu*
inside $$package/.build/debug/PriceTagPackPackageTests.xctest --testing-library swift-testing
endef

test-swift-package: export TEST = $(WITHOUT_ICU)
test-swift-package: swift-package ## Test PriceTagPack in a chroot with Debian 12 and the toolchain, without ICU (as root).
	@Scripts/setup/setup --only mmdebstrap
	$(STEP) "PriceTagPack in a chroot without ICU" mmdebstrap --quiet --variant=minbase --format=null \
	  --include=binutils,libc6-dev,libcurl4,libncurses6,libsqlite3-0,libstdc++-12-dev,libxml2 \
	  --customize-hook='mkdir "$$1/toolchain" "$$1/root/PriceTagPack"' \
	  --customize-hook='tar --directory=.build/PriceTagPack --exclude=.build --create . | tar --directory="$$1/root/PriceTagPack" --extract' \
	  --customize-hook='unshare --mount sh -c "$$TEST" _ "$$1"' bookworm

# ---- The bindings for Python, Spark and databases. Their packages of PyPI are in .build-python/venv.

wheel: kernel command ## Build the Python package into .build-python/wheel.
	@Scripts/setup/setup-engines --python
	$(STEP) "wheel" Scripts/build/wheel

spark-jar: kernel command ## Build the functions for Spark without Python into .build/spark (SPARK_JARS=/opt/spark/jars).
	$(STEP) "jar for Spark" $(MAKE) --no-print-directory -C Bindings/Spark

engines: kernel command ## Format the sample shop's prices with Python, Spark, DuckDB, PostgreSQL and SQLite, and compare them.
	@Scripts/setup/setup-engines
	@Scripts/demo/engines

test-engines: kernel command ## Test the bindings: Python, Arrow, Spark, DuckDB, PostgreSQL, SQLite, Go, Java, Node.
	@Scripts/setup/setup-kernel --tests
	@Scripts/setup/setup-engines
	@Scripts/test/engine-tests

test-python: kernel command ## Test the wheel, Arrow columns with PyArrow, and the SQLite extension.
	@Scripts/setup/setup-kernel --tests
	@Scripts/setup/setup-engines --python
	@Scripts/test/engine-tests --python

bench-engines: kernel command ## Measure the bindings beside PyICU, Babel and to_char (installs them).
	@Scripts/setup/setup-engines --benchmarks
	@Scripts/bench/bench-engines

attack: build ## Start a service, attack it, and print what other clients notice and how much memory it takes.
	@Scripts/test/attack-service

# ---- Tests in three tiers: test; test-all (the tests that `make test` skips); soak (hours).

test: setup ## Run lint, the tests of every module, a short comparison with ICU, and the example package.
	$(PARALLEL) test-parts

# In CI, `make test-all` compares more with ICU.
test-parts: lint test-example $(if $(CI),,quick-proof) test-modules

test-all: export VECTOR_ROWS ?= 50000
test-all: export EXPRESSION_TEXTS ?= 20000
test-all: setup ## Run the tests that `make test` skips: command, kernel, sockets, browser, API clients, large inputs, string files, docs, vectors, Python, proof.
	@# Here, because two installations cannot run at the same time.
	@Scripts/setup/setup mandoc aapt gnustep-base-runtime node-i18next && Scripts/setup/setup-kernel --tests && Scripts/setup/setup-engines --python && Scripts/setup/setup-browser
	$(PARALLEL) test-all-executables test-all-comparisons
	@$(MAKE) --no-print-directory test-sockets

# Two rows of parts that take about the same time.
test-all-executables:
	$(IN_TURN) docs test-manual test-strings test-sizes test-command test-vectors test-expressions test-browser

test-all-comparisons:
	$(IN_TURN) test-kernel proof test-python test-api

soak: setup ## Run the complete proof, sanitizers, fuzzers and damage tests (hours; log in .build-soak).
	@SLOW='$(SLOW)' SOCKETS='$(SOCKETS)' SIZES='$(SIZES)' Scripts/test/soak

build-tests: setup
	$(BUILD) "debug build of the tests" env TESTS_OF_PRICETAG=modules $(SWIFT) build $(TESTS) --product PriceTagPackageTests

build-executables: server
	$(BUILD) "release build of the tests of executables" env TESTS_OF_PRICETAG=executables \
	  $(SWIFT) build $(RELEASE) --product PriceTagPackageTests

build-all: export TESTS_OF_PRICETAG = all
build-all: setup
	$(STEP) "release build of the executables and all tests" $(SWIFT) build $(RELEASE) --build-tests

test-modules: build-tests ## Run the tests of every module (TESTS_OF=PriceTagBatch for one).
	$(STEP) "tests of the modules" Scripts/tests modules $(if $(TESTS_OF),--filter '^$(TESTS_OF)Tests\.',--skip '$(SLOW)' --skip '^CommandTests\.')

test-example: build-tests ## Run the tests of the example package, which depends on this one.
	$(STEP) "tests of the example package" Scripts/test/example-tests

test-command: build-executables ## Run the tests of the command.
	$(STEP) "tests of the command" Scripts/tests executables --filter '^CommandTests\.'

test-sockets: build-tests build-executables ## Test the service and fetching over sockets.
	$(STEP) "tests over sockets" Scripts/tests modules --filter '$(SOCKETS)'
	$(BUILD) "tests of executables over sockets" Scripts/tests executables --filter '$(SOCKETS)'

test-browser: build-executables kernel ## Test store pages in Chromium and Firefox.
	@Scripts/setup/setup-browser
	$(STEP) "tests in browsers" Scripts/tests executables --filter '$(BROWSER)'

test-api: server kernel ## Test the service with curl, a generated Python client and schemathesis (API_SECONDS=30).
	$(STEP) "clients of the API" env API_SECONDS=$${API_SECONDS:-30} Scripts/test/api-tests

test-strings: command ## Compare the reading of string files with AAPT2, GNUstep, i18next, ICU and Python (FILES=folder of string files).
	@Scripts/setup/setup aapt gnustep-base-runtime node-i18next
	$(STEP) "string files beside the tools of their formats" env PRICETAG=.build/release/pricetag python3 Tests/StringFiles/oracles.py $(FILES)

test-sizes: build-executables ## Test the command with large inputs.
	$(STEP) "tests of sizes" Scripts/tests executables --filter '$(SIZES)'

quick-proof: build-tests ## Compare 30 varied locales and every storefront with ICU (debug).
	@PROOF_SHARE=quick Scripts/test/proof

proof: command ## Compare every locale with ICU (release; PROOF_SHARE=usual|full, ICU_ROOT=/prefix/of/another/ICU).
	@Scripts/test/proof

docs: build-executables ## Build the API reference of all libraries into .build/docs/html.
	$(BUILD) "release build of PriceTagTesting" $(SWIFT) build $(RELEASE) --target PriceTagTesting
	$(STEP) "API reference" Scripts/build/docs

manual: server ## Generate the manual pages of both executables into .build/man.
	$(STEP) "manual pages" Scripts/build/manual

test-manual: manual ## Check the manual pages with mandoc.
	@Scripts/setup/setup mandoc
	$(STEP) "check of the manual pages" Scripts/build/manual --check

format: ## Format all Swift files.
	$(SWIFT) format format --in-place --parallel --recursive $(SWIFT_FILES)

# Words that documentation, comments and messages do not have: British spellings, and words with a plainer substitute.
# These lines are allowed:
# - "the standard symbol if there is none": texts of the OpenAPI document, which clients display
# - "Set aside" is now …: the changelog names the earlier word
WORDS = set aside|\btold\b|is none|nobody|whoever|\bstands? (before|behind|beside|for)\b|made anew|gone by|by itself|\bcatalogue|colour|licence|\bcancelled
ALLOWED_WORDS = the standard symbol if there is none|Set aside. is now

lint: ## Check the format of all Swift files, the words of documentation and comments, and the tables of the bindings.
	$(STEP) "lint" $(SWIFT) format lint --strict --parallel --recursive $(SWIFT_FILES)
	$(STEP) "tables of the bindings" python3 Bindings/tables.py --check
	$(STEP) "words" sh -c '! grep -rniIE "$(WORDS)" Sources docs *.md | grep -vE "$(ALLOWED_WORDS)"'

# ---- Installation: run `make build`, then `sudo make install PREFIX=/usr/local [DESTDIR=…]`, which only copies files.
# The C library alone: `make kernel`, then `sudo PREFIX=/usr/local PARTS=library Scripts/package/install`.

PREFIX ?= /usr/local
DESTDIR ?=

install: ## Install both executables, the C library, completions, manual pages and the systemd unit (PREFIX=, DESTDIR=).
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/package/install

uninstall: ## Remove the files that `make install` installed.
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/package/install --uninstall

deb: build ## Build Debian packages into .build/deb.
	@Scripts/package/deb

test-debian13: ## Run make demo, test, proof, deb and deb-test in a clean clone on Debian 13, in a chroot (as root).
	@Scripts/test/debian13

deb-test: ## Check the Debian packages with lintian; install, use and remove them in a chroot (as root).
	@Scripts/package/deb-test

release: ## Write the files of a release into .build/release-files, in a clean clone (VERSION=… WITHOUT="debian13 aarch64").
	@WITHOUT='$(WITHOUT)' Scripts/package/release '$(VERSION)'

test-release: ## Install and use the files of a release with the commands of README.md (as root, for chroots; WITHOUT=… for parts that it does not have).
	@WITHOUT='$(WITHOUT)' Scripts/package/release --test
