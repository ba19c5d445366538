import { referenceTo, stepsOf, type JsonObject } from '../../json/index.ts';
import { methodsOf, objectAt, REFERENCE, referenceIn, resolveIn } from '../../model/index.ts';
import type { Pointer } from '../problem.ts';
import { noteOrigin, problemOf, reportUnfollowed, writtenAt, type Bundling } from './bundling.ts';
import { takeOut, valueIn, type Holder, type Target } from './files.ts';
import { SECTIONS } from './grammar.ts';
import { takeTarget } from './inclusions.ts';
import { idOf } from './origin.ts';
import type { Remark } from './upgrade.ts';
import { walk, type FreeReference, type Node, type Walk } from './walk.ts';

/** Sections of components that the published document does not have: what is there stands where it is referred to. */
const UNPUBLISHED = ['pathItems', 'mediaTypes'];

/** Of schemas. All references lead to components by now. */
const IDENTIFIERS = ['$id', '$anchor', '$dynamicAnchor'];

/** Settles the references in documentation, so that the published document has none that leads to nothing. */
export function settleShown(bundling: Bundling): void {
  const { document, unshown } = bundling;
  const settled = new Set<object>();
  const pendingIn = ({ free }: Walk) => free.filter(({ value }) => !settled.has(value));
  let whole = walk(document, 'Document', [], true);
  // What takes the place of a reference may have more of them.
  for (let found = pendingIn(whole); found.length > 0; found = pendingIn(whole)) {
    for (const reference of found) {
      settled.add(reference.value);
      settleFree(bundling, reference);
    }
    whole = walk(document, 'Document', [], true);
  }
  for (const node of whole.nodes) {
    if (node.kind === 'Link') settleLink(bundling, node);
    if (node.kind === 'Schema') for (const name of IDENTIFIERS) delete node.value[name];
  }
  takeOut(document, unshown);
}

/** Takes out what of documentation pages cannot show, such as a webhook that is null, once all else has its shape. */
export function takeOutMisshapenShown(document: JsonObject): Remark[] {
  const known = new Set(walk(document).findings.map(({ pointer }) => idOf(pointer)));
  return (['misshapen', 'missing'] as const).flatMap((is) => {
    const { findings } = walk(document, 'Document', [], true);
    const wrong = findings.filter((finding) => finding.is === is && !known.has(idOf(finding.pointer)));
    takeOut(
      document,
      wrong.map(({ pointer }) => pointer),
    );
    return wrong.map(({ pointer, message }) => ({ pointer, message: `left out of the pages: ${message}` }));
  });
}

/** Settles a reference in documentation of any shape: the published document has what it leads to, or a copy takes its place. */
function settleFree(bundling: Bundling, { value, pointer }: FreeReference): void {
  const { document, files, bases, known } = bundling;
  const place = writtenAt(bundling, pointer);
  const file = bases.get(value) ?? place.file;
  try {
    const target = files.targetOf(value[REFERENCE], { file, pointer: place.pointer });
    const component = Object.values(SECTIONS)
      .filter((section) => !UNPUBLISHED.includes(section))
      .map((section) => known.get(idOf([section, target.file, ...target.pointer])))
      .find((reference) => reference !== undefined);
    if (target.remark !== undefined) bundling.remarks.push(problemOf(bundling, pointer, target.remark));
    if (component !== undefined) value[REFERENCE] = component;
    else if (isPublished(document, target)) value[REFERENCE] = referenceTo(target.pointer);
    else noteOrigin(bundling, pointer, takeTarget(bundling, { shape: 'free', value, pointer }, file));
  } catch (error) {
    reportUnfollowed(bundling, { pointer, isShown: true }, value[REFERENCE], error);
  }
}

function isPublished(document: JsonObject, { file, pointer }: Target): boolean {
  const [root, section] = pointer;
  if (file !== '' || (root === 'components' && UNPUBLISHED.includes(String(section)))) return false;
  return valueIn(document, pointer) !== undefined;
}

/** A link to an operation in another file names it by its id. */
function settleLink(bundling: Bundling, { value: link, pointer }: Node): void {
  const { files, bases, remarks, unshown } = bundling;
  const { operationRef } = link;
  if (typeof operationRef !== 'string') return;
  const place = writtenAt(bundling, pointer);
  const file = bases.get(link) ?? place.file;
  const at = [...pointer, 'operationRef'];
  const leaveOut = (reason: string) => {
    const written = writtenAt(bundling, at);
    const message = `operationRef is left out, because it cannot be followed (${operationRef}): ${reason}`;
    remarks.push(files.sourceOf(written.file).at(written.pointer, message));
    delete link.operationRef;
    if (link.operationId === undefined && pointer[1] !== 'links') unshown.push(pointer);
  };
  try {
    const target = files.targetOf(operationRef, { file, pointer: place.pointer });
    const local = placeOf(bundling, target);
    if (local) link.operationRef = referenceTo(local);
    else leaveOut('no path of the contract has this operation: write operationId');
  } catch (error) {
    // The address of another contract is for its readers.
    if (!/^[a-z][a-z\d+.-]+:/i.test(operationRef)) leaveOut(error instanceof Error ? error.message : '');
  }
}

/** The place of an operation among the paths of the bundled document, by the place where it was written. */
function placeOf(bundling: Bundling, { file, pointer }: Target): Pointer | undefined {
  const { document } = bundling;
  const wanted = idOf([file, ...pointer]);
  for (const [path, item] of Object.entries(objectAt(document, 'paths'))) {
    const whole: Holder = resolveIn(document, item);
    for (const method of methodsOf(whole)) {
      const own: Pointer = ['paths', path, method];
      const referred = stepsOf(referenceIn(item) ?? '');
      const places = [own, ...(referred.length > 0 ? [[...referred, method]] : [])];
      const written = places.map((steps) => writtenAt(bundling, steps));
      if (file === '' && idOf(own) === idOf(pointer)) return own;
      if (written.some((found) => idOf([found.file, ...found.pointer]) === wanted)) return own;
    }
  }
  return undefined;
}
