# Any Go from 1.21 on is enough to start with: it fetches this one by itself.
export GOTOOLCHAIN := go1.27.3
# No C compiler is needed, and the binary is static.
export CGO_ENABLED := 0

PACKAGES := ./...
TAGS     :=
DIR      := pb_data
ADDRESS  := 127.0.0.1:8090
LINT     := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

.PHONY: help run demo build release test browser e2e scripts windows conformance race fuzz bench lint fix clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

run: build ## build and serve the instance in DIR (pb_data) at ADDRESS (127.0.0.1:8090)
	./nodkeep serve --dir $(DIR) --http $(ADDRESS)

demo: build ## serve a sample household in a folder that is thrown away
	./nodkeep demo

build: ## build ./nodkeep
	go build -tags "$(TAGS)" -trimpath -ldflags="-s -w" -o nodkeep .

release: TAGS := otel
release: build ## build ./nodkeep as it is released: it can send measurements

test: browser ## check the formatting, vet, run all tests, in a browser too
	@unformatted=$$("$$(go env GOROOT)/bin/gofmt" -l .) || exit 1; \
	if [ -n "$$unformatted" ]; then echo "gofmt -w these files:"; echo "$$unformatted"; exit 1; fi
	go vet $(PACKAGES)
	go vet -tags conformance ./hooks
	go vet -tags otel $(PACKAGES)
	go test -timeout 45m $(PACKAGES)
	go test -tags otel ./assistant/telemetry

# A browser for e2e, where there is none and this machine lets us install one.
# Without it those tests say what is missing; in CI they fail.
browser:
	@for name in "$$CHROMIUM" chromium-headless-shell chromium chromium-browser google-chrome; do command -v "$$name" >/dev/null 2>&1 && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing Chromium for the tests in a browser"; \
		apt-get update -qq && { apt-get install -qqy --no-install-recommends chromium-headless-shell || apt-get install -qqy --no-install-recommends chromium; } >/dev/null || echo "Chromium could not be installed" >&2; \
	fi

e2e: browser ## run the tests in a browser alone; E2E_SLOW=6 makes every window six times slower
	go test -count=1 -timeout 30m ./e2e

scripts: ## bring the scripts of others that VERSIONS name (needs npm and a network)
	go run ./e2e/refresh

windows: ## check that all of it builds for Windows
	GOOS=windows go vet $(PACKAGES)

conformance: e2e/node_modules/.package-lock.json ## run the public MCP conformance suite and the MCP Inspector (needs npm and a network)
	go test -count=1 -v -tags conformance -run '^(TestConformance|TestInspector)$$' ./hooks

# What the lock file says is installed, and npm notes it there. Not by npm ci: it
# stops at an optional package that not every registry has.
e2e/node_modules/.package-lock.json: e2e/package-lock.json
	@command -v npm >/dev/null || { echo "npm is missing, and the suite needs it. On Debian: apt-get install npm" >&2; exit 1; }
	cd e2e && npm install --no-save --loglevel=error
	touch $@

race: ## run all tests with the race detector (needs a C compiler)
	CGO_ENABLED=1 go test -race -timeout 60m $(PACKAGES)

fuzz: ## run every fuzz test for 10 seconds
	@grep -rl --include='*_test.go' '^func Fuzz' . | sort | while read -r file; do \
		for name in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$$file"); do \
			echo "$$name in $$(dirname "$$file")"; \
			go test -run '^$$' -fuzz "^$$name$$" -fuzztime 10s -fuzzminimizetime 1x "./$$(dirname "$$file")" || exit 1; \
		done \
	done

bench: ## run the benchmarks; one fails above its limit, which it prints
	go test -p 1 -run '^$$' -bench . -benchmem $(PACKAGES)

lint: ## run the linters of .golangci.yml (the first time builds them)
	$(LINT) run

fix: ## format the sources as the linters want them
	$(LINT) fmt

clean: ## remove what was built; your data stays
	rm -f nodkeep
	go clean -testcache
