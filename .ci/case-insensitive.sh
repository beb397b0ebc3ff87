#!/usr/bin/env bash
# Runs a command where TypeScript 7 takes the disk for one that ignores case, as on macOS and Windows: it looks for its own
# executable under a name with swapped case, and here that is there. Needs root:
# unshare -m bash .ci/case-insensitive.sh <command …>
set -euo pipefail
cd "$(dirname "$0")/.."
tsc=$(node -p "require('path').join(require('path').dirname(require.resolve('@typescript/typescript-linux-x64/package.json')), 'lib/tsc')")
tsc=$(realpath "$tsc")
# In a mount namespace of its own: nothing of it is left afterwards.
mount -t tmpfs none /mnt
mkdir /mnt/{up,work,root}
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/up,workdir=/mnt/work /mnt/root
mount --rbind /proc /mnt/root/proc
mount --rbind /dev /mnt/root/dev
swapped=$(printf %s "$tsc" | tr 'a-zA-Z' 'A-Za-z')
mkdir -p "/mnt/root$(dirname "$swapped")"
: >"/mnt/root$swapped"
exec chroot /mnt/root bash -c 'cd "$0" && exec "$@"' "$PWD" "$@"
