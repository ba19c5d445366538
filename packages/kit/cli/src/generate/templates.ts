import path from 'node:path';
import { deployFiles, renderFolder, type TemplateValues } from '@contract-kit/server/internals';

const folder = path.resolve(import.meta.dirname, '../../templates');

/** The files that the templates of `kind` make, by their names from the root. */
export async function renderTemplates(
  kind: 'generated' | 'created' | 'feature' | 'error-body' | 'authenticate',
  values: TemplateValues,
): Promise<Record<string, string>> {
  const files = await renderFolder(path.join(folder, kind), values);
  return kind === 'generated' ? { ...(await deployFiles(values)), ...files } : files;
}
