import { createServer } from 'node:http';
import { createBridgeClient, createLicensingHandler, type PaymentMethod } from 'licensing-apply/server';
import { toNodeListener } from 'licensing-apply/server/node';
import type { DemoCredential } from './credential.ts';
import { createDeveloperView } from './developer-view.ts';
import { createSite } from './site.ts';
import { visitorOf } from './visitors.ts';

/** The partner's backend while it listens. */
export interface Backend {
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

/** Starts the partner's backend: the licensing handler, the pages, and the developer's view of both. */
export async function startBackend(options: {
  demoPort: number;
  demoUrl: string;
  bridgeUrl: string;
  applyUrl: string;
  credential: DemoCredential;
}): Promise<Backend> {
  const { demoPort, demoUrl, bridgeUrl, applyUrl } = options;
  const { clientId, clientSecret, webhookSecret } = options.credential;

  const bridge = createBridgeClient({ baseUrl: bridgeUrl, clientId, clientSecret });
  const view = createDeveloperView(bridge);
  const licensing = createLicensingHandler({
    bridge,
    secret: webhookSecret,
    publicUrl: `${demoUrl}/licensing`,
    identify: visitorOf,
    session: (request) => ({
      applicationType: 'new',
      licenseType: 'life_health',
      states: ['TX', 'CA'],
      paymentMethod: paymentMethodOf(request),
      returnUrl: `${demoUrl}${returnPathOf(request)}`,
    }),
    on: view.on,
  });

  const site = createSite(applyUrl);
  const server = createServer(
    toNodeListener((request, context) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/licensing/')) return licensing(request, context);
      if (pathname.startsWith('/demo/')) return view.serve(request);
      return site(request);
    }),
  );
  // Loopback only: this site signs in whoever comes.
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(demoPort, 'localhost', resolve));

  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await licensing.close();
    },
  };
}

/** Who pays is the partner's own decision, here that of the switch in the developer's view. */
function paymentMethodOf(request: Request): PaymentMethod {
  return new URL(request.url).searchParams.get('payment') === 'partner_billing' ? 'partner_billing' : 'user_pays';
}

/** Whoever was sent away in the page's place comes back to that page; a window or a frame ends at a page of its own. */
function returnPathOf(request: Request): string {
  return new URL(request.url).searchParams.get('mode') === 'redirect' ? '/' : '/return.html';
}
