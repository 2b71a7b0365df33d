import { fileURLToPath } from 'node:url';
import { startScriptedPage } from 'licensing-apply/testing';
import { serveSite } from '../package/static-site.js';

/** A partner's page with the CDN build, and the hosted application on another site. */
export interface PartnerSite {
  /** The page; it has no element yet. */
  pageUrl: string;
  /** The link of a session. */
  applicationUrl: string;
  stop(): Promise<void>;
}

/** Starts both. */
export async function startPartnerSite(): Promise<PartnerSite> {
  const partner = await serveSite({
    '/cdn/': fileURLToPath(new URL('../../dist/cdn/', import.meta.url)),
    '/': {
      body: `<!doctype html><html lang="en"><title>Partner</title><link rel="icon" href="data:,">
        <script type="module" src="/cdn/licensing-apply.js"></script><main></main></html>`,
    },
  });
  const hosted = await startScriptedPage({ allowedOrigins: [partner.origin] });
  return {
    pageUrl: `${partner.origin}/`,
    applicationUrl: hosted.url({ scenario: 'complete' }),
    async stop() {
      partner.close();
      await hosted.close();
    },
  };
}
