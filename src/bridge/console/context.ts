import type { Context, MiddlewareHandler } from 'hono';
import type { BridgeContext } from '../domain/context.js';
import type { IdentityProvider } from '../domain/operators/identity-provider.js';
import type { OperatorSession } from '../domain/operators/sign-in.js';
import type { Bindings } from '../http/connection.js';
import type { OperatorRole } from '../store/tables/operator-tables.js';
import type { ApplyAssets } from '../pages/assets.js';
import type { PostedForm } from '../pages/forms.js';

/** The dependencies of the console. */
export interface ConsoleServices {
  context: BridgeContext;
  assets: ApplyAssets;
  /** The public origin of the console. */
  consoleUrl: string;
  /** The identity provider; `undefined` where operators sign in with passwords only. */
  identityProvider: IdentityProvider | undefined;
}

/** The variables that the middleware sets for the routes. */
export interface ConsoleEnv {
  Bindings: Bindings;
  Variables: {
    /** The signed-in operator; absent without one. */
    session: OperatorSession | undefined;
  };
}

/** The Hono context of a request. */
export type ConsoleContext = Context<ConsoleEnv>;
/** A middleware of the console. */
export type ConsoleMiddleware = MiddlewareHandler<ConsoleEnv>;

/** A request that needs no sign-in. */
export interface OpenRequest {
  c: ConsoleContext;
  services: ConsoleServices;
  /** The signed-in operator; `undefined` without one. */
  session: OperatorSession | undefined;
  /** The posted form; empty for a GET. */
  form: PostedForm;
}

/** An authorized request of an operator. */
export interface OperatorRequest extends OpenRequest {
  session: OperatorSession;
}

interface RouteBase {
  method: 'GET' | 'POST';
  /**
   * `:id` is the id of an application, which is found only in the scope of the operator. Queries
   * without it take the scope.
   */
  path: string;
}

/**
 * A route of the console. Its access is required, so that no route can be added without it:
 * `anyone` needs no session, `view` any operator, `file` an operator who may see and change private
 * data, `supervise` one who may also end the claims of others.
 */
export type ConsoleRoute =
  | (RouteBase & { access: 'anyone'; handle(request: OpenRequest): Promise<Response> | Response })
  | (RouteBase & { access: OperatorRole; handle(request: OperatorRequest): Promise<Response> | Response });
