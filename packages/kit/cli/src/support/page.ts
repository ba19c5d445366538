import { ruleGroups } from './check-support.ts';

/** docs/contract.md: `page` with a new list at the end of each chapter. Throws if a chapter is missing. */
export function contractPage(page: string): string {
  const sections = new Map(
    page.split(/^(?=## )/m).map((text) => [text.split('\n', 1).join(), text.trimEnd()]),
  );
  for (const [title, rules] of Object.entries(ruleGroups)) {
    const heading = `## ${title}`;
    const [above] = sections.get(heading)?.split(/\s+^- /m) ?? [];
    if (!above) throw new Error(`docs/contract.md has no heading ${title}: write one`);
    const unsupported = rules.filter(({ verdict }) => verdict === 'unsupported');
    const list = unsupported.map(({ name, advice }) => `- ${name}; ${advice}`);
    sections.set(heading, [above, '', ...list].join('\n'));
  }
  return `${[...sections.values()].join('\n\n')}\n`;
}
