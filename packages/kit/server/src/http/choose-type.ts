import { bodyKindOf, essenceOf, isText } from '@contract-kit/core/http';
import { isFileBody } from './file-body.ts';

/**
 * Of the declared media types that `body` can be written in the one that `accept` prefers, otherwise the first (RFC 9110
 * §12.5.1). Undefined if it fits none.
 */
export function chooseType(
  accept: string | undefined,
  types: readonly string[],
  body: unknown,
): string | undefined {
  // A range says nothing about what is sent.
  const exact = types.filter((type) => !type.includes('*'));
  const texts = typeof body === 'string' ? exact.filter((type) => bodyKindOf(type) === 'text') : [];
  const fitting = texts.length > 0 ? texts : exact.filter((type) => isWritable(type, body));
  return withCharset(inOrder(accept, fitting)[0]?.type);
}

/** Of `types` the one that `accept` prefers: of equally welcome ones the first. Undefined if it takes none. */
export function acceptedType<Type extends string>(
  accept: string | undefined,
  types: readonly Type[],
): Type | undefined {
  return inOrder(accept, types).find(({ quality }) => quality > 0)?.type;
}

/** The most welcome type first (RFC 9110 §12.5.1). */
function inOrder<Type extends string>(accept: string | undefined, types: readonly Type[]) {
  if (accept === undefined || accept.trim() === '') return types.map((type) => ({ type, quality: 1 }));
  const ranges = accept.split(',').map((range) => {
    const quality = /;\s*q=([\d.]+)/i.exec(range)?.[1];
    return { range: essenceOf(range), quality: Number(quality ?? 1) };
  });
  const qualityOf = (type: string): number => {
    const [main = ''] = essenceOf(type).split('/');
    const wanted = [essenceOf(type), `${main}/*`, '*/*'];
    const [best] = wanted.flatMap((name) => ranges.filter(({ range }) => range === name));
    return best?.quality ?? 0;
  };
  // A stable sort.
  return types.map((type) => ({ type, quality: qualityOf(type) })).toSorted((a, b) => b.quality - a.quality);
}

function isWritable(type: string, body: unknown): boolean {
  const kind = bodyKindOf(type);
  if (body instanceof Uint8Array || isFileBody(body)) return kind !== 'json';
  return kind === 'json' || (kind === 'text' && (typeof body === 'number' || typeof body === 'boolean'));
}

function withCharset(type: string | undefined): string | undefined {
  return type !== undefined && isText(type) && !type.includes(';') ? `${type}; charset=utf-8` : type;
}
