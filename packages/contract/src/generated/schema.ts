// Generated from openapi.yaml by `npm run generate` of contract-kit 0.1.0. Edit openapi.yaml instead.

import type { ErrorCode } from './errors.ts';

export interface paths {
    "/store/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Returns every order placed in the store, cancelled ones included, ordered by id.
         *
         *     One response has all of them: v1 has no filtering and no pagination.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel an order
         * @description Cancels a pending order. A shipped order cannot be cancelled.
         *
         *     Cancelling is idempotent: if the order is already cancelled, the response is `204` again, so it is safe to
         *     repeat after a lost response.
         */
        delete: operations["cancelOrder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pet
         * @deprecated
         * @description Returns one pet.
         *
         *     Deprecated without a replacement: the operation is removed on its sunset date. Until then every response has
         *     `Deprecation`, `Sunset` and `Link`.
         */
        get: operations["getPet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An order placed in the store. A field that was never given is absent. */
        Order: {
            /**
             * Format: int64
             * @description Unique order identifier, from 1 to 2^53−1, so that every JSON parser reads it exactly.
             * @example 1
             */
            id?: number;
            /**
             * Format: int64
             * @description Identifier of the animal in this order.
             * @example 12
             */
            petId?: number;
            /**
             * @description Number of units ordered.
             * @example 1
             */
            quantity?: number;
            /**
             * Format: date-time
             * @description Expected or actual ship date, in UTC (ISO 8601, RFC 3339).
             * @example 2026-11-24T09:00:00.000Z
             */
            shipDate?: string;
            /**
             * @description Whether the order has been fulfilled.
             * @example false
             */
            complete?: boolean;
        };
        /** @description An animal of the store. A field that was never given is absent. */
        Pet: {
            /**
             * Format: int64
             * @description Unique pet identifier.
             * @example 12
             */
            id?: number;
            /**
             * @description The pet's name.
             * @example Rex
             */
            name?: string;
        };
        /** @description What went wrong. Every error response has this body. */
        Error: {
            /**
             * @description Machine-readable error code.
             * @example order_not_found
             */
            code: ErrorCode | (string & {});
            /**
             * @description Human-readable description of the error.
             * @example No order has the id 4711.
             */
            message: string;
            /**
             * @description The HTTP status code.
             * @example 404
             */
            status: number;
        };
    };
    responses: {
        /** @description The request is malformed, or a parameter is missing, unknown or out of range. Do not retry it unchanged. */
        BadRequest: {
            headers: {
                /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                /** @description Requests remaining in the current window. */
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                /** @description Unix timestamp, in seconds, at which the limit resets. */
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is missing, unknown or revoked. */
        Unauthorized: {
            headers: {
                /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                /** @description Requests remaining in the current window. */
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                /** @description Unix timestamp, in seconds, at which the limit resets. */
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description The scheme to use, and the error of an invalid token (RFC 6750 §3). */
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A quota is used up, or the key is banned. Wait for the seconds in `Retry-After`. */
        TooManyRequests: {
            headers: {
                /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                /** @description Requests remaining in the current window. */
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                /** @description Unix timestamp, in seconds, at which the limit resets. */
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description Whole seconds to wait before the next request (RFC 9110 §10.2.3). */
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server failed. Quote the `X-Request-Id` to support. The request may be retried. */
        InternalError: {
            headers: {
                /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                /** @description Requests remaining in the current window. */
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                /** @description Unix timestamp, in seconds, at which the limit resets. */
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server is temporarily unavailable. Retry after the seconds in `Retry-After`. */
        ServiceUnavailable: {
            headers: {
                /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                /** @description Requests remaining in the current window. */
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                /** @description Unix timestamp, in seconds, at which the limit resets. */
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description Whole seconds to wait before the next request (RFC 9110 §10.2.3). */
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The request limit that applies to the caller, in the window with fewer requests left.
         * @example 60
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests remaining in the current window.
         * @example 57
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description Unix timestamp, in seconds, at which the limit resets.
         * @example 1795251660
         */
        "X-RateLimit-Reset": number;
        /**
         * @description Identifier of this request, for support. A well-formed identifier from the client is kept.
         * @example 5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a
         */
        "X-Request-Id": string;
        /**
         * @description Whole seconds to wait before the next request (RFC 9110 §10.2.3).
         * @example 17
         */
        "Retry-After": number;
        /**
         * @description The scheme to use, and the error of an invalid token (RFC 6750 §3).
         * @example Bearer realm="petstore"
         */
        "WWW-Authenticate": string;
        /**
         * @description When the operation was deprecated, as a structured date (RFC 9745).
         * @example @1793491200
         */
        Deprecation: string;
        /**
         * @description When the operation will be removed, as an HTTP-date (RFC 8594).
         * @example Wed, 30 Jun 2027 00:00:00 GMT
         */
        Sunset: string;
        /**
         * @description Where the deprecation and the sunset are documented (RFC 8288).
         * @example </docs#getPet>; rel="deprecation"; type="text/html", </docs#getPet>; rel="sunset"; type="text/html"
         */
        Link: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listOrders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every order placed in the store. */
            200: {
                headers: {
                    /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    /** @description Requests remaining in the current window. */
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    /** @description Unix timestamp, in seconds, at which the limit resets. */
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the order to cancel.
                 *
                 *     All 64 bits are exact: an id that is not a canonical decimal integer (such as
                 *     `01`, `+1` or `1.0`) is rejected with `400`, never rounded.
                 * @example 1
                 */
                orderId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order is cancelled. */
            204: {
                headers: {
                    /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    /** @description Requests remaining in the current window. */
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    /** @description Unix timestamp, in seconds, at which the limit resets. */
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description No order has the given id. */
            404: {
                headers: {
                    /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    /** @description Requests remaining in the current window. */
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    /** @description Unix timestamp, in seconds, at which the limit resets. */
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The order has already shipped. It stays as it is; shipping cannot be reversed. */
            409: {
                headers: {
                    /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    /** @description Requests remaining in the current window. */
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    /** @description Unix timestamp, in seconds, at which the limit resets. */
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the pet, a canonical decimal 64-bit integer.
                 * @example 12
                 */
                petId: bigint;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pet. */
            200: {
                headers: {
                    /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    /** @description Requests remaining in the current window. */
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    /** @description Unix timestamp, in seconds, at which the limit resets. */
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description When the operation was deprecated, as a structured date (RFC 9745). */
                    Deprecation: components["headers"]["Deprecation"];
                    /** @description When the operation will be removed, as an HTTP-date (RFC 8594). */
                    Sunset: components["headers"]["Sunset"];
                    /** @description Where the deprecation and the sunset are documented (RFC 8288). */
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            /** @description The request is malformed, or a parameter is missing, unknown or out of range. Do not retry it unchanged. */
            400: {
                headers: {
                    /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    /** @description Requests remaining in the current window. */
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    /** @description Unix timestamp, in seconds, at which the limit resets. */
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description When the operation was deprecated, as a structured date (RFC 9745). */
                    Deprecation: components["headers"]["Deprecation"];
                    /** @description When the operation will be removed, as an HTTP-date (RFC 8594). */
                    Sunset: components["headers"]["Sunset"];
                    /** @description Where the deprecation and the sunset are documented (RFC 8288). */
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, unknown or revoked. */
            401: {
                headers: {
                    /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    /** @description Requests remaining in the current window. */
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    /** @description Unix timestamp, in seconds, at which the limit resets. */
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The scheme to use, and the error of an invalid token (RFC 6750 §3). */
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    /** @description When the operation was deprecated, as a structured date (RFC 9745). */
                    Deprecation: components["headers"]["Deprecation"];
                    /** @description When the operation will be removed, as an HTTP-date (RFC 8594). */
                    Sunset: components["headers"]["Sunset"];
                    /** @description Where the deprecation and the sunset are documented (RFC 8288). */
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No pet has the given id. */
            404: {
                headers: {
                    /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    /** @description Requests remaining in the current window. */
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    /** @description Unix timestamp, in seconds, at which the limit resets. */
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description When the operation was deprecated, as a structured date (RFC 9745). */
                    Deprecation: components["headers"]["Deprecation"];
                    /** @description When the operation will be removed, as an HTTP-date (RFC 8594). */
                    Sunset: components["headers"]["Sunset"];
                    /** @description Where the deprecation and the sunset are documented (RFC 8288). */
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A quota is used up, or the key is banned. Wait for the seconds in `Retry-After`. */
            429: {
                headers: {
                    /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    /** @description Requests remaining in the current window. */
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    /** @description Unix timestamp, in seconds, at which the limit resets. */
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description Whole seconds to wait before the next request (RFC 9110 §10.2.3). */
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description When the operation was deprecated, as a structured date (RFC 9745). */
                    Deprecation: components["headers"]["Deprecation"];
                    /** @description When the operation will be removed, as an HTTP-date (RFC 8594). */
                    Sunset: components["headers"]["Sunset"];
                    /** @description Where the deprecation and the sunset are documented (RFC 8288). */
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed. Quote the `X-Request-Id` to support. The request may be retried. */
            500: {
                headers: {
                    /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    /** @description Requests remaining in the current window. */
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    /** @description Unix timestamp, in seconds, at which the limit resets. */
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description When the operation was deprecated, as a structured date (RFC 9745). */
                    Deprecation: components["headers"]["Deprecation"];
                    /** @description When the operation will be removed, as an HTTP-date (RFC 8594). */
                    Sunset: components["headers"]["Sunset"];
                    /** @description Where the deprecation and the sunset are documented (RFC 8288). */
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server is temporarily unavailable. Retry after the seconds in `Retry-After`. */
            503: {
                headers: {
                    /** @description The request limit that applies to the caller, in the window with fewer requests left. */
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    /** @description Requests remaining in the current window. */
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    /** @description Unix timestamp, in seconds, at which the limit resets. */
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    /** @description Identifier of this request, for support. A well-formed identifier from the client is kept. */
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description Whole seconds to wait before the next request (RFC 9110 §10.2.3). */
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description When the operation was deprecated, as a structured date (RFC 9745). */
                    Deprecation: components["headers"]["Deprecation"];
                    /** @description When the operation will be removed, as an HTTP-date (RFC 8594). */
                    Sunset: components["headers"]["Sunset"];
                    /** @description Where the deprecation and the sunset are documented (RFC 8288). */
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
