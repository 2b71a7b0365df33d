import { Hono } from 'hono';
import type { BridgeContext } from '../domain/context.js';
import type { PaymentProcessor } from '../domain/payment-processor.js';
import type { ApplyAssets } from './assets.js';

export type { ApplyAssets } from './assets.js';
export { loadApplyAssets } from './assets.js';
export { createTestProcessor } from './test-processor.js';

/** What the hosted application needs besides the context. */
export interface ApplyOptions {
  assets: ApplyAssets;
  processor: PaymentProcessor;
}

/** The hosted application: pages on their own origin, complete without script. */
export function createApplyApp(context: BridgeContext, options: ApplyOptions): Hono {
  void context;
  const app = new Hono();
  app.get('/assets/*', (c) => {
    const asset = options.assets.at(c.req.path);
    return asset ? c.body(asset.body, 200, { 'content-type': asset.contentType }) : c.notFound();
  });
  return app;
}
