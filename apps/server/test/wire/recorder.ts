import { gunzipSync } from 'node:zlib';
import { exchange, type RawResponse } from './http.ts';

/** The lengths of all windows and of a ban, in seconds. */
const WINDOWS = [60, 900, 86_400];

const METRICS = '# HELP ';

export interface RecorderOptions {
  readonly origin: string;
  /** The time of the service in epoch milliseconds: exact, because a test moves it. */
  readonly clock: () => number;
  /** Redis has its own clock: its times are rounded up to the length of their window. */
  readonly isOnRedis: boolean;
}

export type Recorder = ReturnType<typeof createRecorder>;

/** Sends requests, and writes them down with their responses. Only what differs between two runs has a placeholder. */
export function createRecorder({ origin, clock, isOnRedis }: RecorderOptions) {
  const exchanges: string[] = [];
  const documents = new Map<string, string>();
  /** Placeholders of secrets and of long texts. */
  const names = new Map<string, string>();
  const lengths = new Map<number, string>();

  function name(value: string, placeholder: string): void {
    names.set(value, placeholder);
    // The length of a long text says nothing that a difference of the text does not.
    if (value.length > 1000) lengths.set(Buffer.byteLength(value), placeholder.replace('{', '{length of '));
  }

  /** On Redis the whole length of a window that began less than a minute ago. */
  function secondsOf(seconds: number): number {
    const isBegun = (length: number) => seconds <= length + 1 && seconds > length - 59;
    return isOnRedis ? (WINDOWS.find(isBegun) ?? seconds) : seconds;
  }

  function headerLine(line: string, hasOtherLength: boolean): string {
    const [, name = '', value = ''] = /^([^:]+): (.*)$/s.exec(line) ?? [];
    switch (name) {
      case 'Date':
        return value === new Date(value).toUTCString() ? 'Date: {date}' : line;
      case 'X-Request-Id':
        return line.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, '{uuid}');
      case 'X-RateLimit-Reset':
        if (!isOnRedis) return line;
        return `${name}: ${clock() / 1000 + secondsOf(Number(value) - Math.floor(Date.now() / 1000))}`;
      case 'Retry-After':
        return `${name}: ${secondsOf(Number(value))}`;
      case 'ETag':
        return line.replace(/[\w-]{16}(?="$)/, '{digest}');
      case 'Content-Length':
        if (hasOtherLength) return `${name}: {length}`;
        return `${name}: ${lengths.get(Number(value)) ?? value}`;
      default:
        return line;
    }
  }

  function bodyText(text: string): string {
    const name = names.get(text);
    if (name !== undefined) return name;
    if (text.startsWith(METRICS)) return metricsText(text);
    const timed = text.replace(/(?<=Retry in )\d+/, (seconds) => String(secondsOf(Number(seconds))));
    return withNames(timed.split('\n').map(escaped).join('\n'));
  }

  function responseText({ lines, body }: RawResponse): string {
    const isCompressed = lines.includes('Content-Encoding: gzip');
    // A HEAD has the length, but no body.
    const text = (isCompressed && body.length > 0 ? gunzipSync(body) : body).toString('utf8');
    // Another zlib compresses differently, and metrics change with each request.
    const hasOtherLength = isCompressed || lines.some((line) => /^Content-Type: .*version=/.test(line));
    const head = lines.map((line) => withNames(escaped(headerLine(line, hasOtherLength))));
    return [...head, ...(text === '' ? [] : ['', bodyText(text)])].join('\n');
  }

  function withNames(text: string): string {
    return [...names].reduce((rest, [value, name]) => rest.replaceAll(value, name), text);
  }

  /** Sends requests on one connection, in one write. Resolves to them with everything that is received. */
  async function exchanged(title: string, requests: readonly string[]): Promise<string> {
    const methods = requests.map((text) => text.split(' ', 1)[0] ?? '');
    const { responses, rest } = await exchange(origin, requests.join(''), methods);
    const sent = requests.map((text) => withNames(shortened(escapedLines(text))).replace(/\n$/, ''));
    const received = responses.map(responseText);
    if (rest !== '') received.push(`{no response} ${escaped(rest)}`);
    if (received.length === 0) received.push('{closed without a response}');
    return [`### ${title}`, ...sent, '---', received.join('\n---\n'), ''].join('\n');
  }

  return {
    /** Writes `name` in place of `value`, wherever it is sent or received. */
    name,

    /** Records what `requests` get on one connection. */
    async send(title: string, ...requests: readonly string[]): Promise<void> {
      exchanges.push(await exchanged(title, requests));
    },

    /** Records several exchanges that take place at the same time. */
    async together(several: readonly (readonly [title: string, request: string])[]): Promise<void> {
      exchanges.push(...(await Promise.all(several.map(([title, text]) => exchanged(title, [text])))));
    },

    /** Sends a request without writing it down. Resolves to the body of its response. */
    async pass(text: string): Promise<string> {
      const { responses } = await exchange(origin, text, [text.split(' ', 1)[0] ?? '']);
      return String(responses.at(-1)?.body);
    },

    /** Records a long text in a separate file. Exchanges name it. */
    keep(text: string, file: string): void {
      documents.set(`documents/${file}.txt`, withNames(text));
      name(text, `{${file}}`);
    },

    /** The exchanges so far, and the long texts by file. */
    files: (group: string): Readonly<Record<string, string>> => ({
      ...Object.fromEntries(documents),
      [`${group}.txt`]: exchanges.join('\n'),
    }),
  };
}

/** The names, labels and texts of our metrics, and the names of those that prom-client adds on every system. */
function metricsText(text: string): string {
  const lines = text
    .split('\n')
    .filter((line) => line !== '' && !/^(?:# TYPE process_|(?:# HELP )?(?:process|nodejs)_)/.test(line));
  const isSample = (line: string) => !line.startsWith('#');
  return lines
    .map((line) =>
      isSample(line)
        ? line.replace(/ [^ ]+$/, ' {value}').replaceAll(/(?<=(?:version|node)=")[^"]+/g, '{version}')
        : line,
    )
    .join('\n');
}

/** CRLF is a line break here; any other control character is visible. */
function escapedLines(text: string): string {
  return text.split('\r\n').map(escaped).join('\n');
}

function escaped(text: string): string {
  return text.replace(/[\0-\x1f\x7f]/g, (character) =>
    character === '\n' ? '\\n' : JSON.stringify(character).slice(1, -1),
  );
}

/** `text` with the number of times in place of a repeated character or line. */
function shortened(text: string): string {
  return text
    .replace(/([^\n])\1{39,}/g, (all, character: string) => `{${character} ${all.length} times}`)
    .replace(/^(.*\n)\1{9,}/gm, (all, line: string) => `{${all.length / line.length} times} ${line}`);
}
