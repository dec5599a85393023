package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestDockerfile holds what docs/howto/docker.md relies on.
func TestDockerfile(t *testing.T) {
	b, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	_, image, ok := strings.Cut(string(b), "\nFROM scratch\n")
	if !ok {
		t.Fatal("the image is not made from scratch")
	}
	for _, want := range []string{
		`(?m)^COPY --from=build --chown=65532:65532 /image/ /$`,
		`(?m)^USER 65532:65532$`,
		`(?m)^VOLUME /data$`,
		`(?m)^EXPOSE 8090$`,
		`(?m)^HEALTHCHECK (?:.|\n)*CMD \["/nodkeep", "doctor", "--live", "--dir", "/data/pb_data"\]$`,
		`(?m)^CMD \["serve", "--dir", "/data/pb_data", "--http", "0\.0\.0\.0:8090"\]$`,
	} {
		if !regexp.MustCompile(want).MatchString(image) {
			t.Errorf("the image has no line %s", want)
		}
	}
	if !regexp.MustCompile(`go build .*-tags otel\b`).Match(b) {
		t.Error("the image cannot send measurements")
	}
	if strings.Contains(string(b), "ZONEINFO") {
		t.Error("the binary has its time zones in it")
	}
}

// TestRelease: what is released can send measurements, as the image can.
func TestRelease(t *testing.T) {
	b, err := os.ReadFile("Makefile")
	if err != nil || !regexp.MustCompile(`(?m)^release: TAGS := otel\nrelease: build `).Match(b) || !regexp.MustCompile(`(?m)^build: .*\n\tgo build -tags "\$\(TAGS\)" `).Match(b) {
		t.Errorf("the binary that make release builds cannot send measurements: %v", err)
	}
}

// TestSecretsAreNotCommitted: what lies beside a data folder in the working
// folder stays out of the repository.
func TestSecretsAreNotCommitted(t *testing.T) {
	if exec.Command("git", "rev-parse").Run() != nil {
		t.Skip("no clone")
	}
	for _, name := range []string{"pb_data/data.db", "pb_data.key", "pb_data.head", "assistants.env", "rows.json", "nodkeep"} {
		if err := exec.Command("git", "check-ignore", "-q", name).Run(); err != nil {
			t.Errorf("git would take %s: %v", name, err)
		}
	}
}
