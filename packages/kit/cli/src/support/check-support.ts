import {
  type Json,
  type Pointer,
  type SourceDocument,
  type Problem,
  walk,
  type Node,
} from '@contract-kit/core/openapi';
import { documentRules, pathRules } from './features/document.ts';
import { parameterRules } from './features/parameters.ts';
import { responseRules } from './features/responses.ts';
import { schemaRules } from './features/schemas.ts';
import { securityRules } from './features/security.ts';
import { checkFormats } from './formats.ts';
import { checkEvents } from './events.ts';
import { checkKitPages } from './kit-pages.ts';
import type { Rule } from './rule.ts';

/** Unsupported OpenAPI and mistakes that the grammar does not find, by the headings of docs/contract.md, which says what works. */
export const ruleGroups: Readonly<Record<string, readonly Rule[]>> = {
  'The document': documentRules,
  'Paths and operations': pathRules,
  Parameters: parameterRules,
  Responses: responseRules,
  Security: securityRules,
  Schemas: schemaRules,
};

/** Every rule, by the kind of object that it looks at. */
const rules = new Map<string, Rule[]>();
for (const rule of Object.values(ruleGroups).flat()) {
  rules.set(rule.on, [...(rules.get(rule.on) ?? []), rule]);
}

/** The message for an unsupported feature or a mistake. */
export function ruleMessage({ verdict, name, advice }: Rule): string {
  return verdict === 'invalid' ? name : `not supported: ${name}; ${advice}`;
}

/** Finds parts that would not be served as the contract says. */
export function checkSupport(contract: SourceDocument): Problem[] {
  const find = (node: Node) =>
    (rules.get(node.kind) ?? []).flatMap((rule) =>
      [...rule.find(node.value, { node, contract })].map((found) =>
        contract.problemWrittenAt([...node.pointer, ...found], foundMessage(contract, rule, node, found)),
      ),
    );
  return walk(contract.document).nodes.flatMap(find);
}

/** The message with what was found: a value, or the name of an object. */
function foundMessage(contract: SourceDocument, rule: Rule, node: Node, found: Pointer): string {
  const message = ruleMessage(rule);
  const value = found.reduce((object: Json, step) => object?.[step], node.value);
  const name = found.at(-1);
  if (/\{(name|value)\}/.test(message))
    return message.replace('{name}', () => String(name)).replace('{value}', () => String(value));
  // An item of a list, such as a parameter, is called by its name.
  const called: unknown =
    typeof name === 'string' ? name : Object(contract.resolve(found.length > 0 ? value : node.value)).name;
  const text = JSON.stringify(typeof value === 'object' ? called : value) as string | undefined;
  return text === undefined ? message : `${text.slice(0, MOST_QUOTED)}: ${message}`;
}

/** Characters in a message. */
const MOST_QUOTED = 80;

/** Rule `strict`: finds harmless parts that would be ignored, such as an unknown field or a misspelt format. */
export function checkIgnored(contract: SourceDocument): Problem[] {
  const stray = walk(contract.document).findings.filter((finding) => finding.is === 'stray');
  const problems = stray.map(({ pointer, message }) => contract.problemWrittenAt(pointer, message));
  const others = [checkFormats, checkEvents, checkKitPages].flatMap((check) => check(contract));
  return [...contract.remarks, ...problems, ...others];
}
