/**
 * The first paragraph of a description. The rest is about HTTP: statuses, headers, versions. A model that
 * calls a tool meets none of them.
 */
export function firstParagraph(description: unknown): string {
  const blocks = typeof description === 'string' ? description.trim().split(/\n\s*\n/) : [];
  const first = blocks.find((block) => !block.startsWith('#')) ?? '';
  return first.replace(/\s*\n\s*/g, ' ');
}
