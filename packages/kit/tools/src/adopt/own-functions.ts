import { errorShapesOf, type PlainError } from '@kit/contract/error-shape';
import { isJson, preferred } from '@kit/contract/media-type';
import { pipelineErrors } from '@kit/contract/pipeline-errors';
import { completed } from '../complete.ts';
import { operationsOf } from '../operations.ts';
import type { Json, SourceDocument } from '../source-document.ts';

/** Stands for any error, in texts that no contract has. */
const ANY: PlainError = { code: 'any_code', message: 'Any message.', status: 499 };

/** The functions that `service.ts` passes to the kit, each in a file of its name: the adopter completes them. */
export function ownFunctions(contract: SourceDocument, service: string) {
  const own: [name: string, file: string, source: string | undefined][] = [
    ['errorBody', 'error-body.ts', errorBodySource(completed(contract), service)],
    ['authenticate', 'authenticate.ts', authenticateSource(contract)],
  ];
  const written = own.flatMap(([name, file, source]) =>
    source === undefined ? [] : [{ name, file, source }],
  );
  return {
    files: Object.fromEntries(written.map(({ file, source }) => [`apps/server/src/${file}`, source])),
    imports: written.map(({ name, file }) => `import { ${name} } from './${file}';\n`).join(''),
    options: written.map(({ name }) => `  ${name},\n`).join(''),
  };
}

/** Errors in the contract's shape, guessed from the names of its fields. None if one function does not fit all responses. */
function errorBodySource(contract: SourceDocument, service: string): string | undefined {
  const shapes = errorShapesOf(contract.document);
  const { most, isOurs, content } = shapes;
  const [, { schema }] = preferred<Json>(content as Json) ?? [undefined, {}];
  const [, name] = /^#\/components\/schemas\/([^/]*)$/.exec(schema?.$ref ?? '') ?? [];
  if (isOurs || !isJson(most.type) || name === undefined) return undefined;
  const text = JSON.stringify(most.shape(ANY));
  const filled = (code: string, message: string, status: string, statusText: string) =>
    text
      .replaceAll(`"${ANY.code}"`, code)
      .replaceAll(`"${ANY.message}"`, message)
      .replaceAll(`"${ANY.status}"`, statusText)
      .replaceAll(String(ANY.status), status);
  const fitsAll = operationsOf(contract).every(({ definition: { responses } }) =>
    Object.entries(pipelineErrors).every(([code, { message, status }]) => {
      const body = filled(JSON.stringify(code), JSON.stringify(message), `${status}`, `"${status}"`);
      return shapes.of(responses, status).fits(JSON.parse(body));
    }),
  );
  if (!fitsAll) return undefined;
  const value = filled('error.code', 'error.message', 'error.status', 'String(error.status)');
  return `import type { ErrorBodyMaker } from '@kit/server';
import type { components } from '@${service}/contract';

type Body = components['schemas']['${name}'];

/** Makes the errors that no handler makes, such as 401, 404 and 429. A start compares them with the contract. */
export const errorBody: ErrorBodyMaker<Body> = (error) => (${value});
`;
}

/** For tokens that another server issues. */
function authenticateSource({ document }: SourceDocument): string | undefined {
  const schemes = Object.values<Json>(document.components?.securitySchemes ?? {});
  if (!schemes.some(({ type }) => type === 'oauth2' || type === 'openIdConnect')) return undefined;
  return `import type { Authenticate } from '@kit/server';

/**
 * Finds the holder of a token that is no API key of this service. Verify the token here, and return its holder, such as
 * \`{ id: subject, scopes: ['read'] }\`. Until then only the API keys of this service are valid.
 */
export const authenticate: Authenticate = (_token, _scheme) => undefined;
`;
}
