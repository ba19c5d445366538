const encodeAll = (text: string) =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

/** Spellings of an API key from which its secret can be read. */
export const spellings: readonly (readonly [name: string, spell: (key: string) => string])[] = [
  ['as it is', (key) => key],
  ['in capital letters', (key) => key.toUpperCase()],
  ['with a percent-encoded character', (key) => key.replace('_', '%5F')],
  ['percent-encoded', encodeAll],
  ['percent-encoded twice', (key) => encodeAll(encodeAll(key))],
];

/** Percent-decoded until nothing is left to decode. */
export function percentDecoded(text: string): string {
  const once = text.replaceAll(/%([0-7][\da-f])/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return once === text ? text : percentDecoded(once);
}

const HEADERS = [
  ...['X-API-Key', 'User-Agent', 'Referer', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Request-Id'],
  ...['Forwarded', 'Content-Type', 'Host'],
];

/** A request to be sent without normalization. */
interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/** Requests with `secret` in each place where clients put one by mistake. `list` is a path below `/v1`. */
export function requestsWith(secret: string, list: string): RawRequest[] {
  const targets = [
    `/v1/${list}/${secret}`,
    `/v1/${list}?access_token=${secret}`,
    `/v1/${list}?${secret}=1`,
    `/v1/${list}/7?a=1&b=%00${secret}#${secret}`,
    `/v1/${secret}`,
    `/${secret}?${secret}`,
    `/docs?key=${secret}`,
    `/docs/${secret}`,
    `http://${secret}/v1/${list}/${secret}?${secret}`,
  ];
  const headers = [
    ...HEADERS.map((name) => [name, secret] as const),
    ['Authorization', `Bearer ${secret}`],
    ['Authorization', `Basic ${secret}`],
    ['Forwarded', `for=${secret};host=${secret}`],
    ['Cookie', `key=${secret}`],
  ] as const;
  const bodies = [JSON.stringify({ bookId: secret, days: secret }), JSON.stringify({ [secret]: 1 }), secret];
  return [
    ...targets.flatMap((target) =>
      ['GET', 'DELETE', 'OPTIONS'].map((method) => ({ method, target, headers: [] })),
    ),
    ...headers.map((header) => ({ method: 'GET', target: `/v1/${list}`, headers: [header] })),
    ...bodies.map((body) => ({
      method: 'POST',
      target: `/v1/${list}`,
      headers: [['Content-Type', 'application/json'] as const],
      body,
    })),
  ];
}
