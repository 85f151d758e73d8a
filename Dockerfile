# zulipctl in a small image, for jobs:  docker build -t zulipctl .
#   docker run --rm --init -e ZULIP_SITE -e ZULIP_EMAIL -e ZULIP_API_KEY zulipctl users list
# It runs as nobody, without a keychain: credentials come from the environment, or from a zuliprc that nobody may read
# (-v ./zuliprc:/zuliprc:ro, --zuliprc /zuliprc). What lasts from run to run (profiles, journals, the log) is in
# /var/lib/zulipctl: put a volume there that belongs to 65534. `--init` passes signals on, so that docker stop ends a run well.
# Not built by the tests, which look only at what stands here.
FROM node:24-alpine AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm pack --pack-destination /tmp \
 && npm install --global --omit=optional --prefix /opt/zulipctl /tmp/zulipctl-*.tgz

FROM node:24-alpine
COPY --from=build /opt/zulipctl /opt/zulipctl
RUN ln -s /opt/zulipctl/bin/zulipctl /usr/local/bin/zulipctl \
 && install -d -m 700 -o 65534 -g 65534 /var/lib/zulipctl
ENV HOME=/var/lib/zulipctl \
    ZULIPCTL_CONFIG_DIR=/var/lib/zulipctl/config \
    ZULIPCTL_STATE_DIR=/var/lib/zulipctl/state \
    ZULIPCTL_CACHE_DIR=/var/lib/zulipctl/cache
WORKDIR /var/lib/zulipctl
# nobody, as a number, which Kubernetes can see not to be root.
USER 65534:65534
ENTRYPOINT ["zulipctl"]
CMD ["--help"]
