import type { SourceDocument, Problem } from '../source-document.ts';
import type { Rule } from './rule.ts';
import { ruleGroups } from './features.ts';
import { otherVersions } from './features/document.ts';
import { mistakes } from './mistakes.ts';
import { walk, type Node } from './walk.ts';

/** Every refusal, by the kind of object that it looks at. */
const rules = new Map<string, Rule[]>();
for (const rule of [...Object.values(ruleGroups).flat(), ...mistakes]) {
  rules.set(rule.on, [...(rules.get(rule.on) ?? []), rule]);
}

/** What is said of a use of what is refused, or of a mistake. */
export function messageOf({ verdict, name, advice }: Rule): string {
  return verdict === 'mistake' ? name : `not supported: ${name}; ${advice}`;
}

export interface Support {
  readonly problems: readonly Problem[];
  /** Whether everything has the shape that OpenAPI gives it, and every reference leads to what it should. */
  readonly isSound: boolean;
}

/** Finds what is refused, misspelt or of another shape, so that nothing is accepted and then ignored. */
export function checkSupport(contract: SourceDocument): Support {
  const { document } = contract;
  const root: Node = { kind: 'Document', value: document, pointer: [], parent: undefined };
  const version = [...otherVersions.find(document, { node: root, contract })];
  if (version.length > 0) {
    const message = messageOf(otherVersions);
    return { problems: version.map((at) => contract.problemWrittenAt(at, message)), isSound: false };
  }

  const { nodes, references, violations } = walk(document);
  const problems = violations.map(({ pointer, message }) => contract.problemWrittenAt(pointer, message));
  const find = (node: Node, on: string) =>
    (rules.get(on) ?? []).flatMap((rule) => {
      const message = on === 'Reference' ? `${messageOf(rule)} (${node.value.$ref})` : messageOf(rule);
      return [...rule.find(node.value, { node, contract })].map((found) =>
        contract.problemWrittenAt([...node.pointer, ...found], message),
      );
    });
  if (violations.some(({ stops }) => stops === 'all')) return { problems, isSound: false };
  const astray = references.flatMap((node) => find(node, 'Reference'));
  if (astray.length > 0) return { problems: [...problems, ...astray], isSound: false };
  problems.push(...nodes.flatMap((node) => find(node, node.kind)));
  return { problems, isSound: violations.every(({ stops }) => stops === 'nothing') };
}
