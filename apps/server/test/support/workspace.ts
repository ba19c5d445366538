import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The root of the workspace. */
export const root = path.resolve(__dirname, '../../../..');

const packages = {
  contract: 'packages/contract',
  'contract-tools': 'packages/contract-tools',
  'local-stack': 'packages/local-stack',
  client: 'packages/client',
  server: 'apps/server',
};

/** A copy of the whole workspace in a temporary folder, with the packages that are installed here. */
export function copyWorkspace(): string {
  const workspace = mkdtempSync(path.join(tmpdir(), 'petstore-workspace-'));
  const skipped = new Set(['node_modules', 'dist', '.git', '.turbo', '.data', 'bench']);
  cpSync(root, workspace, { recursive: true, filter: (source) => !skipped.has(path.basename(source)) });
  for (const folder of ['.', ...Object.values(packages)]) linkModules(workspace, folder);
  return workspace;
}

/** The copy uses the installed packages, and its own workspaces. */
function linkModules(workspace: string, folder: string): void {
  const from = path.join(root, folder, 'node_modules');
  const to = path.join(workspace, folder, 'node_modules');
  mkdirSync(path.join(to, '@petstore'), { recursive: true });
  for (const name of readDirectory(from)) {
    if (name !== '@petstore' && name !== '.cache') symlinkSync(path.join(from, name), path.join(to, name));
  }
  if (folder !== '.') return;
  for (const [name, target] of Object.entries(packages)) {
    symlinkSync(path.join(workspace, target), path.join(to, '@petstore', name));
  }
}

function readDirectory(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const OPERATION = `    get:
      operationId: getOrder
      tags: [orders]
      summary: Get an order
      parameters:
        - name: orderId
          in: path
          required: true
          description: Identifier of the order.
          schema: { type: integer, format: int64, minimum: 1 }
          example: 1
        - name: note
          in: query
          description: Changes nothing.
          schema: { type: string, maxLength: 20 }
          example: hello
      responses:
        "200":
          description: The order.
          headers:
            X-RateLimit-Limit: { $ref: "#/components/headers/X-RateLimit-Limit" }
            X-RateLimit-Remaining: { $ref: "#/components/headers/X-RateLimit-Remaining" }
            X-RateLimit-Reset: { $ref: "#/components/headers/X-RateLimit-Reset" }
            X-Request-Id: { $ref: "#/components/headers/X-Request-Id" }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Order" }
              example: { id: 1 }
        "400": { $ref: "#/components/responses/BadRequest" }
        "401": { $ref: "#/components/responses/Unauthorized" }
        "429": { $ref: "#/components/responses/TooManyRequests" }
        "500": { $ref: "#/components/responses/InternalError" }
        "503": { $ref: "#/components/responses/ServiceUnavailable" }
`;

/** The contract with one operation more. */
export function withGetOrder(contract: string): string {
  return contract.replace(/^ {2}\/store\/orders\/\{orderId\}:\n/m, (path) => path + OPERATION);
}
