FROM golang:1.27.3 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -tags otel -trimpath -ldflags="-s -w" -o /image/nodkeep . \
    && mkdir -p /image/data /image/tmp /image/etc/ssl/certs \
    && cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/

FROM scratch
COPY --from=build --chown=65532:65532 /image/ /
USER 65532:65532
# The data folder, and beside it the key and the head of the audit chain.
VOLUME /data
EXPOSE 8090
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
    CMD ["/nodkeep", "doctor", "--live", "--dir", "/data/pb_data"]
ENTRYPOINT ["/nodkeep"]
CMD ["serve", "--dir", "/data/pb_data", "--http", "0.0.0.0:8090"]
