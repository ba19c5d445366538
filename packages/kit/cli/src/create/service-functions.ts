import type { GuessedErrors } from '../error-body/error-body.ts';
import { renderTemplates } from '../generate/templates.ts';
import { errorBodyFile } from '../workspace.ts';
import type { SourceDocument } from '@contract-kit/core/openapi';

interface ServiceFunction {
  readonly name: string;
  /** The file that exports it, beside `service.ts`. */
  readonly file: string;
  readonly sources: Readonly<Record<string, string>>;
}

/** The functions that `service.ts` of a contract passes to the kit, each in a file of its name: the adopter completes them. */
export async function serviceFunctions(
  contract: SourceDocument,
  service: string,
  errors: GuessedErrors | undefined,
) {
  const own: ServiceFunction[] = [
    ...(errors
      ? [{ name: 'errorBody', file: 'error-body', sources: { [errorBodyFile]: errors.source } }]
      : []),
    ...(takesTokens(contract)
      ? [
          {
            name: 'authenticate',
            file: 'authenticate',
            sources: await renderTemplates('authenticate', { name: service }),
          },
        ]
      : []),
  ];
  return {
    files: Object.assign({}, ...own.map(({ sources }) => sources)) as Record<string, string>,
    imports: own.map(({ name, file }) => `import { ${name} } from './${file}.ts';\n`).join(''),
    options: own.map(({ name }) => `  ${name},\n`).join(''),
  };
}

/** Whether another server, or a login of this one, may issue the tokens. */
function takesTokens({ model }: SourceDocument): boolean {
  const schemes = [...model.schemes.values()];
  return schemes.some(
    ({ type, in: place }) => type === 'oauth2' || type === 'openIdConnect' || place === 'cookie',
  );
}
