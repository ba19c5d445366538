#!/bin/sh
# Counts the responses in nginx's log by status, and whether nginx or an instance made them. Prometheus reads the
# counters through the text file collector of its node exporter: the instances do not see what nginx fails itself.
# Run by petstore-nginx-metrics.service; by hand: NGINX_LOG=… METRICS_DIR=… deploy/nginx-metrics.sh
set -eu
log=${NGINX_LOG:-/var/log/nginx/petstore.log}
metrics=${METRICS_DIR:-/var/lib/petstore-nginx-metrics}

# Under another name first, because the exporter reads at any time.
{
  echo '# TYPE petstore_nginx_responses_total counter'
  awk '
    {
      status = $0
      sub(/.*"status":/, "", status)
      status = substr(status, 1, 3)
      # The last status of an instance is the one that the client got, unless nginx made the response.
      by = $0 ~ "\"instance_status\":\"([^\"]* )?" status "\"" ? "instance" : "nginx"
      count["status=\"" status "\",by=\"" by "\""]++
    }
    END { for (labels in count) print "petstore_nginx_responses_total{" labels "} " count[labels] }
  ' "$log"
} >"$metrics/petstore_nginx.new"
chmod 644 "$metrics/petstore_nginx.new"
mv "$metrics/petstore_nginx.new" "$metrics/petstore_nginx.prom"
