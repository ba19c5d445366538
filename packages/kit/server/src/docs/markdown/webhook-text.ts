import { callbacksOf, type Callback } from '@contract-kit/core/model';
import { codeText } from './fields.ts';
import { exampleText, joined, linkTo } from './blocks.ts';
import type { Operation } from '../openapi.ts';
import { bodyExamplesOf, inputsOf, notesOf, responseText } from './operation-text.ts';
import type { Reference } from '../reference.ts';
import { securityText } from './security-text.ts';

/* What the owner of the API sends, in Markdown: the kit does not send it by itself. */

export const WEBHOOKS =
  'Requests that the owner of this API sends to you. The contract describes them; this server does not send them by itself.';

/** What a webhook sends, and which responses it expects. */
export function webhookText(reference: Reference, operation: Operation): string {
  const { description, externalDocs } = operation.definition;
  const notes = notesOf(reference, operation);
  return joined([
    notes.length > 0 && `**${notes.join(', ')}**`,
    description,
    linkTo(externalDocs),
    operation.security.length > 0 && `It is sent with ${securityText(reference, operation)}.`,
    // It says all of what is sent, also what is in responses only.
    ...inputsOf(reference, operation, 'response').flatMap(({ title, text }) => [`**${title}**`, text]),
    operation.responses.length > 0 && '**Responses that it expects**',
    ...operation.responses.flatMap((response) => [
      `**${response.status}** ${response.description}`,
      responseText(reference, response),
    ]),
  ]);
}

/** The callbacks of an operation, each with its request. */
export function callbacksText(reference: Reference, operation: Operation): string {
  const parts = callbacksIn(reference, operation).map(({ callback, request }) =>
    joined([
      `**${codeText(callback.name)}**: ${codeText(`${request.method} ${callback.expression}`)}${request.definition.summary ? `. ${request.definition.summary}` : ''}`,
      webhookText(reference, request),
      ...bodyExamplesOf(reference, request).map((example) => exampleText(example)),
    ]),
  );
  return joined([
    parts.length > 0 &&
      'Requests that the owner of this API sends because of this one, to the address that the expression finds in it. This server does not send them by itself.',
    ...parts,
  ]);
}

/** Each request of each callback of an operation. */
export function callbacksIn(
  { model }: Reference,
  operation: Operation,
): { readonly callback: Callback; readonly request: Operation }[] {
  return callbacksOf(operation, model).flatMap((callback) =>
    callback.operations.map((request) => ({ callback, request })),
  );
}
