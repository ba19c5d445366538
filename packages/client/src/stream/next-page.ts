import { operations } from '@petstore/contract';
import { UnexpectedReplyError, type OperationId } from '@petstore/client';
import { failure } from '../errors.ts';
import type { StreamedReply } from '../reply.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * The input of the page after the one that was read with `input`: with the query of the link to it, and nothing else of
 * that, so that it leads to no other operation and no other host. Undefined where there is none. Throws an
 * UnexpectedReplyError if the link makes no sense, or is one of those `followed`.
 */
export function nextPage(
  operation: OperationId,
  input: Input,
  { rawHeaders, details }: StreamedReply,
  followed: Set<string>,
): Input | undefined {
  const { query = [], joined = [], pages } = operations[operation];
  const target = pages && nextTarget(rawHeaders.get('link') ?? '');
  if (target === undefined) return undefined;
  try {
    if (followed.has(target)) throw new Error('it was followed already');
    followed.add(target);
    const next: Record<string, unknown> = { ...input };
    for (const name of query) delete next[name];
    for (const pair of target.replace(/^[^?]*\??|#.*$/g, '').split('&')) {
      const [name = '', text = ''] = pair.replaceAll('+', ' ').split(/=(.*)/s);
      const key = decodeURIComponent(name);
      if (!query.includes(key)) throw new Error(`the operation has no parameter '${key}'`);
      const texts = (joined.includes(key) ? text.split(',') : [text]).map(decodeURIComponent);
      next[key] = [...((next[key] as string[] | undefined) ?? []), ...texts];
    }
    return next;
  } catch (cause) {
    const what = `the link to the next page cannot be followed: ${target}`;
    throw failure(UnexpectedReplyError, details, 'unexpected_reply', what, cause);
  }
}

/** The target of the link with the relation `next` (RFC 8288 §3). */
function nextTarget(links: string): string | undefined {
  for (const [, target, parameters = ''] of links.matchAll(/<([^>]*)>((?:[^,"]|"[^"]*")*)/g)) {
    const [, quoted, token] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(parameters) ?? [];
    if ((quoted ?? token ?? '').toLowerCase().split(/\s+/).includes('next')) return target;
  }
  return undefined;
}
