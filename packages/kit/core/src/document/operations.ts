import { idempotencyKeyOf } from '../idempotency-key.ts';
import { headersOfDeprecation, headersOfEveryResponse } from '../pipeline-headers.ts';
import { pipelineErrors, statusFor } from '../pipeline-errors.ts';
import { hasScopes, isOpen, modelOf, type Described, type Operation, type Response } from '../model/model.ts';
import type { SourceDocument, Json } from './source-document.ts';

/** Every operation of the contract, in the order the document gives them. */
export function operationsOf({ document }: SourceDocument): readonly Operation[] {
  return modelOf(document).operations;
}

/** The headers of a response that its handler sets, not the pipeline. */
export function ownHeadersOf({ definition }: Operation, { headers }: Response): Described[] {
  const others: readonly string[] = [
    ...headersOfEveryResponse,
    ...(definition.deprecated ? headersOfDeprecation : []),
  ];
  return headers.filter(({ name }) => !others.includes(name));
}

/** An error that the pipeline may send instead of a handler. */
export interface OwnError {
  /** The status in `pipelineErrors`. */
  readonly usual: string;
  /** The status for this operation. */
  readonly status: string;
}

/** The errors that the pipeline may send instead of the operation's handler, one for each status. */
export function ownErrorsOf(operation: Operation, document: Json): OwnError[] {
  const { body } = operation;
  const declared = declaredBy(operation);
  const isRepeatable = idempotencyKeyOf(declared) !== undefined;
  const isPossible: Partial<Record<string, boolean>> = {
    401: !isOpen(operation),
    403: hasScopes(operation),
    409: isRepeatable,
    413: body !== undefined,
    415: body !== undefined,
    422: isRepeatable,
    429: document['x-rate-limit-plans'] !== undefined || !isOpen(operation),
  };
  const statuses = Object.values(pipelineErrors).flatMap((error) =>
    'replaces' in error ? [error.status] : [],
  );
  return [...new Set(statuses)]
    .filter((status) => isPossible[status] ?? true)
    .map((status) => ({ usual: String(status), status: String(statusFor({ status }, declared)) }));
}

/** What decides the statuses of the pipeline's errors for an operation. */
export function declaredBy({ method, parameters, responses }: Operation): Parameters<typeof statusFor>[1] {
  const headers = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  return { method, headers, errors: responses.map(({ status }) => Number(status)) };
}

/** The address of a server, with the defaults of its variables. */
export function serverAddress({ url, variables = {} }: Json): string {
  return String(url).replaceAll(/\{([^}]*)\}/g, (_, name: string) => String(variables[name]?.default ?? ''));
}

/** The path of `server` without a trailing slash; empty if the API starts at the root. */
export function basePathOf(server: Json): string {
  const address = serverAddress(server);
  return URL.canParse(address, LOCAL) ? new URL(address, LOCAL).pathname.replace(/\/+$/, '') : '';
}

const LOCAL = 'http://localhost';

/** The name of a server in the client: its own, `local` on this machine, or the description's first word. */
export function serverName({ url, name, description }: Json): string {
  if (name !== undefined) return name;
  const [word = ''] =
    String(description ?? '')
      .toLowerCase()
      .match(/[a-z]+/) ?? [];
  const address = serverAddress({ url });
  return URL.canParse(address) && new URL(address).hostname === 'localhost' ? 'local' : word;
}
