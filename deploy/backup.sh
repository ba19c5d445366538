#!/bin/sh
# Backs the embedded store up, proves that the backup can be restored, and forgets those older than KEEP_DAYS.
# Only what was restored is called petstore-*.db, with petstore-*.db.sha256 beside it. One that cannot be stays as
# unchecked.db, for the next in its place.
# Run by petstore-backup.timer; by hand: DATA_DIR=… BACKUP_DIR=… deploy/backup.sh
set -eu
umask 077
program=${PETSTORE:-/opt/petstore/bin/petstore.js}
folder=${BACKUP_DIR:-/var/backups/petstore}
keep=${KEEP_DAYS:-14}
# Where the text file collector of Prometheus' node exporter looks for petstore_backup_seconds; empty: nowhere.
metrics=${METRICS_DIR:-}

# Notes when the last backup that was tried out was made, in seconds since 1970. By another name at first: the exporter
# reads at any time.
note() {
  if [ -z "$metrics" ]; then return; fi
  printf '# TYPE petstore_backup_seconds gauge\npetstore_backup_seconds %s\n' "$1" >"$metrics/petstore_backup.new"
  chmod 644 "$metrics/petstore_backup.new"
  mv "$metrics/petstore_backup.new" "$metrics/petstore_backup.prom"
}

mkdir -p "$folder"
# There was none yet, which nobody would be called for if nothing said so.
[ -e "$metrics/petstore_backup.prom" ] || note 0
# What runs that were killed have left.
rm -rf "$folder"/check.*
unchecked="$folder/unchecked.db"
file="$folder/petstore-$(date -u +%Y%m%dT%H%M%SZ).db"
node "$program" backup --force "$unchecked"

scratch=$(mktemp -d "$folder/check.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
DATA_DIR="$scratch" node "$program" restore --yes "$unchecked"
DATA_DIR="$scratch" node "$program" keys list --json >/dev/null
sed "s|unchecked\.db|${file##*/}|" "$unchecked.sha256" >"$file.sha256"
mv "$unchecked" "$file"
rm "$unchecked.sha256"

# Only after one that works, and never the last.
# From within: find goes back to where it was started, which this user may not be allowed to.
(cd "$folder" && find . -maxdepth 1 -name 'petstore-*.db*' -mtime "+$keep" ! -name "${file##*/}*" -delete)
note "$(date +%s)"
echo "$file"
