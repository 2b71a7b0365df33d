import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { createScriptedPage, scriptedPageUrl } from 'licensing-apply/testing';
import { installTools } from '../../tools/install.js';

/** Packages that others would take, and a loader script without any. */
export const peerNames = ['Penpal', 'zoid', 'iframe-resizer', 'loader script'] as const;

/** A name of {@link peerNames}. */
export type Peer = (typeof peerNames)[number];

interface PeerScripts {
  /** The package's script in the partner's page. */
  page: string;
  /** The package's script in the application, and what starts it there. */
  hosted?: { file: string; start: string };
}

/** Of the packages in `test/tools`. */
const scripts: Partial<Record<Peer, PeerScripts>> = {
  Penpal: {
    page: 'penpal/dist/penpal.min.js',
    hosted: {
      file: 'penpal/dist/penpal.min.js',
      start: `Penpal.connect({ messenger: new Penpal.WindowMessenger({ remoteWindow: parent, allowedOrigins: ['*'] }) });`,
    },
  },
  zoid: {
    page: 'zoid/dist/zoid.frame.min.js',
    hosted: {
      file: 'zoid/dist/zoid.frame.min.js',
      start: `zoid.create({ tag: 'licensing-application', url: location.href, domain: location.origin });`,
    },
  },
  'iframe-resizer': {
    page: 'iframe-resizer/js/iframeResizer.min.js',
    hosted: { file: 'iframe-resizer/js/iframeResizer.contentWindow.min.js', start: '' },
  },
};

/** The folder of the packages, to be served as `/packages/`. */
export const packagesFolder = join(import.meta.dirname, '../../tools/node_modules/');

/** As a CDN does. Without it no browser has a warm cache. */
export const keptForever = { 'cache-control': 'public, max-age=31536000, immutable' };

/** The script elements of the partner's page. */
export function partnerScripts(peer: Peer): string {
  const own = '<script type="module" src="/peers-page.js"></script>';
  return scriptAt(scripts[peer]?.page) + own;
}

/** The application as it is with each package: the scripted page, with a script more. */
export interface PeerApplications {
  origin: string;
  /** The address of the application on an origin that leads here. */
  urlAt(origin: string, peer: Peer): string;
  close(): void;
}

/** Starts the applications, which this origin may embed. */
export async function startPeerApplications(allowedOrigin: string): Promise<PeerApplications> {
  installTools();
  const scripted = createScriptedPage({ allowedOrigins: [allowedOrigin] });
  const server = createAdaptorServer({ fetch: respond, hostname: '127.0.0.1' }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function respond(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const [, first = '', ...rest] = pathname.split('/');
    const javascript = { headers: { ...keptForever, 'content-type': 'text/javascript' } };
    if (first === 'packages') return new Response(await readFile(join(packagesFolder, ...rest)), javascript);
    if (first === 'start') return new Response(hostedScripts(rest[0])?.start, javascript);
    const response = await scripted(request);
    const hosted = hostedScripts(rest[0]);
    if (!hosted) return response;
    const more = `${scriptAt(hosted.file)}<script src="/start/${rest[0]}"></script></head>`;
    return new Response((await response.text()).replace('</head>', more), { headers: response.headers });
  }

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    // The scripted page takes any id for an application.
    urlAt: (origin, peer) =>
      scriptedPageUrl(origin, { scenario: 'complete', applicationId: peer.replaceAll(' ', '_') }),
    close() {
      server.close();
    },
  };
}

function hostedScripts(name = ''): PeerScripts['hosted'] {
  return scripts[name as Peer]?.hosted;
}

function scriptAt(file: string | undefined): string {
  return file === undefined ? '' : `<script src="/packages/${file}"></script>`;
}
