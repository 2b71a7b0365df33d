import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { BridgeContext } from '../domain/context.js';
import type { PaymentProcessor } from '../domain/apply/payment-processor.js';
import type { Bindings } from '../http/bindings.js';
import type { ApplyAssets } from './assets.js';
import type { PageVisit, Visit } from './visit.js';

/** What the routes work with. */
export interface ApplyRoom {
  context: BridgeContext;
  assets: ApplyAssets;
  processor: PaymentProcessor;
}

/** What the middleware leaves for the routes. */
export interface ApplyEnvironment {
  Bindings: Bindings;
  Variables: {
    /** The partner's page that may frame this one and gets the user back; absent while the application is not known. */
    returnUrl: string | undefined;
    /** What every page needs. */
    page: PageVisit;
    /** The visit, on the paths of a known application. */
    visit: Visit;
  };
}

/** The application while its routes are added. */
export type ApplyApp = Hono<ApplyEnvironment>;
/** A request in one of its routes. */
export type ApplyRequest = Context<ApplyEnvironment>;
/** A middleware of it. */
export type ApplyMiddleware = MiddlewareHandler<ApplyEnvironment>;
