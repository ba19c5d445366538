import type { Sample } from '../openapi.ts';

/** The samples for a request from `requestOf` of samples.ts. */
export function samplesFor(request: object, names: object): readonly Sample[];
