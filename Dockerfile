# The program alone: no shell, no libraries, not root.
#
#   docker build -t specwright .
#   docker run --rm -v "$PWD:/work" specwright check model.smv
FROM rust:1.91-alpine AS build
WORKDIR /source
COPY . .
RUN cargo build --release --locked --package specwright-cli

FROM scratch
COPY --from=build /source/target/release/specwright /specwright
COPY --from=build /source/LICENSE-MIT /source/LICENSE-APACHE /
WORKDIR /work
USER 65532:65532
ENTRYPOINT ["/specwright"]
