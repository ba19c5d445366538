import http from 'node:http';
import type { Express } from 'express';

/**
 * Constructors of requests and responses that have Express's prototypes from the start. Express sets the prototype of
 * each, which takes it off V8's fast paths. Setting the prototype that it has already changes nothing.
 */
export function presetPrototypes(
  app: Express,
): Pick<http.ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  // Node's constructors are functions. Called as such they fill an object that already has the right prototype; a
  // class or Reflect.construct would make it change after all.
  function Request(this: http.IncomingMessage, ...args: unknown[]) {
    (http.IncomingMessage as unknown as NodeFunction).apply(this, args);
  }
  function Response(this: http.ServerResponse, ...args: unknown[]) {
    (http.ServerResponse as unknown as NodeFunction).apply(this, args);
  }
  // V8 makes room in an object for the properties that its constructor and those above it set. If it sees these two
  // alone, a response outgrows that room at once and becomes a dictionary.
  Object.setPrototypeOf(Request, http.IncomingMessage);
  Object.setPrototypeOf(Response, http.ServerResponse);
  Request.prototype = app.request;
  Response.prototype = app.response;
  return {
    IncomingMessage: Request as unknown as typeof http.IncomingMessage,
    ServerResponse: Response as unknown as typeof http.ServerResponse,
  };
}

type NodeFunction = (this: unknown, ...args: unknown[]) => void;
