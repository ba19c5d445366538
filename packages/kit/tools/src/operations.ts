import { headersOfDeprecation, headersOfEveryResponse } from '@kit/contract/pipeline-headers';
import { pipelineErrors } from '@kit/contract/pipeline-errors';
import {
  hasScopes,
  isOpen,
  modelOf,
  type Described,
  type Operation,
  type Response,
} from '@kit/contract/model';
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

/** The statuses of the errors that the pipeline may send instead of the operation's handler. */
export function ownStatusesOf(operation: Operation, document: Json): string[] {
  const { body } = operation;
  const isPossible: Partial<Record<string, boolean>> = {
    401: !isOpen(operation),
    403: hasScopes(operation),
    413: body !== undefined,
    415: body !== undefined,
    429: document['x-rate-limit-plans'] !== undefined || !isOpen(operation),
  };
  const statuses = Object.values(pipelineErrors).flatMap((error) =>
    'replaces' in error ? [error.status] : [],
  );
  return [...new Set(statuses)].filter((status) => isPossible[status] ?? true).map(String);
}

/** The address of a server, with the defaults of its variables. */
export function addressOf({ url, variables = {} }: Json): string {
  return String(url).replaceAll(/\{([^}]*)\}/g, (_, name: string) => String(variables[name]?.default ?? ''));
}

/** The path of `server` without a trailing slash; empty if the API starts at the root. */
export function basePathOf(server: Json): string {
  const address = addressOf(server);
  return URL.canParse(address, LOCAL) ? new URL(address, LOCAL).pathname.replace(/\/+$/, '') : '';
}

const LOCAL = 'http://localhost';

/** The name of a server in the client: `local` on this machine, the description's first word for the others. */
export function serverName({ url, description }: Json): string {
  const [word = ''] =
    String(description ?? '')
      .toLowerCase()
      .match(/[a-z]+/) ?? [];
  const address = addressOf({ url });
  return URL.canParse(address) && new URL(address).hostname === 'localhost' ? 'local' : word;
}
