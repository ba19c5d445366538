import { kitPaths, routeFinder } from '@contract-kit/core/http';
import type { Problem, SourceDocument } from '@contract-kit/core/openapi';
import { basePathOf } from '@contract-kit/core/model';

/** Finds paths that take the place of a page of the service, such as `/docs`, and paths with a parameter that get none. */
export function checkKitPages(contract: SourceDocument): Problem[] {
  const basePath = basePathOf(contract.document.servers?.[0] ?? { url: '/' });
  const paths = new Set(contract.model.operations.map(({ path }) => path));
  const own = kitPaths.filter((page) => page.startsWith(basePath));
  return [...paths].flatMap((path) => {
    const routeOf = routeFinder([['', { method: 'GET', path }]], basePath);
    const at = (message: string) => contract.problemWrittenAt(['paths', path], message);
    if (own.includes(basePath + path))
      return [at(`it takes the place of the service's own ${basePath}${path}`)];
    const missed = own.filter((page) => routeOf(page) && !paths.has(page.slice(basePath.length)));
    return missed.length > 0
      ? [
          at(
            `it does not get ${missed.join(', ')}: the service has these pages itself, unless the contract declares them`,
          ),
        ]
      : [];
  });
}
