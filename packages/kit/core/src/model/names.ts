/** Another member of a client, and those of promises and JavaScript objects. */
const isTaken = (name: string) => ['withOptions', 'then'].includes(name) || name in Object.prototype;

/**
 * Finds a unique name for each operation: `animal.byId` is `animalById`, `GET /animals` is `getAnimals`. Names of types
 * begin with a capital, so `GetBook` beside `getBook` becomes `GetBook2`.
 */
export function createNamer() {
  const names = new Set<string>();
  return (operationId: unknown, method: string, path: string): string => {
    const words =
      typeof operationId === 'string' && /[a-z]/i.test(operationId) ? operationId : wordsOf(method, path);
    const isName = /^[a-z_$][\w$]*$/i.test(words);
    const camel = words.replaceAll(/[^a-z\d_$]+(.)?/gi, (_, next?: string) => (next ?? '').toUpperCase());
    const name = isName
      ? words
      : camel.replace(/^[^a-z_$]+/i, '').replace(/^[A-Z]/, (first) => first.toLowerCase());
    let unique = isTaken(name) ? `${name}_` : name;
    for (let next = 2; names.has(typeName(unique)); next += 1) unique = `${name}${next}`;
    names.add(typeName(unique));
    return unique;
  };
}

/** The name of an operation at the start of the names of its types. */
export function typeName(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1);
}

/** `GET /animals/{animalId}` is `get animals by animalId`. */
function wordsOf(method: string, path: string): string {
  return `${method} ${path.replaceAll(/\{([^}]*)\}/g, ' by $1')}`;
}
