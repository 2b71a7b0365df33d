import { fileURLToPath } from 'node:url';
import { startScriptedPage } from 'licensing-apply/testing';
import { serveSite } from '../../package/static-site.js';
import { type Distance, serveFromAfar } from './latency.js';
import { keptForever, packagesFolder, partnerScripts, type Peer, peerNames, startPeerApplications } from './peers.js';

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
  /** The pages with other packages, and the application that each opens. */
  peers: Record<Peer, { pageUrl: string; applicationUrl: string }>;
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
      headers: keptForever,
    },
    '/opening-page.js': fileURLToPath(new URL('./opening-page.js', import.meta.url)),
    '/element.html': { body: page(`<script type="module" src="/cdn/licensing-apply.js"></script>`) },
    '/bare.html': { body: page('') },
    '/packages/': { folder: packagesFolder, headers: keptForever },
    '/peers-page.js': fileURLToPath(new URL('./peers-page.js', import.meta.url)),
    '/open-frame.js': fileURLToPath(new URL('./open-frame.js', import.meta.url)),
    ...Object.fromEntries(peerNames.map((peer) => [pathOf(peer), { body: page(partnerScripts(peer)) }])),
  });
  const partnerSide = await serveFromAfar(partner.origin, distance);
  const hosted = await startScriptedPage({ allowedOrigins: [partnerSide.origin] });
  const hostedSide = await serveFromAfar(hosted.origin, distance);
  const link = new URL(hosted.url({ scenario: 'complete' }));
  const applicationUrl = `${hostedSide.origin}${link.pathname}`;
  const applications = await startPeerApplications(partnerSide.origin);
  const applicationsSide = await serveFromAfar(applications.origin, distance);
  const sides = [partnerSide, hostedSide, applicationsSide];
  const peerPages = peerNames.map((peer) => {
    const urls = {
      pageUrl: partnerSide.origin + pathOf(peer),
      applicationUrl: applications.urlAt(applicationsSide.origin, peer),
    };
    return [peer, urls] as const;
  });
  session = JSON.stringify({ applicationUrl, applicationId: 'app_bench' });
  return {
    elementUrl: `${partnerSide.origin}/element.html`,
    bareUrl: `${partnerSide.origin}/bare.html`,
    applicationUrl,
    sessionUrl: `${partnerSide.origin}/session`,
    peers: Object.fromEntries(peerPages) as PartnerPages['peers'],
    hangUp() {
      for (const side of sides) side.hangUp();
    },
    async stop() {
      for (const side of sides) side.stop();
      for (const site of [partner, applications]) site.close();
      await hosted.close();
    },
  };
}

function pathOf(peer: Peer): string {
  return `/${peer.replaceAll(' ', '-')}.html`;
}

function page(head: string): string {
  return `<!doctype html><html lang="en"><title>Partner</title><link rel="icon" href="data:,">${head}<script type="module" src="/opening-page.js"></script><main><h1>Licensing</h1><p>Apply for a license in another state.</p></main></html>`;
}
