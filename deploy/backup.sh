#!/bin/sh
# Backs up the embedded store, proves that the backup can be restored, and deletes those older than KEEP_DAYS, but not
# the newest, as many as KEEP_DAYS.
# A restored backup is named petstore-*.db, with its checksum in petstore-*.db.sha256. A bad one stays as
# unchecked.db until the next run.
# Run by petstore-backup.timer; by hand: DATA_DIR=… BACKUP_DIR=… deploy/backup.sh
set -eu
umask 077
program=${PETSTORE:-/opt/petstore/bin/petstore.js}
folder=${BACKUP_DIR:-/var/backups/petstore}
keep=${KEEP_DAYS:-14}
# Where the text file collector of Prometheus' node exporter looks for petstore_backup_seconds; empty: nowhere.
metrics=${METRICS_DIR:-}

# Writes the time of the last verified backup, in seconds since 1970. Under another name first, because the exporter
# reads at any time.
note() {
  if [ -z "$metrics" ]; then return; fi
  printf '# TYPE petstore_backup_seconds gauge\npetstore_backup_seconds %s\n' "$1" >"$metrics/petstore_backup.new"
  chmod 644 "$metrics/petstore_backup.new"
  mv "$metrics/petstore_backup.new" "$metrics/petstore_backup.prom"
}

mkdir -p "$folder"
# No backup yet: 0 makes the alert fire.
[ -e "$metrics/petstore_backup.prom" ] || note 0
unchecked="$folder/unchecked.db"
# Left over from killed runs.
rm -rf "$folder"/check.* "$unchecked".partial-*
file="$folder/petstore-$(date -u +%Y%m%dT%H%M%SZ).db"
node "$program" backup --force "$unchecked"

scratch=$(mktemp -d "$folder/check.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
DATA_DIR="$scratch" node "$program" restore --yes "$unchecked"
DATA_DIR="$scratch" node "$program" keys list --json >/dev/null
sed "s|unchecked\.db|${file##*/}|" "$unchecked.sha256" >"$file.sha256"
mv "$unchecked" "$file"
rm "$unchecked.sha256"

# Only after a good backup, and never one of the newest: a clock that is ahead makes all of them look old.
# In a subshell there: find returns to its start folder, which this user may not enter.
(cd "$folder" && find . -maxdepth 1 -name 'petstore-*.db' | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
  find . -maxdepth 1 -name "${old#./}*" -mtime "+$keep" ! -name "${file##*/}*" -delete
done)
note "$(date +%s)"
echo "$file"
