import { errorShapesOf } from '@contract-kit/core/error-shape';
import { NO_REQUEST_ID, type PlainError } from '@contract-kit/core/plain-error';
import { isJson, preferred } from '@contract-kit/core/media-type';
import { componentIn, modelOf } from '@contract-kit/core/model';
import { pipelineErrors } from '@contract-kit/core/pipeline-errors';
import { completed } from '@contract-kit/core/complete';
import { renderTemplates } from '../generate/templates.ts';
import type { TemplateValues } from '@contract-kit/server/internals';
import { operationsOf } from '@contract-kit/core/operations';
import type { Json, SourceDocument } from '@contract-kit/core/source-document';

/** Stands for any error, in texts that no contract has. */
const ANY: PlainError = {
  code: 'any_code',
  message: 'Any message.',
  status: 499,
  requestId: 'a11a11a1-1a11-4a11-8a11-a11a11a11a11',
};

/** The functions that `service.ts` passes to the kit, each in a file of its name: the adopter completes them. */
export async function ownFunctions(contract: SourceDocument, service: string) {
  const own = [
    { name: 'errorBody', file: 'error-body', values: errorBodyOf(completed(contract)) },
    { name: 'authenticate', file: 'authenticate', values: takesTokens(contract) ? {} : undefined },
  ] as const;
  const written = own.filter(({ values }) => values !== undefined);
  const sources = written.map(({ file, values }) => renderTemplates(file, { name: service, ...values }));
  return {
    files: Object.assign({}, ...(await Promise.all(sources))) as Record<string, string>,
    imports: written.map(({ name, file }) => `import { ${name} } from './${file}.ts';\n`).join(''),
    options: written.map(({ name }) => `  ${name},\n`).join(''),
  };
}

/** Errors in the contract's shape, guessed from the names of its fields. None if one function does not fit all responses. */
function errorBodyOf(contract: SourceDocument): TemplateValues | undefined {
  const shapes = errorShapesOf(contract.document);
  const { most, isOurs, content } = shapes;
  const [, { schema }] = preferred<Json>(content as Json) ?? [undefined, {}];
  const schemaName = componentIn('schemas', schema);
  if (isOurs || !isJson(most.type) || schemaName === undefined) return undefined;
  const text = JSON.stringify(most.shape(ANY), undefined, 2);
  const filled = (code: string, message: string, status: string, statusText: string, requestId: string) =>
    text
      .replaceAll(`"${ANY.code}"`, code)
      .replaceAll(`"${ANY.message}"`, message)
      .replaceAll(`"${ANY.status}"`, statusText)
      .replaceAll(String(ANY.status), status)
      .replaceAll(`"${ANY.requestId}"`, requestId);
  // Not `fits`: a schema with fewer fields would take this body, but does not describe it.
  const fitsAll = operationsOf(contract).every(({ responses }) =>
    Object.entries(pipelineErrors).every(([code, { message, status }]) => {
      const id = JSON.stringify(NO_REQUEST_ID);
      const body = filled(JSON.stringify(code), JSON.stringify(message), `${status}`, `"${status}"`, id);
      const shape = shapes.of(responses, status).shape({ code, message, status, requestId: NO_REQUEST_ID });
      return JSON.stringify(shape, undefined, 2) === body;
    }),
  );
  if (!fitsAll) return undefined;
  const body = filled(
    'error.code',
    'error.message',
    'error.status',
    'String(error.status)',
    'error.requestId',
  );
  return { schema: schemaName, body: literalOf(body) };
}

/** An object literal as people write it, of indented JSON with expressions. */
const literalOf = (json: string) =>
  json.replace(/^( *)"([A-Za-z_$][\w$]*)":/gm, '$1$2:').replace(/([^{[,])$(?=\n *[}\]])/gm, '$1,');

/** Whether another server may issue the tokens. */
function takesTokens({ document }: SourceDocument): boolean {
  const schemes = [...modelOf(document).schemes.values()];
  return schemes.some(({ type }) => type === 'oauth2' || type === 'openIdConnect');
}
