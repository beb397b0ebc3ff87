# What .ci/run and .ci/nightly install. Sourced by them, from the repository's root.

debian_packages() {
  local missing=()
  command -v script >/dev/null || missing+=(bsdutils)
  command -v git >/dev/null || missing+=(git)
  command -v curl >/dev/null || missing+=(curl)
  command -v chromium >/dev/null || missing+=(chromium)
  command -v zsh >/dev/null || missing+=(zsh)
  command -v fish >/dev/null || missing+=(fish)
  command -v valgrind >/dev/null || missing+=(valgrind)
  command -v h2load >/dev/null || missing+=(nghttp2-client)
  command -v pgbouncer >/dev/null || missing+=(pgbouncer)
  command -v psql >/dev/null || missing+=(postgresql-client)
  command -v redis-server >/dev/null || missing+=(redis-server)
  command -v mariadbd >/dev/null || missing+=(mariadb-server)
  command -v openssl >/dev/null || missing+=(openssl)
  # They check their configuration in the documentation, and need not run.
  command -v nginx >/dev/null || missing+=(nginx-light)
  command -v caddy >/dev/null || missing+=(caddy)
  command -v systemd-analyze >/dev/null || missing+=(systemd)
  if [ "${#missing[@]}" -gt 0 ]; then apt-get update -qq && apt-get install -y -qq "${missing[@]}"; fi
}

# In the root, it builds too.
npm_packages() {
  npm ci
  local folder
  for folder in typed-clients registry managers run-time-files fetch-runtimes bench mcp lighthouse; do
    (cd "e2e/$folder" && npm ci --silent)
  done
}
