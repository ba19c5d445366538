import http from 'node:http';
import type { Express } from 'express';

/**
 * Constructors of requests and responses with Express's prototypes. Express sets the prototype of each, which takes it
 * off V8's fast paths. Setting the prototype that it already has changes nothing.
 */
export function presetPrototypes(
  app: Express,
): Pick<http.ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  // Node's constructors are functions: called as such they fill an object that already has the right prototype. A class
  // or Reflect.construct would change it.
  function Request(this: http.IncomingMessage, ...args: unknown[]) {
    (http.IncomingMessage as unknown as NodeFunction).apply(this, args);
  }
  function Response(this: http.ServerResponse, ...args: unknown[]) {
    (http.ServerResponse as unknown as NodeFunction).apply(this, args);
  }
  // V8 reserves space for the properties that a constructor and its parents set. If it sees only these two, a response
  // outgrows that space at once and becomes a dictionary.
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
