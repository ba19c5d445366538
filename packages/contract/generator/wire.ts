import type { Contract, Json } from './contract.ts';
import type { Operation } from './operations.ts';

/** The JSON type of a request's or a response's body: `none` without content, `any` where the schema gives no type. */
export function bodyOf(contract: Contract, definition: Json): string {
  const content: Json = contract.resolve(definition).content?.['application/json'];
  if (!content) return 'none';
  const { type } = contract.resolve(content.schema) ?? {};
  return typeof type === 'string' ? type : 'any';
}

/** The type of every header that some response declares, by name. One name must have one type everywhere. */
export function headerTypesOf(contract: Contract, operations: readonly Operation[]): Record<string, string> {
  const types: Record<string, string> = {};
  for (const { id, responses } of operations) {
    for (const { status, definition } of responses) {
      for (const [name, header] of Object.entries<Json>(definition.headers ?? {})) {
        const type = String(contract.resolve(contract.resolve(header).schema)?.type ?? 'string');
        if ((types[name] ??= type) !== type) {
          throw new Error(`${id} ${status}: the header ${name} is ${type} here and ${types[name]} elsewhere`);
        }
      }
    }
  }
  return types;
}

/** The servers by name: `local` for the one on this machine, the description's first word for the others. */
export function serversOf(contract: Contract): Record<string, string> {
  const servers: Json[] = contract.document.servers;
  return Object.fromEntries(
    servers.map(({ url, description }) => {
      const [word = ''] =
        String(description ?? '')
          .toLowerCase()
          .match(/[a-z]+/) ?? [];
      return [new URL(url).hostname === 'localhost' ? 'local' : word, url];
    }),
  );
}
