import type { Operation } from '@contract-kit/core/model';

/** How long nginx waits for the next bytes of a stream: events have a comment every 15 s, lines may be idle. */
const READ_TIMEOUTS = { events: '1m', lines: '1h' } as const;

/** The locations in nginx.conf of operations whose responses are streams. Their responses turn its buffers off. */
export function streamLocations(
  operations: readonly Operation[],
  { name, basePath }: { readonly name: string; readonly basePath: string },
): string {
  const isOf = ({ responses }: Operation, kind: string) =>
    responses.some(({ content }) => content.some((media) => media.kind === kind));
  const lines = operations.filter((operation) => isOf(operation, 'lines'));
  const events = operations.filter((operation) => isOf(operation, 'events') && !lines.includes(operation));
  return Object.entries({ events, lines })
    .filter(([, all]) => all.length > 0)
    .map(([kind, all]) => {
      const paths = [...new Set(all.map(({ path }) => patternOf(path)))].join('|');
      return `

        # Streams of ${kind}, which may be idle for longer.
        location ~ "^${patternOf(basePath)}(${paths})$" {
            proxy_pass http://${name};
            proxy_read_timeout ${READ_TIMEOUTS[kind as keyof typeof READ_TIMEOUTS]};
            limit_conn addresses 250;
        }`;
    })
    .join('');
}

/** A path with parameters as a regular expression between double quotes. */
function patternOf(path: string): string {
  return path
    .split(/\{[^}]*\}/)
    .map((text) =>
      text.replaceAll(/[.*+?^$()|[\]\\"]/g, (character) => (character === '"' ? '.' : `\\${character}`)),
    )
    .join('[^/]+');
}
