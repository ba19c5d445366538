import { bodyKindOf, essenceOf, isText } from '@kit/contract/media-type';

/**
 * Of the declared media types that `body` can be written in the one that `accept` prefers, otherwise the first (RFC 9110
 * §12.5.1). Undefined if it fits none.
 */
export function chooseType(
  accept: string | undefined,
  types: readonly string[],
  body: unknown,
): string | undefined {
  const texts = typeof body === 'string' ? types.filter((type) => bodyKindOf(type) === 'text') : [];
  const fitting = texts.length > 0 ? texts : types.filter((type) => isWritable(type, body));
  if (accept === undefined) return withCharset(fitting[0]);
  const ranges = accept.split(',').map((range) => {
    const quality = /;\s*q=([\d.]+)/i.exec(range)?.[1];
    return { range: essenceOf(range), quality: Number(quality ?? 1) };
  });
  const qualityOf = (type: string) => {
    const [main = ''] = essenceOf(type).split('/');
    const wanted = [essenceOf(type), `${main}/*`, '*/*'];
    const [best] = wanted.flatMap((name) => ranges.filter(({ range }) => range === name));
    return best?.quality ?? 0;
  };
  // A stable sort: the first of those that are equally welcome.
  return withCharset(fitting.toSorted((a, b) => qualityOf(b) - qualityOf(a))[0]);
}

function isWritable(type: string, body: unknown): boolean {
  const kind = bodyKindOf(type);
  if (body instanceof Uint8Array) return kind !== 'json';
  return kind === 'json';
}

function withCharset(type: string | undefined): string | undefined {
  return type !== undefined && isText(type) && !type.includes(';') ? `${type}; charset=utf-8` : type;
}
