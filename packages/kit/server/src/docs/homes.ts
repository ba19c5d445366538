/* Which page has which part of the reference. A large contract has several, so that a visit loads little. */

/** What fills pages: a group of operations, the headers or the schemas. */
export interface Chapter {
  /** The name of its first page: `repos` of `/docs/repos`, before `/docs/repos/2`. */
  readonly name: string;
  readonly parts: readonly Part[];
  /** The sum of the sizes on one page. */
  readonly most: number;
}

interface Part {
  readonly id: string;
  readonly size: number;
}

/** The page of each part by its id, in the order of the parts. */
export function homesOf(chapters: readonly Chapter[]): ReadonlyMap<string, string> {
  return new Map(chapters.flatMap(pagesOf));
}

function pagesOf({ name, parts, most }: Chapter): [id: string, place: string][] {
  let [page, room] = [1, most];
  return parts.map(({ id, size }) => {
    if (room <= 0 || (size > room && room < most)) [page, room] = [page + 1, most];
    room -= size;
    return [id, page === 1 ? `/docs/${name}` : `/docs/${name}/${page}`];
  });
}
