import type { Contract } from '@contract-kit/core';
import type { Model, Operation } from '@contract-kit/core/model';
import { serverAddress } from '@contract-kit/core/model';
import type { ErrorBodies } from '../validation/error-bodies.ts';
import type { Document, Link } from './openapi.ts';

/** What the pages of a service are about. */
export interface Subject {
  readonly contract: Contract;
  readonly model: Model;
  /** The examples that replace handlers, by operationId. */
  readonly examples?: Readonly<Record<string, object>>;
  /** Makes the bodies of errors that the service itself sends. */
  readonly errorBodies?: ErrorBodies;
  /** Whether keys may be tokens of another service. */
  readonly takesTokens?: boolean;
}

/** The same as it is served at one address. */
export interface Served extends Subject {
  /** What the contract says outside of its operations. The server at that address is the first. */
  readonly document: Document;
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** `subject` as it is served at `own`, without servers on other machines' loopback addresses. */
export function servedAt(subject: Subject, own: Link): Served {
  const document = subject.contract.document as unknown as Document;
  const others = document.servers.filter(
    (server) => server.url !== own.url && !isLocal(serverAddress({ ...server })),
  );
  return { ...subject, document: { ...document, servers: [own, ...others] } };
}

/** Whether an operation responds with its example. */
export function isExample({ examples = {} }: Subject, { id }: Operation): boolean {
  return Object.hasOwn(examples, id);
}

/** A relative address also means this server. */
function isLocal(url: string): boolean {
  return !URL.canParse(url) || LOOPBACK.test(new URL(url).hostname);
}
