import type { Sample } from '../openapi.ts';

/** Of a request as `requestOf` of samples.ts describes it: those that can send it. */
export function samplesFor(request: object, names: object): readonly Sample[];
