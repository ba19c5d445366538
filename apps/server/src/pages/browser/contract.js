/** What the page reads from the contract besides what Swagger UI shows by itself. All take the parsed document. */

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Swagger UI files operations without a tag under this name. */
const UNTAGGED = 'default';

/** The tags as a tree by `x-parent`, then a group of the operations without a tag. */
export function groupsOf(document) {
  const operations = operationsOf(document);
  const tags = document.tags ?? [];
  const names = new Set(tags.map(({ name }) => name));
  const toGroup = (tag) => ({
    id: `group-${slug(tag.name)}`,
    tag: tag.name,
    name: tag['x-displayName'] ?? tag.name,
    description: tag.description,
    operations: operations.filter((operation) => operation.tag === tag.name),
    groups: tags.filter((child) => child['x-parent'] === tag.name).map(toGroup),
    elsewhere: operations.filter(({ tag: its, path }) => its === UNTAGGED && path.split('/')[1] === tag.name),
  });
  const groups = tags.filter((tag) => !names.has(tag['x-parent'])).map(toGroup);
  const rest = operations.filter(({ tag }) => !names.has(tag));
  if (rest.length === 0) return groups;
  const name = rest.every(({ deprecated }) => deprecated) ? 'Deprecated' : 'Other operations';
  return [...groups, { id: 'group-rest', tag: UNTAGGED, name, operations: rest, groups: [], elsewhere: [] }];
}

export function operationsOf(document) {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const { operationId, tags = [], summary = operationId, deprecated = false } = item[method];
      return { id: operationId, method, path, tag: tags[0] ?? UNTAGGED, summary, deprecated };
    }),
  );
}

/** Extensions that are shown as tables, and what they are called where the description does not name them. */
const TABLES = { 'x-rate-limit-plans': 'Plans', 'x-error-codes': 'Error codes' };

/**
 * The description cut at its second-level headings; what stands before the first has no heading. An extension's
 * table belongs to the section that names it, or else to a section of its own at the end.
 */
export function sectionsOf(document) {
  const sections = cut(document.info?.description ?? '');
  for (const [extension, heading] of Object.entries(TABLES)) {
    if (!document[extension]) continue;
    const named = sections.find(({ heading, text }) => heading && text.includes(extension));
    if (named) named.tables.push(extension);
    else sections.push({ id: `about-${slug(heading)}`, heading, text: '', tables: [extension] });
  }
  return sections;
}

function cut(description) {
  const sections = [{ lines: [] }];
  let isCode = false;
  for (const line of description.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : /^## +(.+)$/.exec(line)?.[1];
    if (heading) sections.push({ id: `about-${slug(heading)}`, heading, lines: [] });
    else sections.at(-1).lines.push(line);
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n').trim(), tables: [] }));
}

function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
