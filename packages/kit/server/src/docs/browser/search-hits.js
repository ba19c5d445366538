/* What a query finds in the search index of the service. See ../search-index.ts. */

/** How well a text fits: it is the query, starts with it, has it, or has its words. A text without them does not fit. */
const [EXACT, START, PART, WORDS] = [0, 1, 2, 3];

/** The index as it is searched. `base` is the path of the API. */
export function readIndex({ pages, entries, names, references }, base = '') {
  const parents = new Map();
  for (const [schema, ...users] of references) {
    const pairs = [];
    for (let at = 0; at < users.length; at += 2)
      pairs.push([users[at], names.field[users[at + 1]]?.[0] ?? '']);
    parents.set(schema, pairs);
  }
  return {
    entries: entries.map((entry) => ({
      ...entry,
      href: `${pages[entry.page]}#${entry.id}`,
      ...textsOf(entry, base),
    })),
    names: Object.entries(names).map(([kind, list]) => [kind, list.map(nameOf)]),
    parents,
  };
}

function textsOf({ kind, id, title, method, path, group }, base) {
  const texts =
    kind === 'operation'
      ? [id, title, path, base + path, `${method} ${path}`, `${method} ${base}${path}`]
      : [title];
  const lower = texts.map(normal);
  return { texts: lower, all: [...lower, normal(group ?? '')].join('\n'), squeezed: normal(id) };
}

function nameOf([name, ...steps]) {
  let number = 0;
  const lower = normal(name);
  return {
    name,
    lower,
    last: lower.slice(lower.lastIndexOf('.') + 1),
    numbers: steps.map((step) => (number += step)),
  };
}

/** Without what readers do not know: the case, and the names of parameters in a path. */
export function normal(text) {
  return text.toLowerCase().replace(/\{[^}]*\}/g, '{}');
}

export function wordsIn(query) {
  return normal(query).split(/\s+/).filter(Boolean);
}

/** The entries that fit `query`, the best first: each with its kind, and with the name that fits if none of its texts does. */
export function hitsIn({ entries, names, parents }, query) {
  const words = wordsIn(query);
  if (words.length === 0) return [];
  const whole = words.join(' ');
  const hits = entries.flatMap((entry) => {
    if (!words.every((word) => isIn(entry, word))) return [];
    return [{ kind: entry.kind, entry, rank: Math.min(...entry.texts.map((text) => rankOf(text, whole))) }];
  });
  for (const [kind, list] of names) hits.push(...namedHits(kind, list));
  return hits.sort((one, other) => one.rank - other.rank);

  /** The operations and schemas that have a name, and the other words in their own texts. */
  function namedHits(kind, list) {
    const found = words.map((word) => entriesWith(list, word, kind === 'field' ? parents : new Map()));
    const numbers = new Set(found.flatMap((byNumber) => [...byNumber.keys()]));
    return [...numbers].flatMap((number) => {
      const entry = entries[number];
      const here = found.flatMap((byNumber) => byNumber.get(number) ?? []);
      if (!words.every((word, index) => found[index].has(number) || isIn(entry, word))) return [];
      const [{ name, rank }] = here;
      return [{ kind, entry, name, rank: here.length < words.length ? WORDS : rank }];
    });
  }
}

/** The text of an entry has a word. An operationId may be written with signs that names in code do not have. */
function isIn({ kind, all, squeezed }, word) {
  if (all.includes(word)) return true;
  const letters = /^\w[^{}]*$/.test(word) ? word.replace(/[^a-z0-9]/g, '') : '';
  return kind === 'operation' && letters !== '' && letters !== word && squeezed.includes(letters);
}

function rankOf(text, query) {
  if (text === query) return EXACT;
  return text.startsWith(query) ? START : text.includes(query) ? PART : WORDS;
}

/**
 * The numbers of the entries with a name that fits `word`, each with that name. What refers to a schema has its fields: it
 * is searched step by step, so that each has the shortest path to its field.
 */
function entriesWith(list, given, parents) {
  const word = given.replace(/\.+$/, '');
  const parts = word.split('.');
  // A letter alone is in nearly all, and a part after a dot starts there.
  const ranks = word.length < 2 ? [EXACT] : parts.length > 1 ? [EXACT, START] : [EXACT, START, PART];
  const found = new Map();
  const byRank = ranks.map(() => []);
  for (const item of list) byRank[rankOf(item.last, parts.at(-1))]?.push(item);
  for (const [rank, items] of byRank.entries()) {
    const queue = items.flatMap(({ name, numbers }) => numbers.map((number) => ({ name, number })));
    // It grows while it is read.
    for (const { name, number } of queue) {
      const isWhole = parts.length === 1 || name.toLowerCase().includes(word);
      if (isWhole ? found.has(number) : name.split('.').length > parts.length) continue;
      if (isWhole) found.set(number, { name, rank });
      for (const [user, field] of parents.get(number) ?? [])
        if (!isWhole || !found.has(user))
          queue.push({ name: field === '' ? name : `${field}.${name}`, number: user });
    }
  }
  return found;
}
