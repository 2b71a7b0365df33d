import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { BridgeContext } from '../domain/context.js';
import type { OperatorSession } from '../domain/operators/sign-in.js';
import type { Bindings } from '../http/connection.js';
import type { ApplyAssets } from '../pages/assets.js';
import type { PostedForm } from '../pages/forms.js';

/** What the console works with. */
export interface ConsoleRoom {
  context: BridgeContext;
  assets: ApplyAssets;
  /** The public origin of the console. */
  consoleUrl: string;
}

/** What the middleware leaves for the routes. */
export interface ConsoleEnvironment {
  Bindings: Bindings;
  Variables: {
    /** The operator who is signed in; absent without one. */
    session: OperatorSession | undefined;
  };
}

/** The console while its routes are added. */
export type ConsoleApp = Hono<ConsoleEnvironment>;
/** A request in one of its routes. */
export type ConsoleContext = Context<ConsoleEnvironment>;
/** A middleware of it. */
export type ConsoleMiddleware = MiddlewareHandler<ConsoleEnvironment>;

/** A request that anybody may make. */
export interface OpenRequest {
  c: ConsoleContext;
  room: ConsoleRoom;
  /** The operator who is signed in already; `undefined` without one. */
  session: OperatorSession | undefined;
  /** What was posted; empty for a page that is only read. */
  form: PostedForm;
}

/** A request of an operator who may make it. */
export interface OperatorRequest extends OpenRequest {
  session: OperatorSession;
}

interface RouteBase {
  method: 'GET' | 'POST';
  path: string;
}

/**
 * A route of the console. Its access is a part of it, so that none can be added without: `anyone` needs no session, `view` any
 * operator, `file` an operator who may see and change what is private.
 */
export type ConsoleRoute =
  | (RouteBase & { access: 'anyone'; handle(request: OpenRequest): Promise<Response> | Response })
  | (RouteBase & { access: 'view' | 'file'; handle(request: OperatorRequest): Promise<Response> | Response });
