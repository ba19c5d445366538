import { clientNames } from '@contract-kit/core';

/* The names that mean something else in a generated client: its modules have no others. */

const words = (text: string) => text.trim().split(/\s+/);

/** In TypeScript. */
const KEYWORDS = words(`
  any asserts await bigint boolean break case catch class const continue debugger default delete do else enum export
  extends false finally for function if implements import in instanceof interface let never new null number object
  package private protected public return static string super switch symbol this throw true try typeof undefined
  unknown var void while with yield`);

/** In JavaScript. */
const GLOBALS = words(`
  Array AsyncGenerator Awaited BigInt Boolean Date Function Map Math Number Object Omit Parameters Promise Record
  Request Required Response ReturnType Set String Symbol`);

/** In the modules of every client: what they declare, import and export. */
const OF_CLIENT = words(`
  ApiError ApiErrorOf Call CallError CallOptions CallState ClientErrorCode Clock ConnectionError DeprecationEvent
  Environment ErrorBody ErrorCode ErrorDetails Fetch FetchInit HeaderValues Headers HeadersOption Hook
  InexactIntegerError Input InputError Int64 Known Limits Logger OperationId Operations Options PacedFetch
  PassedOptions RateLimit RateLimitError Reply ReplyBase RequestEvent ResponseEvent Result RetryEvent Schemas StatusIn
  TimeoutError UnexpectedReplyError WaitEvent
  basePath components createClient createFetch createFetchOf errorCodes headerTypes operations servers`);

/** In the module of a fake. */
const OF_FAKE = words(`
  Answers FakeAnswer FakeFailure FakeHandler FakeOptions FakeRequest FakeService FakeSuccess createFake`);

const ALL: ReadonlySet<string> = new Set([...KEYWORDS, ...GLOBALS, ...OF_CLIENT]);

/** The types of operations and of events, and names for what the client has of another package. */
const PATTERN = /^(Base|Client).*$|^.*(Event|Input|Reply|Methods)$|^Error$/;

/** Whether a schema with this name has no separate type in the client: it is only in `Schemas`. */
export function isTaken(name: string): boolean {
  return ALL.has(name) || PATTERN.test(name);
}

/** Whether a type or function that is named after the service would have the name of one that every client has. */
export function isTakenService(service: string): boolean {
  const { factory } = clientNames(service);
  const pascal = factory.replace('create', '');
  const types = [pascal, ...['Error', 'Options', 'Methods'].map((suffix) => pascal + suffix)];
  const ofFake = ['', 'Options'].map((suffix) => `Fake${pascal}${suffix}`);
  return [...types, ...ofFake, factory, `createFake${pascal}`].some(
    (name) => ALL.has(name) || OF_FAKE.includes(name),
  );
}
