# The bridge as an image, built from the unpacked package: docker build -f deploy/Dockerfile -t licensing-bridge .
# The package has this file as deploy/Dockerfile. Its libraries are the newest that fit: keep the image, not the recipe.
# A tag moves: for a build that can be repeated, pass the image with its digest, name@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim
FROM $NODE_IMAGE AS build
COPY package.json README.md LICENSE /package/
COPY catalogue /package/catalogue
COPY dist /package/dist
WORKDIR /app
# The database is elsewhere: the optional dependency is the embedded one.
RUN npm install /package --install-links --omit=optional --ignore-scripts --no-audit --no-fund

FROM $NODE_IMAGE
WORKDIR /app
COPY --from=build /app ./
USER node
ENV NODE_ENV=production BRIDGE_HOST=0.0.0.0 BRIDGE_METRICS_PORT=9464 BRIDGE_METRICS_HOST=0.0.0.0
# Not the port of the console: `docker run -P` would publish it.
EXPOSE 5171 5172 9464
HEALTHCHECK --interval=10s --timeout=3s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:5171/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, which would keep SIGTERM to itself.
ENTRYPOINT ["node", "node_modules/licensing-bridge/dist/cli.js"]
CMD ["serve"]
