import { fileURLToPath } from 'node:url';
import { startScriptedPage } from 'licensing-apply/testing';
import { serveSite } from '../../package/static-site.js';
import { type Distance, serveFromAfar } from './latency.js';

/** The two compared pages on one site, and the hosted application on another. */
export interface PartnerPages {
  /** The page with the element. */
  elementUrl: string;
  /** The page with only a button that appends a frame. */
  bareUrl: string;
  /** The link of a session. */
  applicationUrl: string;
  /** The partner's route that creates a session, without a delay. */
  sessionUrl: string;
  /** Ends all connections, as when a user returns later. */
  hangUp(): void;
  stop(): Promise<void>;
}

/** Starts the sites, `distance` away from the browser. */
export async function startPartnerPages(distance: Distance): Promise<PartnerPages> {
  let session = '';
  const partner = await serveSite({
    '/session': {
      get body() {
        return session;
      },
    },
    '/cdn/': {
      folder: fileURLToPath(new URL('../../../dist/cdn/', import.meta.url)),
      // As a CDN does. Without it no browser has a warm cache.
      headers: { 'cache-control': 'public, max-age=31536000, immutable' },
    },
    '/opening-page.js': fileURLToPath(new URL('./opening-page.js', import.meta.url)),
    '/element.html': { body: page(`<script type="module" src="/cdn/licensing-apply.js"></script>`) },
    '/bare.html': { body: page('') },
  });
  const partnerSide = await serveFromAfar(partner.origin, distance);
  const hosted = await startScriptedPage({ allowedOrigins: [partnerSide.origin] });
  const hostedSide = await serveFromAfar(hosted.origin, distance);
  const link = new URL(hosted.url({ scenario: 'complete' }));
  const applicationUrl = `${hostedSide.origin}${link.pathname}`;
  session = JSON.stringify({ applicationUrl, applicationId: 'app_bench' });
  return {
    elementUrl: `${partnerSide.origin}/element.html`,
    bareUrl: `${partnerSide.origin}/bare.html`,
    applicationUrl,
    sessionUrl: `${partnerSide.origin}/session`,
    hangUp() {
      partnerSide.hangUp();
      hostedSide.hangUp();
    },
    async stop() {
      partnerSide.stop();
      hostedSide.stop();
      partner.close();
      await hosted.close();
    },
  };
}

function page(head: string): string {
  return `<!doctype html><html lang="en"><title>Partner</title><link rel="icon" href="data:,">${head}<script type="module" src="/opening-page.js"></script><main><h1>Licensing</h1><p>Apply for a license in another state.</p></main></html>`;
}
