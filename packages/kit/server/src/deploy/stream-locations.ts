import type { Operation } from '@contract-kit/core/model';

/** How long nginx waits for the next bytes of a stream: events have a comment every 15 s, lines may be idle. */
const READ_TIMEOUTS = { events: '1m', lines: '1h' } as const;

/** What nginx.conf has of operations whose responses are streams. These responses turn its buffers off. */
export function streamsInNginx(
  operations: readonly Operation[],
  { name, basePath }: { readonly name: string; readonly basePath: string },
): Readonly<Record<'streams' | 'streamZone' | 'streamLimit' | 'streamTimeout' | 'limited', string>> {
  const lines = operations.filter((operation) => sends(operation, 'lines'));
  const events = operations.filter((operation) => sends(operation, 'events') && !lines.includes(operation));
  const all = [...events, ...lines];
  if (all.length === 0)
    return {
      streams: '',
      streamZone: '',
      streamLimit: '',
      streamTimeout: '',
      limited: '$binary_remote_addr',
    };
  const streams = Object.entries({ events, lines })
    .filter(([, some]) => some.length > 0)
    .map(([kind, some]) => {
      const paths = [...new Set(some.map(({ path }) => patternOf(path)))].join('|');
      return `

        # Streams of ${kind}, which may be idle for longer.
        location ~ "^${patternOf(basePath)}(${paths})$" {
            proxy_pass http://${name};
            proxy_read_timeout ${READ_TIMEOUTS[kind as keyof typeof READ_TIMEOUTS]};
        }`;
    })
    .join('');
  // Some paths without a stream look like one that has parameters.
  const others = operations.filter(
    (operation) => !all.includes(operation) && all.some((stream) => looksLike(operation, stream)),
  );
  const row = ({ method, path }: Operation, value: string) =>
    `\n        "~^${method} ${patternOf(basePath + path)}$" ${value};`;
  const streamZone = `
    # The streams of an address are counted apart: all others of an office still get responses.
    map "$request_method $uri" $streaming_address {${[
      ...others.map((operation) => row(operation, '""')),
      ...all.map((operation) => row(operation, '$binary_remote_addr')),
    ].join('')}
    }
    map $streaming_address $asking_address {
        "" $binary_remote_addr;
    }
    limit_conn_zone $streaming_address zone=streams:10m;`;
  return {
    streams,
    streamZone,
    streamLimit: '\n        limit_conn streams 250;',
    streamTimeout: `\n            # It may be a stream.\n            proxy_read_timeout ${READ_TIMEOUTS[lines.length > 0 ? 'lines' : 'events']};`,
    limited: '$asking_address',
  };
}

const sends = ({ responses }: Operation, kind: string) =>
  responses.some(({ content }) => content.some((media) => media.kind === kind));

/** Whether `stream` has the method of `operation`, and its pattern the path. */
const looksLike = ({ method, path }: Operation, stream: Operation) =>
  method === stream.method && new RegExp(`^${patternOf(stream.path)}$`).test(path);

/** A path with parameters as a regular expression between double quotes. */
function patternOf(path: string): string {
  return path
    .split(/\{[^}]*\}/)
    .map((text) =>
      text.replaceAll(/[.*+?^$()|[\]\\"]/g, (character) => (character === '"' ? '.' : `\\${character}`)),
    )
    .join('[^/]+');
}
