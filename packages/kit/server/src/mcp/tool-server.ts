import {
  CallError,
  createClient,
  readStream,
  writeBody,
  writeCookies,
  writeKeys,
} from '@contract-kit/client';
import type { ClientContract, Options } from '@contract-kit/client';
import { clientOperationsOf } from '@contract-kit/client/operations';
import type { Contract } from '@contract-kit/core';
import type { Model } from '@contract-kit/core/model';
import { respondOverHttp, serverFactory, toolsOf, type Rejection } from '@contract-kit/mcp';
import { memoize } from '../memoize.ts';
import { OWN_ORIGIN } from './in-process-fetch.ts';

export { inProcessFetch } from './in-process-fetch.ts';

/** Milliseconds: the same as over stdio. */
const CALL_TIME = 30_000;

const ADVICE = {
  key: 'Do not retry. Ask the user to check the API key in the settings of this MCP server.',
  server: 'If that fails too, tell the user that the API does not work at the moment.',
};

/** Which tools there are. */
export const FLAGS = ['read-only', 'deprecated'] as const;
export type Flag = (typeof FLAGS)[number];

/** Who calls the tools: his key, if he sent one, and the way to the service. */
export interface ToolCaller extends Pick<Options, 'fetch'> {
  readonly key: string | undefined;
}

const isRejection = (error: unknown): error is Rejection => error instanceof CallError;

/** Responds to a message of MCP, with the tools that `flags` select. They call the service as `caller`, once each. */
export function toolServer(contract: Contract, model: Model, version: string) {
  const clientOf = clientsOf(contract, model);
  const factoryOf = memoize((flags: string) => {
    const has = (flag: Flag) => flags.split(' ').includes(flag);
    const tools = toolsOf(model, { readOnly: has('read-only'), deprecated: has('deprecated') });
    return serverFactory({ contract, isRejection, tools, version, advice: ADVICE });
  });
  return (
    request: Request,
    message: object,
    flags: readonly Flag[],
    caller: ToolCaller,
  ): Promise<Response> => {
    const client = clientOf(caller);
    return respondOverHttp(
      () => factoryOf(FLAGS.filter((flag) => flags.includes(flag)).join(' '))(client),
      request,
      message,
    );
  };
}

/** Without resuming a stream, which is another request. */
const readOnce: typeof readStream = (contract, definition, ...rest) =>
  readStream(contract, { ...definition, headers: [] }, ...rest);

/** Clients of the service itself: without a retry, because a call is one request of its operation. */
function clientsOf({ name, version, basePath }: Contract, model: Model) {
  const operations = clientOperationsOf(model);
  const keyed: ClientContract = {
    name,
    version,
    basePath,
    operations,
    servers: {},
    headerTypes: {},
    serviceErrors: true,
    writeKeys,
    writeCookies,
  };
  // Without a key, an operation that needs one responds with 401.
  const open = Object.entries(operations).map(([id, operation]) => [
    id,
    { ...operation, credentials: {}, queryCredentials: [], cookieCredentials: [] },
  ]);
  const keyless: ClientContract = {
    ...keyed,
    operations: Object.fromEntries(open) as ClientContract['operations'],
  };
  return ({ key, fetch }: ToolCaller) => {
    const options: Options = {
      // Never from the environment of the server. A client without a key needs one all the same.
      apiKey: key ?? 'none',
      baseUrl: OWN_ORIGIN + basePath,
      fetch,
      maxAttempts: 1,
      budget: CALL_TIME,
      logger: { debug: () => undefined },
      onDeprecation: () => undefined,
    };
    return createClient(key === undefined ? keyless : keyed, options, {
      writeBody,
      readStream: readOnce,
    }) as Parameters<ReturnType<typeof serverFactory>>[0];
  };
}
