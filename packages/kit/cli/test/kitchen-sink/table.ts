import type { Handler } from '@contract-kit/server';
import type { RawRequest } from '@contract-kit/server/internals';

/** The places of a handler's input. */
type Place = 'path' | 'query' | 'headers' | 'cookies' | 'body';

/** An operation in generated code. */
interface Operation {
  readonly path: string;
  readonly caller: 'key' | 'perhaps' | 'none';
  readonly received: object;
  readonly responses: object;
}

type Received<Of extends Operation> = {
  readonly [Part in Place]?: Part extends keyof Of['received'] ? Partial<Of['received'][Part]> : never;
};

/** A call, and the requests that mean the same, as they go over the wire: the rest of the row says what becomes of them. */
export interface Row {
  /** The file of the contract. */
  readonly contract: string;
  readonly feature: string;
  readonly operation: string;
  /** What the client's method takes, and the tool for agents. */
  readonly input?: unknown;
  /** A request like `GET /v1/books`, with headers in further lines, and a body after an empty line. */
  readonly sent?: readonly string[];
  /** What the handler receives of each, in full for every place that is named. */
  readonly received?: Partial<Record<Place, unknown>>;
  /** What the handler returns: the usual response of the operation unless it is given. */
  readonly answer: object;
  /** What the call resolves to, if it is not the body of the answer. */
  readonly data?: unknown;
  /** What the call throws, if the answer is an error. */
  readonly fails?: object;
  /** The declared headers of the response. */
  readonly headers?: object;
  /** Requests that the server rejects, with the status, and the message or a part of the body. */
  readonly rejects?: Readonly<Record<string, number | readonly [status: number, what: string | object]>>;
  /** Inputs that the client does not send, by the reason that it gives. */
  readonly refuses?: Readonly<Record<string, unknown>>;
  /** Answers of a handler that are not sent, but 500. */
  readonly breaks?: readonly object[];
  /** A body is of a media type that a tool for agents does not send or give. */
  readonly isNoTool?: true;
  /** Inputs that neither the types nor the server take, and that are no input of the tool. */
  readonly wrong?: readonly unknown[];
  /** Inputs that the types take, and nothing else does. */
  readonly untyped?: readonly unknown[];
  /** What a surface does not do, in the words of docs/supported.md. */
  readonly limits?: Readonly<Partial<Record<Surface, string>>>;
}

/** The columns of docs/supported.md. */
export const SURFACES = ['server', 'types', 'client', 'fake', 'tool', 'fuzzer', 'check'] as const;
export type Surface = (typeof SURFACES)[number];

/** A row whose values have the generated types of its operation. */
interface TypedRow<Method, Of extends Operation> extends Omit<
  Row,
  'contract' | 'feature' | 'operation' | 'answer'
> {
  readonly input?: InputOf<Method>;
  readonly received?: Received<Of>;
  readonly answer?: Answer<Of>;
  readonly data?: Method extends (...args: never) => PromiseLike<infer Data> ? Data : never;
  readonly refuses?: Readonly<Record<string, InputOf<Method>>>;
  readonly breaks?: readonly Answer<Of>[];
}

type InputOf<Method> = Method extends (input: infer Input, options?: never) => unknown ? Input : never;
type Answer<Of extends Operation> = Awaited<ReturnType<Handler<Of>>>;

/** Makes rows of a contract, by its generated client and operations. `answers` are the usual responses. */
export function tableOf<Client, Operations extends Record<keyof Operations, Operation>>(
  contract: string,
  answers: { readonly [Id in keyof Operations]: Answer<Operations[Id]> },
) {
  return <Id extends keyof Operations & keyof Client & string>(
    feature: string,
    operation: Id,
    row: TypedRow<Client[Id], Operations[Id]>,
  ): Row => ({ contract, feature, operation, answer: answers[operation], ...row });
}

/** Each time the same items. */
export const streamOf = <Item>(items: readonly Item[]): AsyncIterable<Item> => ({
  async *[Symbol.asyncIterator]() {
    yield* await Promise.resolve(items);
  },
});

/** A request with a body. */
export const post = (target: string, type: string, body: string, method = 'POST') =>
  `${method} ${target}\nContent-Type: ${type}\n\n${body}`;

/** A request of a row as it is sent. KEY in it is the key, which is a bearer token unless it says otherwise. */
export function requestIn(row: Pick<Row, 'contract'>, text: string, key: string): RawRequest {
  const [head = '', ...rest] = text.split('\n\n');
  const [line = '', ...lines] = head.replaceAll('KEY', key).split('\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', value = ''] = line.split(/: ?(.*)/);
    return [name, value.replace(/^Basic (.*)/, (_, user: string) => `Basic ${btoa(user)}`)];
  });
  const [name, prefix] = row.contract === 'behind.yaml' ? ['X-Api-Key', ''] : ['Authorization', 'Bearer '];
  if (!headers.some(([given]) => given === name)) headers.push([name, prefix + key]);
  const body = rest.length > 0 ? Buffer.from(rest.join('\n\n'), 'latin1') : undefined;
  const [method = '', target = ''] = line.split(' ');
  return { method, target, headers: headers.filter(([, value]) => value), body };
}
